// What providers are told of tools, and calls put together from what they stream.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { assembleToolCallDeltas, isZodSchema, normalizeTools, toolWireSchema, zodToWireSchema } from '../../src/js/index.js'

test('zod is known by what it can do', () => {
  const schema = z.object({ a: z.string() })
  assert.equal(isZodSchema(schema), true)
  for (const other of [JSON.parse(JSON.stringify(schema)), {}, null, 'x']) assert.equal(isZodSchema(other), false)
  assert.throws(() => zodToWireSchema({}), { code: 'invalid_arguments' })
})

test('the wire form of zod asks for what has no default', () => {
  const wire = zodToWireSchema(z.object({ a: z.int().default(1), b: z.string().transform(Number), c: z.unknown() }))
  assert.equal(wire.$schema, undefined)
  assert.deepEqual(wire.properties.b, { type: 'string' })
  assert.deepEqual(wire.properties.a, { type: 'integer', default: 1 })
  assert.ok(!wire.required.includes('a'))
})

test('the wire form is made once for a schema and cannot be changed', () => {
  const tool = { parameters: { type: 'object' } }
  assert.equal(toolWireSchema(tool), toolWireSchema({ ...tool }))
  assert.deepEqual(toolWireSchema(tool), { type: 'object', properties: {} })
  assert.throws(() => { toolWireSchema(tool).properties.x = 1 }, TypeError)
})

test('a union at the root is flattened for a provider', () => {
  const form = (key) => ({ type: 'object', properties: { [key]: { type: 'string' } }, required: [key] })
  const tool = { parameters: { anyOf: [form('a'), form('b')] } }
  assert.ok(toolWireSchema(tool).anyOf)
  assert.deepEqual(toolWireSchema(tool, { provider: 'anthropic' }), { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } } })
})

test('accessors on classes are read and private fields stay behind', () => {
  class Tool {
    name = 'edit'
    label = 'Edit'
    session = { secret: 1 }
    mode = 'patch'
    get description() { return `in ${this.mode}` }
    get customWireName() { return this.mode === 'patch' ? 'apply_patch' : undefined }
    get parameters() { return { type: 'object' } }
    execute() {}
  }
  const tool = new Tool()
  assert.deepEqual(Object.keys(normalizeTools([tool], false)[0]), ['name', 'description', 'parameters', 'customWireName'])
  tool.mode = 'replace'
  assert.deepEqual(Object.keys(normalizeTools([tool], false)[0]), ['name', 'description', 'parameters'])
  assert.equal(normalizeTools(undefined, true), undefined)
})

test('pieces go to the call they belong to', () => {
  const args = (deltas) => assembleToolCallDeltas(deltas).map((call) => call.arguments)
  assert.deepEqual(args([[0, '{"path":'], [1, '{"path":'], [0, '"a"}'], [1, '"b"}']]), [{ path: 'a' }, { path: 'b' }])
  assert.deepEqual(args([{ id: 'x', arguments: '{"a"' }, { id: 'y', arguments: '{}' }, { id: 'x', arguments: ':1}' }]), [{ a: 1 }, {}])
  const nested = [{ index: 0, id: 'x', function: { name: 'read', arguments: '' } }, { index: 0, function: { arguments: '{"p":1}' } }]
  assert.deepEqual(assembleToolCallDeltas(nested), [{ type: 'toolCall', id: 'x', name: 'read', arguments: { p: 1 } }])
})

test('another id under the same index is another call', () => {
  const calls = assembleToolCallDeltas([{ index: 0, id: 'x', arguments: '{}' }, { index: 0, id: 'y', arguments: '{"a":1}' }])
  assert.deepEqual(calls.map(({ id, arguments: args }) => [id, args]), [['x', {}], ['y', { a: 1 }]])
})

test('a call that was cut off is marked and has no arguments', () => {
  const [call] = assembleToolCallDeltas([[0, '{"path":"f.md","content":"# Title\\nhalf']])
  assert.deepEqual([call.incompleteArguments, call.arguments], [true, {}])
})
