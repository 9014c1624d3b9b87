// Tool choice, its queue and pending previews, as a host uses them.

import {
  buildNamedToolChoiceResult,
  classifyToolChoiceRefusal,
  mapToGoogleToolChoice,
  mapToOllamaToolChoice,
  planTurnToolChoice,
  queueResolveHandler,
  resolveToolChoice,
  ResolveTool,
  ToolChoiceQueue,
  type AgentTool,
  type ModelLike,
  type ResolveParams,
  type ResolveToolDetails,
  type ToolChoice,
  type ToolChoiceQueueLike,
  type ToolChoiceSupport,
  type ToolSession,
} from 'gajae-tool-core'
import type { Equal, Expect } from './equal.d.mts'

// A model of the host is a model, whatever else it knows.
interface HostModel {
  api: 'anthropic-messages'
  provider: string
  baseUrl: string
  id: string
  contextWindow: number
}
declare const hostModel: HostModel
declare const model: ModelLike
const resolved = resolveToolChoice({ ...hostModel }, { type: 'tool', name: 'read' })
export type Level = Expect<Equal<typeof resolved.resolvedLevel, ToolChoiceSupport>>
buildNamedToolChoiceResult('read').choice satisfies ToolChoice | undefined
mapToGoogleToolChoice('any')?.allowedFunctionNames satisfies string[] | undefined
classifyToolChoiceRefusal(new Error('refused'), 'required').cap satisfies ToolChoiceSupport | undefined

// What goes in as tools comes out as the same tools.
declare const tools: (AgentTool & { own: number })[]
mapToOllamaToolChoice('auto', tools).tools[0].own satisfies number
planTurnToolChoice({ model, tools, queue: new ToolChoiceQueue(), thinking: 'manual' }).tools[0].own satisfies number

// @ts-expect-error a choice is one of four words, or named
resolveToolChoice(model, 'sometimes')
// @ts-expect-error a named choice has a name
resolveToolChoice(model, { type: 'function' })
// @ts-expect-error a model has an api
resolveToolChoice({ provider: 'p', baseUrl: '', id: 'm' }, 'auto')

// A queue of a host needs no more than the older members.
const queue = new ToolChoiceQueue()
const { removeByInvoker, consumeLastDropped, ...older } = queue
older satisfies Partial<ToolChoiceQueueLike>
queue.pushOnce('none', { now: true, label: 'x', onRejected: ({ reason }) => (reason === 'error' ? 'requeue' : 'drop') })
queue.push(new Set<ToolChoice>(['any']), { onRejected: () => {}, onInvoked: async (input) => input })
// @ts-expect-error outcomes are two words
queue.pushOnce('none', { onRejected: () => 'again' })
// @ts-expect-error reasons are four words
queue.reject('because')

declare const session: ToolSession
queueResolveHandler(session, { label: 'l', sourceToolName: 's', apply: async () => ({ content: [] }), details: { files: 1 } })
// @ts-expect-error a preview can be applied
queueResolveHandler(session, { label: 'l', sourceToolName: 's' })

const tool = new ResolveTool(session)
tool satisfies AgentTool
export type Details = Expect<Equal<NonNullable<Awaited<ReturnType<typeof tool.execute>>['details']>, ResolveToolDetails>>
export type Params = Expect<Equal<Parameters<typeof tool.execute>[1], ResolveParams>>
// @ts-expect-error actions are two words
await tool.execute('1', { action: 'undo', reason: '' })
