// What it costs to validate the arguments of a call, beside the published validators. Each takes arguments as a host has
// them: a JavaScript object. Repairs are ours alone but for ajv's `coerceTypes` and zod's `coerce`, which are told what to
// coerce; ajv changes the caller's object in place.
//
//   node __test__/bench/validation.mjs

import { Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { Value } from '@sinclair/typebox/value'
import { Ajv } from 'ajv'
import { z } from 'zod'

import { validateToolArguments } from '../../src/js/index.js'
import { interleave, report } from './harness.mjs'

const box = Type.Object({
  path: Type.String({ minLength: 1 }),
  limit: Type.Optional(Type.Integer({ minimum: 1 })),
  mode: Type.Optional(Type.Union([Type.Literal('files'), Type.Literal('lines')])),
  edits: Type.Array(Type.Object({ line: Type.Integer(), text: Type.String(), tags: Type.Array(Type.String()) })),
})
const parameters = JSON.parse(JSON.stringify(box))
const edit = (number) => z.object({ line: number.int(), text: z.string(), tags: z.array(z.string()) })
const shape = (number) => z.object({ path: z.string().min(1), limit: number.int().min(1).optional(), mode: z.enum(['files', 'lines']).optional(), edits: z.array(edit(number)) })
const zod = { plain: shape(z.number()), coercing: shape(z.coerce.number()) }
const ajv = { plain: new Ajv().compile(parameters), coercing: new Ajv({ coerceTypes: true }).compile(parameters) }
const compiled = TypeCompiler.Compile(box)
const tool = { name: 'edit', label: 'edit', description: 'edit', parameters }
const must = (truth) => truth || fail()
const fail = () => { throw new Error('judged wrongly') }

const line = (index) => ({ line: index, text: `const value_${index} = compute(${index})`, tags: ['a', 'b'] })
const call = (edits) => ({ path: 'src/engine/calls/schema.rs', limit: 20, mode: 'lines', edits: Array.from({ length: edits }, (_, index) => line(index)) })
const spoiled = (edits) => ({ ...call(edits), limit: '20' })

for (const [name, edits, runs] of [['a typical call', 3, 20_000], ['5,000 items', 5_000, 100]]) {
  await compare(`${name}, valid`, runs, call(edits), {
    ours: (value) => must(validateToolArguments(tool, { arguments: value }) === value),
    zod: (value) => must(zod.plain.safeParse(value).success),
    ajv: (value) => must(ajv.plain(value)),
    typebox: (value) => must(compiled.Check(value)),
  })
  const broken = spoiled(edits)
  await compare(`${name}, one number as text`, runs, broken, {
    ours: (value) => must(validateToolArguments(tool, { arguments: value }).limit === 20),
    zod: (value) => must(zod.coercing.parse(value).limit === 20),
    // A fresh object each time, since it is changed.
    ajv: (value) => must(ajv.coercing({ ...value })),
    typebox: (value) => must(compiled.Check(Value.Convert(box, { ...value }))),
  })
}

async function compare(title, runs, value, candidates) {
  const all = await interleave(Object.fromEntries(Object.entries(candidates).map(([name, run]) => [name, () => run(value)])), { times: runs })
  const { ours, ...peers } = Object.fromEntries(Object.entries(all).map(([name, times]) => [name, times.map((time) => time * 1000)]))
  report({ workload: `arguments of ${title}`, unit: 'µs', ours, peers })
}
