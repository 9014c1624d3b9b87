// Any endpoint that speaks OpenAI's chat completions. `baseUrl` ends with the version, such as `…/v1`.

import { post } from './post.mjs'

export function openai({ baseUrl, model, key }) {
  return {
    name: model,
    async ask({ messages, tools, force }) {
      const body = {
        model,
        messages: messages.map(toWire),
        tools: tools.map(({ name, description, parameters }) => ({ type: 'function', function: { name, description, parameters } })),
        tool_choice: force ? { type: 'function', function: { name: force } } : 'auto',
      }
      const answer = await post(`${baseUrl}/chat/completions`, { authorization: `Bearer ${key}` }, body)
      const message = answer.choices[0].message
      const calls = (message.tool_calls ?? []).map((call) => ({
        id: call.id,
        name: call.function.name,
        arguments: JSON.parse(call.function.arguments || '{}'),
      }))
      return { text: message.content ?? '', calls }
    },
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
