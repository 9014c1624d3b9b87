// Tools with a state of their own, and renderers.

import {
  CalcTool,
  GoalTool,
  TodoWriteTool,
  applyOpsToPhases,
  toolRenderers,
  type AgentTool,
  type Goal,
  type GoalRuntime,
  type Static,
  type TodoPhase,
  type TodoWriteParams,
  type TodoWriteToolDetails,
  type ToolSession,
} from 'gajae-tool-core'
import type { Equal, Expect } from './equal.d.mts'

declare const session: ToolSession

const todo = new TodoWriteTool(session)
export type TodoArguments = Expect<Equal<Static<TodoWriteTool['parameters']>, TodoWriteParams>>
const { details } = await todo.execute('1', { ops: [{ op: 'done', task: 'a' }] })
export const phases: TodoPhase[] = details?.phases ?? []
export type Details = Expect<Equal<typeof details, TodoWriteToolDetails | undefined>>
// @ts-expect-error no such operation
await todo.execute('1', { ops: [{ op: 'finish' }] })
export const after: { phases: TodoPhase[]; errors: string[] } = applyOpsToPhases(phases, [{ op: 'rm' }])

const runtime: GoalRuntime = { get: () => null, guard: (op, goal: Goal) => (op === 'drop' ? goal.objective : undefined) }
export const withGoals: ToolSession = { ...session, goalRuntime: runtime, goalToolAllowedOps: ['get'] }

// Each is a tool among others.
export const tools: AgentTool[] = [todo, new GoalTool(session), new CalcTool(session)]

export const lines: string[] | undefined = toolRenderers.read?.renderCall({ path: 'a' }, { expanded: false, isPartial: false }).render(80)
