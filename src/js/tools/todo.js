// The list of tasks. A host that keeps it itself offers `getTodoPhases` and `setTodoPhases`.

import native from '../native.cjs'
import { callNativeSync } from '../errors.js'
import { toJson } from '../json.js'
import { defineDecidedTool, memory } from './decided-tool.js'

/** @typedef {import('../../../index.d.ts').ToolSession} ToolSession */
/** @typedef {import('../../../index.d.ts').TodoPhase} TodoPhase */

const lists = memory(() => /** @type {TodoPhase[]} */ ([]))

/** Keeps a list of tasks. */
export class TodoWriteTool {
  /** @param {ToolSession} session */
  constructor(session) {
    const facts = () => ({
      phases: session.getTodoPhases?.() ?? lists.get(session),
      storage: session.getSessionFile() ? 'session' : 'memory',
    })
    const keep = (/** @type {TodoPhase[]} */ phases) => {
      lists.set(session, phases)
      session.setTodoPhases?.(structuredClone(phases))
    }
    defineDecidedTool(this, 'todo_write', session, native.decideTodo, facts, keep)
    const tool = /** @type {any} */ (this)
    tool.rawArgumentValidation = refuseUnclear
  }
}

/** @param {Record<string, unknown>} arguments_ */
function refuseUnclear(arguments_) {
  const reason = callNativeSync(() => native.refusalOfTodo(toJson(arguments_, 'arguments')))
  return reason ? { outcome: 'reject', code: reason } : { outcome: 'passthrough' }
}
