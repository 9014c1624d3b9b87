// A tool object over a native executor: plain own fields, so that spreading or proxying it loses nothing.

import native from '../native.cjs'
import { invalidArgument } from '../errors.js'
import { toJson } from '../json.js'
import { noteWritten } from './after-write.js'
import { callContext, checkSession, describe, sessionState } from '../session.js'
import { callNative } from '../signal.js'
import { specOf } from '../specs.js'
import { inTurn } from '../turns.js'

/** @typedef {import('../../../index.d.ts').ToolSession} ToolSession */
/** @typedef {(context: Record<string, any>, params: any, signal: AbortSignal | undefined) => Record<string, any> | Promise<Record<string, any>>} Complete */
/** @typedef {(result: any, call: { toolCallId: string, turn: import('../turns.js').Turn, batch?: { id: string, isLast: boolean } }) => any} Finish */
/**
 * What is special about a tool.
 * @typedef {object} Special
 * @property {Complete} [complete] adds to the context what the tool needs
 * @property {Finish} [finish] has the last word on a result
 * @property {string} [group] the settings it reads
 */
/** @typedef {import('../binding.d.ts').NativeOutcome} NativeOutcome */
/** @typedef {(arguments_: string, context: string, handle?: import('../binding.d.ts').CancelHandle, state?: import('../binding.d.ts').SessionState, onUpdate?: (partial: NativeOutcome) => void) => Promise<NativeOutcome>} Executor */

/** Names to JSON text, so that every tool has its own copy. @type {Map<string, string>} */
const identities = new Map()

/**
 * Gives `tool` the identity and texts of a name, and an `execute` that runs the executor.
 * @param {any} tool
 * @param {string} name
 * @param {ToolSession} session
 * @param {Executor} executor
 * @param {Special} [special]
 */
export function defineNativeTool(tool, name, session, executor, { complete = (context) => context, finish = (result) => result, group = name } = {}) {
  checkSession(session)
  Object.assign(tool, toolIdentity(name))
  // An own property that closes over the session: it needs no `this`, so a copy of the tool still works.
  tool.execute = async (
    /** @type {string} */ toolCallId,
    /** @type {unknown} */ params,
    /** @type {AbortSignal | undefined} */ signal,
    /** @type {import('../../../index.d.ts').AgentToolUpdateCallback | undefined} */ onUpdate,
    /** @type {unknown} */ toolContext,
  ) => {
    if (typeof params !== 'object' || params === null || Array.isArray(params)) {
      throw invalidArgument('params', `expected an object, got ${describe(params)}`)
    }
    const arguments_ = toJson(params, 'params')
    return inTurn(session, toolCallId, toolContext, async (turn, batch) => {
      const completed = complete({ ...callContext(session, group), turn }, params, signal)
      // Nothing is awaited where nothing has to be.
      const context = JSON.stringify(completed instanceof Promise ? await completed : completed)
      const state = sessionState(session)
      const updates = typeof onUpdate === 'function' ? updatesTo(onUpdate) : undefined
      try {
        const outcome = await callNative(signal, (handle) => executor(arguments_, context, handle, state, updates?.tell))
        return finish(toResult(outcome), { toolCallId, turn, batch })
      } finally {
        updates?.end()
      }
    })
  }
}

/**
 * A native outcome as a result.
 * @param {NativeOutcome} outcome
 */
export function toResult({ text, details, display = text, isError, images = [], files }) {
  const pictures = images.map(({ mimeType, data }) => ({ type: /** @type {const} */ ('image'), data, mimeType }))
  const facts = withDisplay(JSON.parse(details), display)
  const result = { content: [{ type: /** @type {const} */ ('text'), text }, ...pictures], details: facts, ...(isError && { isError }) }
  if (files) defineTexts(result, files)
  return result
}

/**
 * Puts the text for interfaces in its place. It crosses as it is: as JSON it would take longer than the call.
 * @param {any} details
 * @param {string} display
 */
function withDisplay(details, display) {
  if (details.displayContent === null) details.displayContent = display
  else if (details.displayContent?.text === null) details.displayContent.text = display
  return details
}

/**
 * The texts of written files before and after the call: read from the engine when asked for, so no part of copies or JSON.
 * @param {{ details: any }} result
 * @param {import('../binding.d.ts').WrittenFiles} files
 */
function defineTexts(result, files) {
  const list = files.list()
  noteWritten(result, list)
  const { details } = result
  list.forEach(({ hasOld, hasNew }, index) => {
    const target = details.perFileResults?.[index] ?? details
    if (hasOld) Object.defineProperty(target, 'oldText', { get: () => files.oldText(index), configurable: true })
    if (hasNew) Object.defineProperty(target, 'newText', { get: () => files.newText(index), configurable: true })
  })
}

/**
 * Passes on what a running call has, and nothing once it is over. What the host does with it cannot fail the call.
 * @param {import('../../../index.d.ts').AgentToolUpdateCallback} onUpdate
 */
function updatesTo(onUpdate) {
  let over = false
  return {
    tell: (/** @type {NativeOutcome} */ partial) => {
      if (over) return
      try {
        onUpdate(toResult(partial))
      } catch {
        // The call goes on.
      }
    },
    end: () => {
      over = true
    },
  }
}

/**
 * The fields of a tool of this package that are data.
 * @param {string} name
 */
export function toolIdentity(name) {
  let known = identities.get(name)
  if (known === undefined) {
    const { owner, defaultEnabled, summary, ...spec } = /** @type {import('../specs.js').Spec} */ (specOf(name))
    known = JSON.stringify({ ...spec, ...(summary && { summary }), ...JSON.parse(native.toolTexts(name) ?? '{}') })
    identities.set(name, known)
  }
  return JSON.parse(known)
}
