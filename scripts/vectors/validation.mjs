// Vectors of arguments: judged and repaired values, the intent field, older drafts of JSON Schema.

import { z } from 'zod'
import * as core from '../../src/js/index.js'
import { exactFaults, listFaults } from './compare.mjs'

export const validationKinds = { validation, intent, schema_upgrade: schemaUpgrade }

/** A zod schema as a vector writes it. */
function zodSchema(source) {
  return new Function('z', `return ${source}`)(z)
}

function toolOf({ schema, zodSource, rawArgumentValidation, intent }) {
  const tool = { name: 'tool', label: 'Tool', parameters: zodSource ? zodSchema(zodSource) : schema }
  if (rawArgumentValidation !== undefined) tool.rawArgumentValidation = () => rawArgumentValidation ?? undefined
  if (intent) tool.intent = intent
  return tool
}

/** `expected`, where there is one, replaces the recorded `accepted` or `rejected`. */
function validation(one) {
  const { accepted, rejected } = one.expected ?? one
  const tool = toolOf(one)
  const before = JSON.stringify(one.args)
  const wire = one.wireSchema ? exactJson(typesAsList(one.wireSchema), core.toolWireSchema(tool), 'wire schema') : []
  return [
    ...wire,
    ...(rejected ? refusalFaults(tool, one.args, rejected) : exactJson(accepted, core.validateToolArguments(tool, callOf(one.args)), 'accepted')),
    ...listFaults(before, JSON.stringify(one.args), "the caller's object"),
  ]
}

/** Since the vectors were recorded, zod writes a union of plain types as a list of types. */
function typesAsList(schema) {
  if (typeof schema !== 'object' || schema === null) return schema
  if (Array.isArray(schema)) return schema.map(typesAsList)
  if (schema.anyOf?.every((form) => Object.keys(form).join() === 'type')) return { type: schema.anyOf.map(({ type }) => type) }
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, typesAsList(value)]))
}

function refusalFaults(tool, args, rejected) {
  try {
    return [{ where: 'the call', expected: 'a refusal', actual: core.validateToolArguments(tool, callOf(args)) }]
  } catch (error) {
    if (!(error instanceof core.ToolArgumentError)) throw error
    return listFaults(rejected, error.issues.map(({ path }) => path.join('/') || 'root'), 'issues')
  }
}

function callOf(args) {
  return { type: 'toolCall', id: 'c', name: 'tool', arguments: args }
}

/** Equal as JSON, null and absent being two things. */
function exactJson(expected, actual, where) {
  const sorted = (value) =>
    JSON.stringify(value, (_, part) =>
      part && typeof part === 'object' && !Array.isArray(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
    )
  return listFaults(JSON.parse(sorted(expected)), JSON.parse(sorted(actual)), where)
}

/** Compared are the parameters; of the field its type alone. */
function intent(one) {
  const { parameters, propertyOrder, description } = { ...one, ...one.expected }
  const tool = toolOf(one)
  const before = process.env.PI_NO_INTENT
  Object.assign(process.env, one.env)
  try {
    const [told] = core.normalizeTools([tool], one.tracing)
    if (parameters === 'unchanged zod schema') return told.parameters === tool.parameters ? [] : [{ where: 'parameters', message: 'changed' }]
    return [
      ...exactJson(parameters, withoutText(told.parameters), 'parameters'),
      ...(propertyOrder ? listFaults(propertyOrder, Object.keys(told.parameters.properties), 'order') : []),
      ...exactFaults(description, description === undefined ? undefined : told.description, 'description'),
    ]
  } finally {
    if (before === undefined) delete process.env.PI_NO_INTENT
    else process.env.PI_NO_INTENT = before
  }
}

function withoutText(parameters) {
  const copy = structuredClone(parameters)
  delete copy.properties?.[core.INTENT_FIELD]?.description
  return copy
}

function schemaUpgrade({ schema, expected, changed }) {
  const upgraded = core.upgradeJsonSchemaTo202012(schema)
  return [...exactJson(expected, upgraded, 'schema'), ...exactFaults(changed, upgraded !== schema, 'changed')]
}
