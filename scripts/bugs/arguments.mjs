// Cases about arguments: judged and repaired, put together from a stream, answered.

import * as core from '../../src/js/index.js'
import { sessionOf } from '../vectors/session.mjs'

export const argumentDrivers = { validate, stream }

async function validate({ params: { schema, provider, calls, ...params } }, root) {
  if (calls) return { results: await answers(calls, root) }
  const tool = { name: 'tool', label: 'Tool', description: '', parameters: schema, execute: async () => ({ content: [] }) }
  if (provider) return { wire: core.toolWireSchema(tool, { provider }) }
  // Missing arguments are one more way to write none.
  const variants = params.arguments_variants ? [...params.arguments_variants, undefined] : [params.arguments]
  return { calls: variants.map((variant) => judged(tool, variant)) }
}

function judged(tool, given) {
  try {
    return { arguments: core.validateToolArguments(tool, { type: 'toolCall', id: '1', name: tool.name, arguments: given }), text: '', details: {} }
  } catch (error) {
    return { error: { kind: error.code, message: error.message, data: error.context } }
  }
}

/** The ids that results answer, in each way a batch may end: as usual, aborted before, aborted by a message. */
async function answers(calls, root) {
  const tools = await core.createTools(sessionOf({}, { cwd: root }))
  const content = calls.map((call) => ({ type: 'toolCall', ...call }))
  const ways = [{}, { signal: AbortSignal.abort() }, { hooks: { getSteeringMessages: () => [{ role: 'user', content: 'wait' }] } }]
  const batches = ways.map((way) => core.executeToolCalls({ tools, assistantMessage: { role: 'assistant', content }, ...way }))
  return (await Promise.all(batches)).map(({ toolResults }) => toolResults.map(({ role, toolCallId }) => role === 'toolResult' && toolCallId))
}

async function stream({ params: { deltas, tool, raw_arguments: raw, finish_reason: stopReason } }, root) {
  if (deltas) return { calls: [{ arguments: core.assembleToolCallDeltas(deltas).map(({ arguments: whole }) => whole) }] }
  const content = core.assembleToolCallDeltas([{ index: 0, id: '1', name: tool, arguments: raw }])
  const tools = await core.createTools(sessionOf({}, { cwd: root }))
  const { toolResults } = await core.executeToolCalls({ tools, assistantMessage: { role: 'assistant', content, stopReason } })
  return { calls: toolResults.map(({ content, details, isError }) => ({ text: content.map(({ text }) => text).join('\n'), details, isError })) }
}
