// Code by its structure: a search, and an edit that is shown first and made through `resolve`.

import native from '../native.cjs'
import { queueResolveHandler } from '../resolve.js'
import { callContext, withConfigHome } from '../session.js'
import { callNative } from '../signal.js'
import { defineNativeTool, toResult } from './native-tool.js'

/** @typedef {import('../../../index.d.ts').ToolSession} ToolSession */

/** Searches code by its structure. */
export class AstGrepTool {
  /** @param {ToolSession} session */
  constructor(session) {
    defineNativeTool(this, 'ast_grep', session, native.execAstGrep, { complete: withConfigHome })
  }
}

/** Rewrites code by its structure. */
export class AstEditTool {
  /** @param {ToolSession} session */
  constructor(session) {
    defineNativeTool(this, 'ast_edit', session, executorFor(session), { complete: withConfigHome })
  }
}

/**
 * Shows what would change, and stages it where there is something.
 * @param {ToolSession} session
 * @returns {import('./native-tool.js').Executor}
 */
function executorFor(session) {
  return async (arguments_, context, handle, state) => {
    const staged = await native.execAstEdit(arguments_, context, handle, state)
    const label = staged.label()
    if (label !== null) {
      queueResolveHandler(session, {
        label,
        sourceToolName: 'ast_edit',
        // The session may have changed since.
        apply: async () => {
          const now = JSON.stringify(callContext(session, 'ast_edit'))
          return toResult(await callNative(undefined, () => staged.apply(now, state)))
        },
        reject: async (reason) => ({ content: [{ type: 'text', text: `Discarded: ${label}. Reason: ${reason}` }] }),
      })
    }
    return staged.outcome()
  }
}
