// The goal of a session. Whether there is one, and who counts what it costs, is the host's: `session.goalRuntime`.

import { randomUUID } from 'node:crypto'
import native from '../native.cjs'
import { defineDecidedTool, memory } from './decided-tool.js'

/** @typedef {import('../../../index.d.ts').ToolSession} ToolSession */
/** @typedef {import('../../../index.d.ts').Goal} Goal */

const goals = memory(() => /** @type {Goal | null} */ (null))

/** Reads or changes the goal. */
export class GoalTool {
  /** @param {ToolSession} session */
  constructor(session) {
    const current = () => runtimeOf(session).get?.() ?? goals.get(session)
    const facts = (/** @type {any} */ params) => {
      const { tokensUsed, guard } = runtimeOf(session)
      const goal = current()
      return {
        hasRuntime: Boolean(session.goalRuntime),
        ...(session.goalToolAllowedOps && { allowedOps: session.goalToolAllowedOps }),
        goal,
        now: Math.trunc(session.now?.() ?? Date.now()),
        newId: randomUUID(),
        tokensUsed: goal ? tokensUsed?.(goal) : undefined,
        veto: goal ? guard?.(params.op, goal) : undefined,
      }
    }
    const keep = (/** @type {Goal | null} */ goal) => {
      goals.set(session, goal)
      runtimeOf(session).set?.(goal && structuredClone(goal))
    }
    defineDecidedTool(this, 'goal', session, native.decideGoal, facts, keep)
  }
}

/**
 * @param {ToolSession} session
 * @returns {import('../../../index.d.ts').GoalRuntime}
 */
function runtimeOf({ goalRuntime }) {
  return typeof goalRuntime === 'object' && goalRuntime !== null ? goalRuntime : {}
}
