// Arguments of a call, judged and where their meaning is clear repaired. The rules are the engine's; schemas of a library
// are judged by that library.

import { callNativeSync, invalidArgument, ToolError } from './errors.js'
import { stripIntent } from './intent.js'
import native from './native.cjs'
import { toolSchema, unsupported } from './schemas.js'

/** @typedef {import('../../index.d.ts').JsonSchemaValidationIssue} Issue */
/** @typedef {import('../../index.d.ts').ArgumentRepair} Repair */
/** @typedef {{ issues: Issue[], repairs: Repair[], value: any }} Judged */

/** Issues that a message tells, and characters of what was sent. */
const MOST_TOLD = 12
const MOST_ECHOED = 600

/** Arguments were refused; nothing ran. */
export class ToolArgumentError extends ToolError {
  /**
   * @param {string} message
   * @param {{ issues: Issue[], original: unknown, normalized?: unknown, intent?: string, rejection?: string }} facts
   * @param {ErrorOptions} [options]
   */
  constructor(message, { issues, original, normalized, intent, rejection }, options) {
    const told = issues.map(({ path, message }) => ({ path: dotted(path), message }))
    super(message, { code: 'invalid_arguments', issues: told, ...(rejection !== undefined && { rejection }) }, options)
    this.issues = issues
    this.original = original
    if (normalized !== undefined) this.normalized = normalized
    if (intent !== undefined) this.intent = intent
  }
}

/**
 * The arguments of a call as its tool takes them, with what was said of it and what was repaired.
 * @param {any} tool
 * @param {any} toolCall
 * @param {{ intentTracing?: boolean }} [options]
 * @returns {{ arguments: any, intent: string | undefined, repairs: Repair[] }}
 */
export function prepareToolArguments(tool, toolCall, { intentTracing = false } = {}) {
  const schema = toolSchema(tool)
  // Some providers send nothing where there is nothing to say.
  const sent = toolCall?.arguments ?? (toolCall?.arguments === null ? null : {})
  const { arguments: original, intent } = intentTracing ? stripIntent(tool, asObject(sent)) : { arguments: sent, intent: undefined }
  const raw = afterRawValidation(tool, original, intent)
  const { issues, repairs, value } = judge(schema, raw)
  if (issues.length === 0) return { arguments: value, intent, repairs }
  const normalized = repairs.length > 0 ? value : undefined
  throw new ToolArgumentError(report(tool.name, issues, original), { issues, original, normalized, intent })
}

/**
 * Whole arguments that arrived as JSON text, so that the intent in them is seen.
 * @param {unknown} sent
 */
function asObject(sent) {
  if (typeof sent !== 'string' || !sent.trimStart().startsWith('{')) return sent
  try {
    return JSON.parse(sent)
  } catch {
    return sent
  }
}

/**
 * The arguments of a call, repaired where needed; the call's own object where nothing had to change.
 * @param {any} tool
 * @param {any} toolCall
 * @returns {any}
 */
export function validateToolArguments(tool, toolCall) {
  return prepareToolArguments(tool, toolCall).arguments
}

/**
 * The same for the tool that the call names.
 * @param {Iterable<any>} tools
 * @param {any} toolCall
 * @returns {any}
 */
export function validateToolCall(tools, toolCall) {
  const all = [...tools]
  const named = all.find(({ name }) => name === toolCall.name) ?? all.find(({ customWireName }) => customWireName !== undefined && customWireName === toolCall.name)
  if (!named) throw new ToolError(`Unknown tool name: \`${toolCall.name}\``, { code: 'unknown_tool', names: [toolCall.name] })
  return validateToolArguments(named, toolCall)
}

/**
 * What does not fit a schema.
 * @param {any} schema
 * @param {unknown} value
 * @returns {{ success: boolean, issues: Issue[] }}
 */
export function validateJsonSchemaValue(schema, value) {
  const { handle } = toolSchema({ parameters: schema })
  const verdict = callNativeSync(() => handle.check(textOf(value)))
  const issues = verdict === null ? [] : parsed(verdict, value).issues
  return { success: verdict === null, issues }
}

/**
 * @param {any} schema
 * @param {unknown} value
 */
export function isJsonSchemaValueValid(schema, value) {
  return validateJsonSchemaValue(schema, value).success
}

/**
 * A schema in draft 2020-12; the same object where nothing had to change.
 * @param {any} schema
 * @returns {any}
 */
export function upgradeJsonSchemaTo202012(schema) {
  if (typeof schema !== 'object' || schema === null) return schema
  const upgraded = callNativeSync(() => native.upgradeSchema(JSON.stringify(schema)))
  return upgraded === null ? schema : JSON.parse(upgraded)
}

/**
 * The tool's own look at the arguments, which it may refuse or replace.
 * @param {any} tool
 * @param {any} original
 * @param {string | undefined} intent
 */
function afterRawValidation(tool, original, intent) {
  if (typeof tool.rawArgumentValidation !== 'function') return original
  const result = tool.rawArgumentValidation(structuredClone(original))
  if (result === undefined || result === null || result.outcome === 'passthrough') return original
  if (result.outcome === 'accept') return result.arguments
  if (result.outcome !== 'reject') throw unknownOutcome(result)
  const code = result.code === undefined ? '' : ` (${result.code})`
  const message = `The tool \`${tool.name}\` refused its arguments${code}.\n${echo(original)}`
  throw new ToolArgumentError(message, { issues: [], original, intent, rejection: result.code })
}

/**
 * A look whose answer nobody understands, or that answers later, must not let pass what it was to refuse.
 * @param {any} result
 */
function unknownOutcome(result) {
  if (typeof result.then !== 'function') return invalidArgument('tool.rawArgumentValidation', 'answered neither passthrough, accept nor reject')
  Promise.resolve(result).catch(() => {})
  return unsupported('a `rawArgumentValidation` that answers asynchronously')
}

/**
 * @param {import('./schemas.js').ToolSchema} schema
 * @param {any} value
 * @returns {Judged}
 */
function judge(schema, value) {
  if (schema.kind === 'json') return repaired(schema, value)
  const parse = schema.kind === 'zod' ? parseZod : parseStandard
  const first = parse(schema.parameters, value)
  if (first.issues.length === 0) return first
  const { repairs, value: mended } = repaired(schema, value)
  if (repairs.length === 0) return first
  const second = parse(schema.parameters, mended)
  return { ...second, repairs: [...repairs, ...second.repairs] }
}

/**
 * @param {import('./schemas.js').ToolSchema} schema
 * @param {any} value
 * @returns {Judged}
 */
function repaired({ handle }, value) {
  const verdict = callNativeSync(() => handle.repair(textOf(value)))
  if (verdict === null) return { issues: [], repairs: [], value }
  const { issues, repairs } = parsed(verdict, value)
  return { issues, repairs, value: withRepairs(value, repairs) }
}

/**
 * A value as JSON text. Half a surrogate pair has no UTF-8: a private character stands for it in the engine, U+10F800 for
 * U+D800 and so on.
 * @param {unknown} value
 */
function textOf(value) {
  const standIn = (/** @type {string} */ half) => String.fromCodePoint(half.charCodeAt(0) + 0x10f800 - 0xd800)
  const wellFormed = (/** @type {string} */ _, /** @type {unknown} */ part) => (typeof part === 'string' ? part.replace(/[\uD800-\uDFFF]/gu, standIn) : part)
  let text
  try {
    text = JSON.stringify(value)
    if (text?.includes('\\ud')) text = JSON.stringify(value, wellFormed)
  } catch (cause) {
    throw unwritable(String(cause), cause)
  }
  // Without a value there is nothing, which JSON writes as null.
  return text ?? 'null'
}

/**
 * What the engine answered, with halves of surrogate pairs where characters stand for them.
 * @param {string} answer
 * @param {unknown} value what was sent
 */
function parsed(answer, value) {
  const standIns = /[\u{10F800}-\u{10FFFF}]/gu
  if (answer.search(standIns) === -1) return JSON.parse(answer)
  const sent = JSON.stringify(value)
  if (sent.search(standIns) === -1) {
    return JSON.parse(answer.replace(standIns, (character) => `\\u${(/** @type {number} */ (character.codePointAt(0)) - 0x10f800 + 0xd800).toString(16)}`))
  }
  if (/\\ud[89a-f]/i.test(sent)) throw unwritable('they hold halves of surrogate pairs beside private characters that would stand for them')
  return JSON.parse(answer)
}

/**
 * @param {string} message
 * @param {unknown} [cause]
 */
function unwritable(message, cause) {
  return new ToolError('Invalid arguments: they cannot be written as JSON', { code: 'invalid_arguments', issues: [{ path: '', message }] }, { cause })
}

/**
 * The value with changes made to copies of what they touch.
 * @param {any} value
 * @param {Repair[]} repairs
 */
function withRepairs(value, repairs) {
  const root = { value }
  const ours = new Set([root])
  for (const repair of repairs) {
    const { path } = repair
    let parent = /** @type {any} */ (root)
    let key = /** @type {PropertyKey} */ ('value')
    for (const step of path) {
      const child = parent[key]
      const own = ours.has(child) ? child : Array.isArray(child) ? [...child] : { ...child }
      ours.add(own)
      put(parent, key, own)
      parent = own
      key = step
    }
    if (repair.action === 'removed') delete parent[key]
    else put(parent, key, repair.value)
  }
  return root.value
}

/**
 * Sets an own property, also one called `__proto__`.
 * @param {any} object
 * @param {PropertyKey} key
 * @param {unknown} value
 */
function put(object, key, value) {
  Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
}

/**
 * Keys at the root that zod leaves out stay, unless the schema is strict; then it refuses them.
 * @param {any} schema
 * @param {any} value
 * @returns {Judged}
 */
function parseZod(schema, value) {
  const { success, data, error } = immediate(() => schema.safeParse(value))
  if (!success) return { issues: error.issues.map(foreignIssue), repairs: [], value }
  const isOverlay = isPlain(value) && isPlain(data)
  return { issues: [], repairs: isOverlay ? lost(value, data) : [], value: isOverlay ? { ...value, ...data } : data }
}

/**
 * @param {any} schema
 * @param {any} value
 * @returns {Judged}
 */
function parseStandard(schema, value) {
  const result = immediate(() => schema['~standard'].validate(value))
  if (result instanceof Promise) {
    result.catch(() => {})
    throw unsupported('schemas that judge asynchronously')
  }
  if (result.issues) return { issues: result.issues.map(foreignIssue), repairs: [], value }
  return { issues: [], repairs: [], value: result.value }
}

/**
 * @template T
 * @param {() => T} parse
 * @returns {T}
 */
function immediate(parse) {
  try {
    return parse()
  } catch (error) {
    if (/** @type {any} */ (error)?.constructor?.name === '$ZodAsyncError') throw unsupported('schemas that judge asynchronously')
    throw error
  }
}

/**
 * A fault as a library tells it.
 * @param {any} issue
 * @returns {Issue}
 */
function foreignIssue({ path = [], message, code, expected }) {
  const steps = path.map((/** @type {any} */ step) => (typeof step === 'object' ? step.key : step))
  const issue = /** @type {Issue} */ ({ path: steps, message: capped(String(message), 300) })
  if (typeof code === 'string') issue.keyword = code
  if (typeof expected === 'string') issue.expectedTypes = [expected]
  return issue
}

/**
 * What a parser left out below the root, as repairs: nothing goes away unsaid.
 * @param {any} before
 * @param {any} after
 * @returns {Repair[]}
 */
function lost(before, after) {
  /** @type {Repair[]} */
  const repairs = []
  const compare = (/** @type {any} */ before, /** @type {any} */ after, /** @type {(string | number)[]} */ path) => {
    if (before === after) return
    if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
      before.forEach((item, index) => compare(item, after[index], [...path, index]))
    } else if (isPlain(before) && isPlain(after)) {
      for (const [key, value] of Object.entries(before)) {
        if (Object.hasOwn(after, key)) compare(value, after[key], [...path, key])
        else if (path.length > 0) repairs.push({ path: [...path, key], action: 'removed', removed: value })
      }
    }
  }
  compare(before, after, [])
  return repairs
}

/** @param {any} value */
function isPlain(value) {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/**
 * What a model is told of refused arguments.
 * @param {string} name
 * @param {Issue[]} issues
 * @param {unknown} original
 */
function report(name, issues, original) {
  const told = issues.slice(0, MOST_TOLD).map(({ path, message }) => `- ${path.length === 0 ? 'the arguments' : `\`${dotted(path)}\``}: ${message}`)
  const more = issues.length > MOST_TOLD ? [`- and ${issues.length - MOST_TOLD} more`] : []
  return [`Invalid arguments for \`${name}\`; nothing was run.`, ...told, ...more, echo(original)].join('\n')
}

/** @param {unknown} original */
function echo(original) {
  return `Received: ${capped(textOf(original), MOST_ECHOED)}`
}

/**
 * @param {string} text
 * @param {number} most
 */
function capped(text, most) {
  if (text.length <= most) return text
  return `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')}… (${text.length} characters)`
}

/** @param {readonly PropertyKey[]} path */
function dotted(path) {
  return path.map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index === 0 ? '' : '.'}${String(step)}`)).join('')
}
