// The intent field: in front of what a model is told, gone before a tool sees its arguments.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { INTENT_FIELD, normalizeTools, prepareToolArguments } from '../../src/js/index.js'

const parameters = { type: 'object', properties: { p: { type: 'string' } }, required: ['p'], additionalProperties: false }
const prepare = (args, more, intentTracing = true) =>
  prepareToolArguments({ name: 't', description: '', parameters, ...more }, { arguments: args }, { intentTracing })

test('the field is taken out and its words are the intent', () => {
  const args = { [INTENT_FIELD]: '  to look  ', p: 'x' }
  assert.deepEqual(prepare(args), { arguments: { p: 'x' }, intent: 'to look', repairs: [] })
  assert.equal(args[INTENT_FIELD], '  to look  ')
  assert.equal(prepare({ [INTENT_FIELD]: 'why', p: 'x' }, { intent: 'omit' }).intent, 'why')
})

test('a function says it where the model did not', () => {
  const intent = (args) => ` reading ${args.p} `
  assert.equal(prepare({ p: 'x' }, { intent }).intent, 'reading x')
  assert.equal(prepare({ [INTENT_FIELD]: ' ', p: 'x' }, { intent }).intent, 'reading x')
  assert.equal(prepare({ [INTENT_FIELD]: 'own', p: 'x' }, { intent }).intent, 'own')
  for (const silent of [() => '', () => 5, () => { throw new Error('no') }]) assert.equal(prepare({ p: 'x' }, { intent: silent }).intent, undefined)
})

test('without tracing it is a key like any other', () => {
  const { intent, repairs } = prepare({ [INTENT_FIELD]: 'why', p: 'x' }, {}, false)
  assert.equal(intent, undefined)
  assert.deepEqual(repairs[0].path, [INTENT_FIELD])
})

test('arguments as text have an intent too, and a refusal keeps it', () => {
  assert.equal(prepare(`{"${INTENT_FIELD}":"why","p":"x"}`).intent, 'why')
  assert.throws(() => prepare({ [INTENT_FIELD]: 'why' }), { intent: 'why', original: {} })
})

test('the field is asked for by policy', () => {
  const told = (intent) => normalizeTools([{ name: 't', label: 'T', description: 'd', parameters, intent, execute() {} }], true)[0]
  assert.deepEqual(told(undefined).parameters.required, ['p', INTENT_FIELD])
  assert.deepEqual(told('optional').parameters.required, ['p'])
  assert.equal(Object.keys(told('optional').parameters.properties)[0], INTENT_FIELD)
  for (const intent of ['omit', () => 'x']) assert.equal(told(intent).parameters, parameters)
})
