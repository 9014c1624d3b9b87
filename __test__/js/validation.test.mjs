// Arguments: what is judged, repaired, refused, and how the caller's own value is kept.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import {
  isJsonSchemaValueValid,
  prepareToolArguments,
  ToolArgumentError,
  ToolError,
  upgradeJsonSchemaTo202012,
  validateJsonSchemaValue,
  validateToolArguments,
  validateToolCall,
} from '../../src/js/index.js'

const object = (properties, more) => ({ type: 'object', properties, ...more })
const call = (args, name = 't') => ({ type: 'toolCall', id: 'c', name, arguments: args })
const tool = (parameters, more) => ({ name: 't', description: '', parameters, ...more })

function refusal(tool, args, options) {
  try {
    prepareToolArguments(tool, call(args), options)
  } catch (error) {
    assert.ok(error instanceof ToolArgumentError && error instanceof ToolError, String(error))
    assert.equal(error.code, 'invalid_arguments')
    return error
  }
  throw new assert.AssertionError({ message: 'not refused' })
}

test('arguments that fit come back as the same object', () => {
  const args = { p: 'x', n: -0, extra: undefined }
  assert.equal(validateToolArguments(tool(object({ p: { type: 'string' } })), call(args)), args)
})

test('repairs change copies and keep everything else', () => {
  const big = { text: 'a\ud800b' }
  const args = Object.freeze({ n: '5', big, list: Object.freeze(['1', big]) })
  const parameters = object({ n: { type: 'number' }, list: { prefixItems: [{ type: 'number' }] } })
  const { arguments: taken, repairs } = prepareToolArguments(tool(parameters), call(args))
  assert.deepEqual(taken, { n: 5, big: { text: 'a\ud800b' }, list: [1, { text: 'a\ud800b' }] })
  assert.equal(taken.big, big)
  assert.equal(args.n, '5')
  assert.deepEqual(repairs.map(({ path, action }) => [path.join('/'), action]), [['n', 'converted'], ['list/0', 'converted']])
})

test('what is taken out is named', () => {
  const parameters = object({ p: { type: 'string' } }, { additionalProperties: false })
  const { arguments: taken, repairs } = prepareToolArguments(tool(parameters), call({ p: null, typo: 'kept in the list' }))
  assert.deepEqual(taken, {})
  assert.deepEqual(repairs.find(({ path }) => path[0] === 'typo'), { path: ['typo'], action: 'removed', removed: 'kept in the list' })
})

test('a key called __proto__ is only a key', () => {
  const args = JSON.parse('{"__proto__":{"n":"1"},"n":"2"}')
  const parameters = JSON.parse('{"type":"object","properties":{"__proto__":{"properties":{"n":{"type":"number"}}},"n":{"type":"number"}}}')
  const taken = validateToolArguments(tool(parameters), call(args))
  assert.equal(Object.getPrototypeOf(taken), Object.prototype)
  assert.equal(JSON.stringify(taken), '{"__proto__":{"n":1},"n":2}')
})

test('a refusal says where, what was expected and what came, and stays short', () => {
  const error = refusal(tool(object({ a: { type: 'number' }, b: { items: { type: 'boolean' } } })), { a: 'x'.repeat(100_000), b: ['yes'] })
  assert.deepEqual(error.issues.map(({ path, keyword }) => [path, keyword]), [[['a'], 'type'], [['b', 0], 'type']])
  assert.deepEqual(error.issues[0].expectedTypes, ['number'])
  assert.match(error.message, /`b\[0\]`: expected a boolean, got the string "yes"/)
  assert.ok(error.message.length < 2000, String(error.message.length))
  assert.equal(error.context.issues[1].path, 'b[0]')
  assert.equal(error.original.b[0], 'yes')
  assert.equal(error.normalized, undefined)
})

test('a refusal after repairs has both forms', () => {
  const error = refusal(tool(object({ a: { type: 'number' }, b: { type: 'boolean' } })), { a: '1', b: 'maybe' })
  assert.deepEqual([error.original, error.normalized], [{ a: '1', b: 'maybe' }, { a: 1, b: 'maybe' }])
})

test('arguments that JSON cannot hold are refused', () => {
  const circle = {}
  circle.self = circle
  for (const args of [circle, { big: 1n }]) assert.throws(() => validateToolArguments(tool(object({})), call(args)), { code: 'invalid_arguments' })
  const deep = JSON.parse('{"a":'.repeat(2000) + '1' + '}'.repeat(2000))
  assert.match(refusal(tool(object({})), deep).message, /deeper/)
})

test('nothing at all counts as no arguments', () => {
  for (const args of [undefined, null, '', 'null', '{}', {}]) assert.deepEqual(validateToolArguments(tool({ type: 'object' }), call(args)), {})
  assert.deepEqual(validateToolArguments({ name: 't' }, call(undefined)), {})
})

test('the raw look accepts, refuses or passes, and gets a copy', () => {
  const parameters = object({ p: { type: 'number' } })
  const with_ = (rawArgumentValidation) => tool(parameters, { rawArgumentValidation })
  const args = { p: '3', o: { k: 1 } }
  const meddling = (copy) => void (copy.o.k = 2)
  assert.deepEqual(validateToolArguments(with_(meddling), call(args)), { p: 3, o: { k: 1 } })
  assert.deepEqual(validateToolArguments(with_(() => ({ outcome: 'accept', arguments: { p: 9 } })), call(args)), { p: 9 })
  const error = refusal(with_(() => ({ outcome: 'reject', code: 'no_secrets' })), args)
  assert.deepEqual([error.issues, error.context.rejection], [[], 'no_secrets'])
  assert.match(error.message, /no_secrets/)
})

test('zod judges itself; defaults, transformations and refinements count', () => {
  const parameters = z.object({ n: z.number().default(3), s: z.string().trim(), xs: z.array(z.object({ a: z.number() })).optional() })
  const { arguments: taken, repairs } = prepareToolArguments(tool(parameters), call({ s: ' x ', xs: '[{"a":"1"}]', more: 1 }))
  assert.deepEqual(taken, { n: 3, s: 'x', xs: [{ a: 1 }], more: 1 })
  assert.deepEqual(repairs.map(({ path }) => path.join('/')), ['xs', 'xs/0/a'])
  const refined = z.object({ a: z.string() }).refine(() => false, 'never')
  assert.match(refusal(tool(refined), { a: 'x' }).message, /never/)
})

test('what zod leaves out below the root is named', () => {
  const { arguments: taken, repairs } = prepareToolArguments(tool(z.object({ o: z.object({ p: z.string() }) })), call({ o: { p: 'x', q: 1 } }))
  assert.deepEqual(taken, { o: { p: 'x' } })
  assert.deepEqual(repairs, [{ path: ['o', 'q'], action: 'removed', removed: 1 }])
})

test('schemas that judge later are refused clearly', () => {
  const later = z.object({ a: z.string().refine(async () => true) })
  assert.throws(() => validateToolArguments(tool(later), call({ a: 'x' })), { code: 'unsupported' })
})

test('any Standard Schema with a conversion works', () => {
  const validate = (value) => (typeof value?.n === 'number' ? { value: { n: value.n + 1 } } : { issues: [{ message: 'a number, please', path: [{ key: 'n' }] }] })
  const jsonSchema = { input: () => object({ n: { type: 'number' } }, { required: ['n'] }) }
  const parameters = { '~standard': { version: 1, vendor: 'ours', validate, jsonSchema } }
  assert.deepEqual(validateToolArguments(tool(parameters), call({ n: '1' })), { n: 2 })
  assert.match(refusal(tool(parameters), { n: 'x' }).message, /`n`: a number, please/)
})

test('a call finds its tool by name, else by wire name', () => {
  const tools = [tool(object({}), { name: 'a' }), tool(object({ p: { type: 'number' } }), { name: 'b', customWireName: 'wire' })]
  assert.deepEqual(validateToolCall(tools, call({ p: '1' }, 'wire')), { p: 1 })
  assert.throws(() => validateToolCall(tools, call({}, 'nope')), { code: 'unknown_tool' })
})

test('schemas are read once, by identity and version', () => {
  let reads = 0
  const parameters = { type: 'object', get properties() { reads += 1; return { p: { type: 'number' } } } }
  const one = tool(parameters)
  for (let index = 0; index < 5; index += 1) validateToolArguments(one, call({ p: '1' }))
  assert.equal(reads, 1)
  one.parametersVersion = 2
  validateToolArguments(one, call({ p: '1' }))
  assert.equal(reads, 2)
})

test('values are judged without repair', () => {
  assert.deepEqual(validateJsonSchemaValue({ type: 'number' }, '1').issues[0].expectedTypes, ['number'])
  assert.equal(isJsonSchemaValueValid({ type: 'number' }, 1), true)
  assert.equal(isJsonSchemaValueValid(false, 1), false)
  assert.equal(isJsonSchemaValueValid({ required: ['toString'] }, {}), false)
})

test('an upgraded schema that was new already is the same object', () => {
  const schema = object({})
  assert.equal(upgradeJsonSchemaTo202012(schema), schema)
  assert.deepEqual(upgradeJsonSchemaTo202012({ nullable: true, type: 'string' }), { type: ['string', 'null'] })
})

test('half of a surrogate pair comes through a repair as it is', () => {
  const list = { name: 't', parameters: { type: 'object', properties: { a: { type: 'array', items: { type: 'string' } } } } }
  const of = (/** @type {any} */ a, more = {}) => validateToolArguments(list, { name: 't', arguments: { a, ...more } })
  assert.deepEqual(of('["\ud800x","\udfff"]'), { a: ['\ud800x', '\udfff'] })
  assert.deepEqual(of('["\\ud800y", "\\ud83d\\ude00", "\\\\ud800"]'), { a: ['\ud800y', '😀', '\\ud800'] })
  assert.deepEqual(validateToolArguments(list, { name: 't', arguments: '{"a":["\udc00"]}' }), { a: ['\udc00'] })
  // A private character stands for nothing but itself where it was sent.
  assert.deepEqual(of('["\u{10ffff}"]'), { a: ['\u{10ffff}'] })
  assert.throws(() => of('["\ud800"]', { b: '\u{10ffff}' }), { code: 'invalid_arguments' })
})

test('a raw look that is not understood lets nothing pass', () => {
  const tool = (/** @type {any} */ rawArgumentValidation) => ({ name: 't', parameters: { type: 'object' }, rawArgumentValidation })
  const call = { name: 't', arguments: { x: 1 } }
  assert.throws(() => validateToolArguments(tool(async () => ({ outcome: 'reject' })), call), { code: 'unsupported' })
  assert.throws(() => validateToolArguments(tool(() => ({ outcome: 'rejct' })), call), { code: 'invalid_arguments' })
  assert.throws(() => validateToolArguments(tool(() => false), call), { code: 'invalid_arguments' })
  assert.deepEqual(validateToolArguments(tool(() => undefined), call), { x: 1 })
})

test('a schema that takes too much work is refused by name, before a host notices', () => {
  const form = { type: 'object', properties: { a: { $ref: '#' } }, required: ['a'] }
  let value = /** @type {any} */ (1)
  for (let depth = 0; depth < 100; depth++) value = { a: value }
  const { success, issues } = validateJsonSchemaValue({ anyOf: [form, form, form, form] }, value)
  assert.equal(success, false)
  assert.deepEqual(issues.map(({ keyword }) => keyword), ['tooMuchWork'])
})
