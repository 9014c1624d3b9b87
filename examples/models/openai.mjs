// Any endpoint that speaks OpenAI's chat completions. `baseUrl` ends with the version, such as `…/v1`.

import { post } from './post.mjs'

export function openai({ baseUrl, model, key }) {
  return {
    facts: { api: 'openai-completions', provider: 'openai-compatible', baseUrl, id: model },
    async ask({ messages, tools, toolChoice }) {
      const body = {
        model,
        messages: messages.map(toWire),
        tools: tools.map(({ name, description, parameters }) => ({ type: 'function', function: { name, description, parameters } })),
        ...(toolChoice === undefined ? {} : { tool_choice: toolChoice }),
      }
      const answer = await post(`${baseUrl}/chat/completions`, { authorization: `Bearer ${key}` }, body)
      const { message = {}, finish_reason: reason } = answer.choices?.[0] ?? {}
      const calls = message.tool_calls ?? []
      const parsed = calls.map((call) => ({ id: call.id, name: call.function?.name, arguments: parse(call.function?.arguments) }))
      return { text: message.content ?? '', calls: parsed, malformed: malformed(reason, parsed) }
    },
  }
}

/** Decided by the calls that are there, not by the reason alone: some servers give one for the other. */
function malformed(reason, calls) {
  if (calls.some((call) => call.arguments === undefined)) return 'the arguments of a call are not JSON'
  if (calls.length > 0) return undefined
  return reason === 'tool_calls' || /malformed/i.test(reason ?? '') ? `it ended with \`${reason}\` and without a call` : undefined
}

function parse(text) {
  try {
    return JSON.parse(text || '{}')
  } catch {
    return undefined
  }
}

function toWire(message) {
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.id, content: message.text }
  if (message.role === 'user' || message.calls.length === 0) return { role: message.role, content: message.text }
  const calls = message.calls.map(({ id, name, arguments: args }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }))
  return { role: 'assistant', content: message.text || null, tool_calls: calls }
}
