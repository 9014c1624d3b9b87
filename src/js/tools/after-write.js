// The host's part after a file was written: formatters, diagnostics, caches. It comes after the write, so whatever it does
// or fails to do, the write stands. What it does to the file is no change by somebody else: the session's memory follows.

import native from '../native.cjs'
import { callContext, describe, sessionState } from '../session.js'
import { renderError } from '../errors.js'

/** @typedef {import('../../../index.d.ts').ToolSession} ToolSession */
/** @typedef {import('../../../index.d.ts').AfterWriteDiagnostics} AfterWriteDiagnostics */
/** @typedef {import('../binding.d.ts').NativeOutcome} NativeOutcome */
/** @typedef {import('../turns.js').Turn} Turn */
/** @typedef {{ toolName: string, paths: string[], turn: Turn }} Write */

/** How long a result waits for the host, in milliseconds, unless the session says otherwise. */
const patience = 5000

/**
 * What came too late for its own result, and writes with which the host is still busy.
 * @typedef {{ diagnostics: AfterWriteDiagnostics[], changes: NativeOutcome[], unsettled: Set<Write> }} Late
 */
/** @type {WeakMap<ToolSession, Late>} */
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
 * What is special about a tool that writes: it calls the session's `afterWrite`, and tells what that says and did.
 * @param {string} toolName
 * @param {ToolSession} session
 * @returns {import('./native-tool.js').Special}
 */
export function afterWrites(toolName, session) {
  return {
    complete: (context) => (late.get(session)?.unsettled.size ? lookAtUnsettled(session).then(() => context) : context),
    finish: async (result, { toolCallId, turn, batch }) => {
      const files = written.get(result)
      if (typeof session.afterWrite !== 'function' || !files) return withLate(session, result)
      const event = { toolName, toolCallId, files: files.map(({ path, from, op }) => ({ path, op, ...(from && { from }) })), ...(batch && { batch }) }
      const write = { toolName, paths: files.filter(({ op }) => op !== 'delete').map(({ path }) => path), turn }
      const diagnostics = await withinPatience(session, event, write)
      if (diagnostics) tellDiagnostics(result, diagnostics)
      tellChanges(result, await changesOf(session, write))
      return withLate(session, result)
    },
  }
}

/**
 * The host's answer, if it comes in time. Later it waits for the next result of the session.
 * @param {ToolSession} session
 * @param {import('../../../index.d.ts').AfterWriteEvent} event
 * @param {Write} write
 */
async function withinPatience(session, event, write) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer
  const timeout = new Promise((resolve) => {
    timer = setTimeout(resolve, session.afterWriteTimeoutMs ?? patience, overdue)
  })
  const answer = ask(session, event)
  const first = await Promise.race([answer, timeout])
  clearTimeout(timer)
  if (first !== overdue) return first
  const { diagnostics, changes, unsettled } = lateOf(session)
  unsettled.add(write)
  void answer.then(async (told) => {
    if (told) diagnostics.push(told)
    const change = await changesOf(session, write)
    if (change) changes.push(change)
    unsettled.delete(write)
  })
  return { summary: 'Diagnostics are not there yet; they come with the next result.', messages: [] }
}

const overdue = Symbol('overdue')

/** @param {ToolSession} session */
function lateOf(session) {
  const known = late.get(session) ?? { diagnostics: [], changes: [], unsettled: new Set() }
  late.set(session, known)
  return known
}

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
 * What the host made of the files of a write; nothing where they are as they were written, or cannot be looked at.
 * @param {ToolSession} session
 * @param {Write} write
 * @returns {Promise<NativeOutcome | undefined>}
 */
async function changesOf(session, { toolName, paths, turn }) {
  if (paths.length === 0) return undefined
  try {
    const context = JSON.stringify({ ...callContext(session, toolName), turn })
    const outcome = await native.afterWrite(JSON.stringify({ paths }), context, sessionState(session))
    return outcome.text === '' ? undefined : outcome
  } catch {
    // The write stands; whoever edits the file next is told that it is another one.
    return undefined
  }
}

/**
 * The host is still busy with these files: what became of them so far is its work, not that of somebody else.
 * @param {ToolSession} session
 */
async function lookAtUnsettled(session) {
  const { changes, unsettled } = lateOf(session)
  for (const write of [...unsettled]) {
    const change = await changesOf(session, write)
    if (change) changes.push(change)
  }
}

/**
 * @param {any} result
 * @param {AfterWriteDiagnostics} diagnostics
 */
function tellDiagnostics(result, diagnostics) {
  result.details.diagnostics = diagnostics
  result.details.meta = { ...result.details.meta, diagnostics }
}

/**
 * @param {any} result
 * @param {NativeOutcome | undefined} changes
 */
function tellChanges({ content, details }, changes) {
  if (!changes) return
  const { formatted, notices } = JSON.parse(changes.details)
  content.push({ type: 'text', text: changes.text })
  details.formatted = [...(details.formatted ?? []), ...formatted]
  details.notices = [...(details.notices ?? []), ...notices]
}

/**
 * @param {ToolSession} session
 * @param {any} result
 */
function withLate(session, result) {
  const waiting = late.get(session)
  if (!waiting) return result
  const diagnostics = waiting.diagnostics.splice(0)
  const text = diagnostics.flatMap(({ summary, messages }) => [summary, ...messages]).filter((line) => line !== '').join('\n')
  if (text !== '') result.content.push({ type: 'text', text: `Diagnostics of an earlier change:\n${text}` })
  if (diagnostics.length > 0) result.details.lateDiagnostics = diagnostics
  for (const changes of waiting.changes.splice(0)) tellChanges(result, changes)
  return result
}
