// What an agent that works for another one hands in.

import native from '../native.cjs'
import { settingsSnapshot } from '../session.js'
import { defineDecidedTool, memory } from './decided-tool.js'
import { defineNativeTool } from './native-tool.js'

/** @typedef {import('../../../index.d.ts').ToolSession} ToolSession */

const mismatches = memory(() => 0)

/** Hands in the result of a task. */
export class YieldTool {
  /** @param {ToolSession} session */
  constructor(session) {
    const facts = () => ({
      outputSchema: session.outputSchema ?? null,
      mismatches: mismatches.get(session),
      settings: settingsSnapshot(session.settings, 'yield'),
    })
    const decide = (/** @type {string} */ arguments_, /** @type {string} */ known) => {
      try {
        return native.decideYield(arguments_, known)
      } catch (error) {
        if (/** @type {any} */ (error)?.code === 'yield_schema_mismatch') mismatches.set(session, mismatches.get(session) + 1)
        throw error
      }
    }
    defineDecidedTool(this, 'yield', session, decide, facts, (count) => mismatches.set(session, count))
  }
}

/** Records a finding of a review. */
export class ReportFindingTool {
  /** @param {ToolSession} session */
  constructor(session) {
    defineNativeTool(this, 'report_finding', session, native.execFinding)
  }
}
