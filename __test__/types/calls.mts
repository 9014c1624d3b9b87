// Batches of tool calls and runs over turns, as a host uses them.

import {
  createToolSession,
  executeToolCalls,
  runAgentTurns,
  type AgentMessage,
  type AgentModel,
  type AgentTool,
  type AgentTurnEvent,
  type AssistantMessage,
  type SettingsLike,
  type ToolBatchHooks,
  type ToolExecutionEvent,
  type ToolResultMessage,
} from 'gajae-tool-core'
import type { Equal, Expect } from './equal.d.mts'

declare const tools: AgentTool[]
declare const settings: SettingsLike

// Messages of a host are messages, whatever else they know.
interface HostMessage {
  role: 'assistant'
  content: ({ type: 'text'; text: string } | { type: 'toolCall'; id: string; name: string; arguments: Record<string, unknown> })[]
  usage: { tokens: number }
}
declare const assistantMessage: HostMessage

const hooks: ToolBatchHooks = {
  interruptMode: 'wait',
  beforeToolCall: ({ toolCall, args }) => (args.path === undefined ? undefined : { block: true, reason: toolCall.name }),
  afterToolCall: async ({ isError }) => ({ isError, details: null }),
  getToolContext: (call) => ({ attemptScope: call?.batchId }),
  getSteeringMessages: () => [],
}
const batch = await executeToolCalls({ tools, assistantMessage, hooks, emit: (event: ToolExecutionEvent) => void event.type })
export type Results = Expect<Equal<typeof batch.toolResults, ToolResultMessage[]>>
export type Steering = Expect<Equal<typeof batch.steeringMessages, unknown[] | undefined>>

// @ts-expect-error modes are two words
hooks.interruptMode = 'later'
// @ts-expect-error a batch has a message
await executeToolCalls({ tools })
// @ts-expect-error a verdict is no word
hooks.beforeToolCall = () => 'deny'

const model: AgentModel = {
  facts: { api: 'openai-completions', provider: 'p', baseUrl: '', id: 'm' },
  ask: async ({ messages, tools, toolChoice, isRecovery, signal }) => {
    messages satisfies AgentMessage[]
    tools[0].parameters satisfies object
    return { role: 'assistant', content: [{ type: 'text', text: `${toolChoice} ${isRecovery} ${signal?.aborted}` }], stopReason: 'stop' }
  },
}
const session = await createToolSession({ cwd: '/', settings, model: model.facts })
const run = await runAgentTurns({ model, session, messages: [{ role: 'user', content: 'go' }], emit: (event: AgentTurnEvent) => void event.type })
run.reason satisfies 'completed' | 'malformed_calls' | 'turn_limit'
run.messages.filter((message): message is AssistantMessage => message.role === 'assistant')[0].stopReason satisfies string | undefined
await runAgentTurns({ model, messages: [], tools: () => tools })

// @ts-expect-error a run has a model
await runAgentTurns({ messages: [], tools })
// @ts-expect-error a model answers with a message
model.ask = async () => 'text'
