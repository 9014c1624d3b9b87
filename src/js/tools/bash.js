// The shell.

import native from '../native.cjs'
import { keep, storeOf } from '../spill.js'
import { defineNativeTool } from './native-tool.js'

/** @typedef {import('../../../index.d.ts').ToolSession} ToolSession */

/** Runs a shell command. */
export class BashTool {
  /** @param {ToolSession} session */
  constructor(session) {
    // The engine never reads the environment itself; a command runs with the one of the moment.
    defineNativeTool(this, 'bash', session, executorFor(session), (context) => ({
      ...context,
      restrictsCommands: session.bashAllowedPrefixes !== undefined,
      env: Object.entries(process.env),
    }))
  }
}

/**
 * Runs a command. An output that is too long to be shown is kept before anything is said about it.
 * @param {ToolSession} session
 * @returns {import('./native-tool.js').Executor}
 */
function executorFor(session) {
  return async (arguments_, context, handle) => {
    const store = storeOf(session)
    const ended = await native.execBash(arguments_, context, store !== undefined, handle)
    if (!(ended instanceof native.EndedCommand)) return ended
    const kept = store && (await keep(store, ended.output(), 'bash', session))
    if (kept && 'failure' in kept) return ended.finish(undefined, undefined, kept.failure)
    return ended.finish(kept?.id, kept?.missing)
  }
}
