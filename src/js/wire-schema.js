// Tools as providers take them, and calls as providers stream them.

import { invalidArgument } from './errors.js'
import { intentPolicy } from './intent.js'
import { isZodSchema, toolSchema } from './schemas.js'
import { describe } from './session.js'

export { isZodSchema } from './schemas.js'

/** @typedef {import('../../index.d.ts').Tool} Tool */
/** @typedef {import('../../index.d.ts').JsonSchema} JsonSchema */

/**
 * The JSON Schema that a model is given for a tool: draft 2020-12, an object at the root. For a named provider the root
 * is no union either; calls are judged by the schema as it was written.
 * @param {Pick<Tool, 'parameters'>} tool
 * @param {{ provider?: string }} [options]
 * @returns {JsonSchema}
 */
export function toolWireSchema(tool, { provider } = {}) {
  if (provider !== undefined && typeof provider !== 'string') throw invalidArgument('options.provider', `expected a text, got ${describe(provider)}`)
  return toolSchema(tool).wire(provider !== undefined)
}

/**
 * The JSON Schema of a tool in the form that providers enforce while the model writes; nothing where it has none.
 * @param {Pick<Tool, 'parameters'>} tool
 * @returns {JsonSchema | undefined}
 */
export function strictToolSchema(tool) {
  return toolSchema(tool).strict
}

/**
 * The wire form of a zod 4 schema.
 * @param {any} schema
 * @returns {JsonSchema}
 */
export function zodToWireSchema(schema) {
  if (!isZodSchema(schema)) throw invalidArgument('schema', `expected a zod 4 schema, got ${describe(schema)}`)
  return toolSchema({ parameters: schema }).wire(false)
}

/** What a provider is told beside name, description and parameters. */
const wireFields = /** @type {const} */ (['strict', 'customFormat', 'customWireName'])

/**
 * What models are told of tools, with the intent field where it is wanted. Accessors are read; nothing else of a tool
 * goes along.
 * @param {Iterable<import('../../index.d.ts').AgentTool<any, any, any>> | undefined} tools
 * @param {boolean} injectIntent
 * @returns {Tool[] | undefined}
 */
export function normalizeTools(tools, injectIntent) {
  if (tools === undefined) return undefined
  const isOn = injectIntent && process.env.PI_NO_INTENT !== '1'
  return Array.from(tools, (tool) => normalized(tool, isOn))
}

/**
 * @param {any} tool
 * @param {boolean} injectIntent
 * @returns {Tool}
 */
function normalized(tool, injectIntent) {
  const policy = injectIntent ? intentPolicy(tool) : 'omit'
  const schema = toolSchema(tool)
  const parameters = policy === 'omit' ? schema.parameters : schema.withIntent(policy === 'require')
  /** @type {any} */
  const told = { name: tool.name, description: tool.description ?? '', parameters }
  for (const field of wireFields) {
    const value = tool[field]
    if (value !== undefined) told[field] = value
  }
  return told
}

/**
 * One call being put together.
 * @typedef {{ id?: string, name?: string, text: string, whole?: Record<string, unknown> }} Draft
 */

/**
 * Calls from their streamed pieces, in the order in which they began. Each piece belongs to the call of its index, else
 * of its id, else to the last one. A call whose arguments did not end is marked `incompleteArguments` and has none.
 * @param {Iterable<import('../../index.d.ts').ToolCallDelta>} deltas
 * @returns {import('../../index.d.ts').ToolCall[]}
 */
export function assembleToolCallDeltas(deltas) {
  /** @type {Draft[]} */
  const drafts = []
  /** @type {Map<unknown, Draft>} */
  const byKey = new Map()
  for (const delta of deltas) {
    const piece = pieceOf(delta)
    const draft = draftOf(piece, drafts, byKey)
    draft.id ??= piece.id
    draft.name ??= piece.name
    if (typeof piece.arguments === 'string') draft.text += piece.arguments
    else if (typeof piece.arguments === 'object' && piece.arguments !== null) draft.whole = piece.arguments
  }
  return drafts.map(finished)
}

/**
 * A piece in our form: `[index, text]`, flat fields, or the name and arguments below `function`.
 * @param {any} delta
 */
function pieceOf(delta) {
  if (Array.isArray(delta)) return { index: delta[0], arguments: delta[1] }
  if (typeof delta !== 'object' || delta === null) throw invalidArgument('deltas', `expected pieces of calls, got ${describe(delta)}`)
  const { index, id, name = delta.function?.name, arguments: text = delta.function?.arguments } = delta
  return { index, id: id || undefined, name: name || undefined, arguments: text }
}

/**
 * @param {{ index?: number, id?: string }} piece
 * @param {Draft[]} drafts
 * @param {Map<unknown, Draft>} byKey
 */
function draftOf({ index, id }, drafts, byKey) {
  const key = index ?? id
  const there = key === undefined ? drafts.at(-1) : byKey.get(key)
  // Some servers give every call the same index: another id is another call.
  if (there && (id === undefined || there.id === undefined || there.id === id)) return there
  const begun = (id !== undefined && drafts.find((draft) => draft.id === id)) || { text: '' }
  if (!drafts.includes(begun)) drafts.push(begun)
  byKey.set(key, begun)
  return begun
}

/**
 * @param {Draft} draft
 * @param {number} index
 * @returns {import('../../index.d.ts').ToolCall}
 */
function finished({ id, name, text, whole }, index) {
  const call = { type: /** @type {const} */ ('toolCall'), id: id ?? `call_${index}`, name: name ?? '' }
  if (whole || text.trim() === '') return { ...call, arguments: whole ?? {} }
  try {
    return { ...call, arguments: JSON.parse(text) ?? {} }
  } catch {
    return { ...call, arguments: {}, incompleteArguments: true }
  }
}
