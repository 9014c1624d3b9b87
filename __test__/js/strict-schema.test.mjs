// Schemas in the form that providers enforce with `strict`, and what comes back of calls that follow it.

import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { describe, it } from 'node:test'
import * as zod from 'zod'

import { createToolSession, strictToolSchema, toolWireSchema, validateToolArguments } from '../../src/js/index.js'
import { hostTool, testSession } from './session.mjs'

/** What providers refuse in a strict schema. */
function faults(schema, path = '') {
  if (typeof schema !== 'object' || schema === null) return [`${path}: no schema`]
  const known = ['type', 'title', 'description', 'enum', 'const', '$ref', '$defs', 'anyOf', 'items', 'properties', 'required', 'additionalProperties']
  const found = Object.keys(schema).filter((word) => !known.includes(word)).map((word) => `${path}: ${word}`)
  const { properties, required, additionalProperties, items, anyOf = [], $defs = {} } = schema
  if ([schema.type].flat().includes('object')) {
    if (additionalProperties !== false) found.push(`${path}: open`)
    if (JSON.stringify(required) !== JSON.stringify(Object.keys(properties ?? {}))) found.push(`${path}: optional properties`)
  }
  const inner = [...Object.entries({ ...properties, ...$defs }), ...anyOf.map((branch, index) => [index, branch]), ...(items ? [['items', items]] : [])]
  return [...found, ...inner.flatMap(([key, value]) => faults(value, `${path}/${key}`))]
}

/** A value with null in place of everything that may be null. */
function sparsest(schema, root = schema) {
  const { type, anyOf, enum: values, const: only, $ref, properties, items } = schema
  if ($ref) return sparsest(root.$defs[$ref.split('/').at(-1)], root)
  if ([type].flat().includes('null') || anyOf?.some((branch) => branch.type === 'null')) return null
  if (only !== undefined) return only
  if (values) return values[0]
  if (anyOf) return sparsest(anyOf[0], root)
  if (type === 'object') return Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, sparsest(value, root)]))
  if (type === 'array') return [sparsest(items, root)]
  return { string: 'text', integer: 1, number: 1, boolean: true }[type]
}

describe('strict schemas', () => {
  for (const mode of ['replace', 'patch', 'hashline', 'vim', 'apply_patch']) {
    it(`of all tools are what providers take, with edit in mode ${mode}`, async () => {
      const { settings } = testSession({ settings: { 'edit.mode': mode, 'tools.discoveryMode': 'off', 'calc.enabled': true } })
      const session = await createToolSession({ cwd: tmpdir(), settings })
      const without = []
      for (const tool of session.registry.values()) {
        const schema = strictToolSchema(tool)
        if (!schema) {
          without.push(tool.name)
          continue
        }
        assert.deepEqual(faults(schema), [], tool.name)
        assert.equal(strictToolSchema(tool), schema, 'made once')
        // What a model sends that has nothing more to say fits the tool.
        const args = validateToolArguments(tool, { name: tool.name, arguments: sparsest(schema) })
        assert.ok(!JSON.stringify(args).includes('null'), `${tool.name}: ${JSON.stringify(args)}`)
      }
      // Their arguments hold maps of names that only the model knows.
      assert.deepEqual(without, ['bash', 'resolve'])
    })
  }

  it('of schemas of libraries', () => {
    const tool = hostTool('z', { parameters: zod.object({ path: zod.string(), limit: zod.number().int().min(1).optional() }) })
    assert.deepEqual(faults(strictToolSchema(tool)), [])
    assert.deepEqual(validateToolArguments(tool, { name: 'z', arguments: { path: 'a', limit: null } }), { path: 'a' })
    assert.equal(strictToolSchema(hostTool('open', { parameters: zod.object({ map: zod.record(zod.string(), zod.string()) }) })), undefined)
  })

  it('leave the schema of the tool as it is', () => {
    const parameters = { type: 'object', properties: { a: { type: 'string', minLength: 1 } } }
    const tool = hostTool('t', { parameters })
    assert.notEqual(strictToolSchema(tool), undefined)
    assert.deepEqual(toolWireSchema(tool), parameters)
    assert.deepEqual(parameters, { type: 'object', properties: { a: { type: 'string', minLength: 1 } } })
  })
})
