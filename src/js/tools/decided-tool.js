// A tool with a state of its own: the engine decides on arguments and facts, the session's memory keeps what comes of it.

import { fromNative, invalidArgument, throwIfAborted } from '../errors.js'
import { toJson } from '../json.js'
import { checkSession, describe } from '../session.js'
import { toolIdentity, toResult } from './native-tool.js'

/** @typedef {import('../../../index.d.ts').ToolSession} ToolSession */
/** @typedef {import('../binding.d.ts').NativeDecision} NativeDecision */

/**
 * Gives `tool` the identity and texts of a name, and an `execute` that decides at once: no other call can come between
 * the state that is read and the one that is kept.
 * @param {any} tool
 * @param {string} name
 * @param {ToolSession} session
 * @param {(arguments_: string, facts: string) => NativeDecision} decide
 * @param {(params: any) => object} factsOf
 * @param {(state: any) => void} keep
 */
export function defineDecidedTool(tool, name, session, decide, factsOf, keep) {
  checkSession(session)
  Object.assign(tool, toolIdentity(name))
  tool.execute = async (/** @type {string} */ _toolCallId, /** @type {unknown} */ params, /** @type {AbortSignal | undefined} */ signal) => {
    throwIfAborted(signal)
    const arguments_ = argumentsOf(params)
    try {
      const { outcome, state } = decide(arguments_, toJson(factsOf(params), 'facts'))
      if (state !== undefined && state !== null) keep(JSON.parse(state))
      return toResult(outcome)
    } catch (error) {
      throw fromNative(error, signal)
    }
  }
}

/**
 * Arguments as JSON text.
 * @param {unknown} params
 */
export function argumentsOf(params) {
  if (typeof params !== 'object' || params === null || Array.isArray(params)) {
    throw invalidArgument('params', `expected an object, got ${describe(params)}`)
  }
  return toJson(params, 'params')
}

/**
 * A place for what a session that has no place of its own keeps.
 * @template T
 * @param {() => T} initial
 */
export function memory(initial) {
  /** @type {WeakMap<ToolSession, T>} */
  const states = new WeakMap()
  return {
    get: (/** @type {ToolSession} */ session) => (states.has(session) ? /** @type {T} */ (states.get(session)) : initial()),
    set: (/** @type {ToolSession} */ session, /** @type {T} */ state) => void states.set(session, state),
  }
}
