// A model answers a conversation with text and tool calls:
//   ask({ messages, tools, toolChoice? }) → { text, calls: [{ id, name, arguments }], malformed? }
// `facts` is what tool choice has to know of it; `toolChoice` is in the provider's own form; `malformed` says why an
// answer that promised a call has none that can be run.

import { anthropic } from './anthropic.mjs'
import { openai } from './openai.mjs'
import { scripted } from './scripted.mjs'

/** The model that the environment names; the scripted one, which needs no network, if it names none. */
export function createModel(env) {
  const options = { baseUrl: env.AGENT_BASE_URL, model: env.AGENT_MODEL, key: env.AGENT_API_KEY ?? '' }
  if (!options.baseUrl && !options.model) return scripted()
  if (!options.baseUrl || !options.model) throw new Error('Set both AGENT_BASE_URL and AGENT_MODEL')
  return env.AGENT_API === 'anthropic' ? anthropic(options) : openai(options)
}
