// Cuts, metadata and notices as a tool of a host uses them.

import {
  type AgentTool,
  applyListLimit,
  DEFAULT_MAX_BYTES,
  formatOutputNotice,
  outputMeta,
  type OutputMeta,
  OutputSink,
  type ReadWindow,
  toolResult,
  type ToolSession,
  truncateHead,
  truncateMiddleWindows,
  type TruncationResult,
  wrapToolWithMetaNotice,
} from 'gajae-tool-core'
import type { Equal, Expect } from './equal.d.mts'

export const cut: TruncationResult = truncateHead('text', { maxLines: Infinity })
export const window: ReadWindow = truncateMiddleWindows('text', { maxHeadBytes: 10 })
export const meta: OutputMeta | undefined = outputMeta().truncation(cut, { direction: 'head' }).matchLimit(5).get()
export const notice: string = formatOutputNotice(meta)
export const limited: number[] = applyListLimit([1, 2], { limit: 1 }).items
export const result = toolResult({ count: 1 }).text('body').truncationWindows(window).done()
export type Details = Expect<Equal<(typeof result)['details'], { count: number } | undefined>>
export type Most = Expect<Equal<typeof DEFAULT_MAX_BYTES, 51200>>

export async function summarize(tool: AgentTool, session: ToolSession) {
  const wrapped: AgentTool = wrapToolWithMetaNotice(tool, session)
  const sink = new OutputSink({ save: async (text) => session.artifacts?.save(text, wrapped.name) })
  sink.push('text')
  return outputMeta().truncationFromSummary(await sink.dump(), { direction: 'tail' }).get()
}

// @ts-expect-error
truncateHead(new Uint8Array())
// @ts-expect-error
outputMeta().truncation(cut, { direction: 'left' })
