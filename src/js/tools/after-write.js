// The host's part after a file was written: formatters, diagnostics, caches. It comes after the write, so whatever it does
// or fails to do, the write stands.

import { describe } from '../session.js'
import { renderError } from '../errors.js'

/** @typedef {import('../../../index.d.ts').ToolSession} ToolSession */
/** @typedef {import('../../../index.d.ts').AfterWriteDiagnostics} AfterWriteDiagnostics */

/** How long a result waits for the host, in milliseconds, unless the session says otherwise. */
const patience = 5000

/** What came too late for its own result. @type {WeakMap<ToolSession, AfterWriteDiagnostics[]>} */
const late = new WeakMap()

/** What a result wrote, known between the executor and this module alone. @type {WeakMap<object, import('../binding.d.ts').WrittenFile[]>} */
const written = new WeakMap()

/**
 * Notes what a result wrote.
 * @param {object} result
 * @param {import('../binding.d.ts').WrittenFile[]} files
 */
export function noteWritten(result, files) {
  written.set(result, files)
}

/**
 * Makes a tool call the session's `afterWrite` after each write, and tell what it says.
 * @param {any} tool
 * @param {ToolSession} session
 */
export function tellAfterWrites(tool, session) {
  const { execute } = tool
  tool.execute = async (/** @type {any[]} */ ...call) => {
    const result = await execute(...call)
    const files = written.get(result)
    if (typeof session.afterWrite !== 'function' || !files) return withLate(session, result)
    const event = { toolName: tool.name, toolCallId: call[0], files: files.map(({ path, from, op }) => ({ path, op, ...(from && { from }) })) }
    const answer = await withinPatience(session, event)
    return withLate(session, answer ? withDiagnostics(result, answer) : result)
  }
}

/**
 * The host's answer, if it comes in time. Later it waits for the next result of the session.
 * @param {ToolSession} session
 * @param {import('../../../index.d.ts').AfterWriteEvent} event
 */
async function withinPatience(session, event) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer
  const timeout = new Promise((resolve) => {
    timer = setTimeout(resolve, session.afterWriteTimeoutMs ?? patience, overdue)
  })
  const answer = ask(session, event)
  const first = await Promise.race([answer, timeout])
  clearTimeout(timer)
  if (first !== overdue) return first
  void answer.then((diagnostics) => {
    if (diagnostics) late.set(session, [...(late.get(session) ?? []), diagnostics])
  })
  return { summary: 'Diagnostics are not there yet; they come with the next result.', messages: [] }
}

const overdue = Symbol('overdue')

/**
 * Never fails: what the host throws is told as a diagnostic.
 * @param {ToolSession} session
 * @param {import('../../../index.d.ts').AfterWriteEvent} event
 * @returns {Promise<AfterWriteDiagnostics | undefined>}
 */
async function ask(session, event) {
  try {
    const answer = await session.afterWrite?.(event)
    const diagnostics = answer?.diagnostics
    if (diagnostics === undefined || diagnostics === null) return undefined
    const { summary = '', messages = [] } = diagnostics
    if (typeof summary !== 'string' || !Array.isArray(messages)) throw new TypeError(`its diagnostics are ${describe(diagnostics)}`)
    return { summary, messages: messages.map(String) }
  } catch (error) {
    return { summary: `The file was written; what the host does afterwards failed: ${renderError(error)}`, messages: [] }
  }
}

/**
 * @param {any} result
 * @param {AfterWriteDiagnostics} diagnostics
 */
function withDiagnostics(result, diagnostics) {
  result.details.diagnostics = diagnostics
  result.details.meta = { ...result.details.meta, diagnostics }
  return result
}

/**
 * @param {ToolSession} session
 * @param {any} result
 */
function withLate(session, result) {
  const waiting = late.get(session)
  if (!waiting) return result
  late.delete(session)
  const text = waiting.flatMap(({ summary, messages }) => [summary, ...messages]).filter((line) => line !== '').join('\n')
  if (text !== '') result.content.push({ type: 'text', text: `Diagnostics of an earlier change:\n${text}` })
  result.details.lateDiagnostics = waiting
  return result
}
