// Any endpoint that speaks Anthropic's messages. `baseUrl` is without the version.

import { post } from './post.mjs'

export function anthropic({ baseUrl, model, key }) {
  return {
    facts: { api: 'anthropic-messages', provider: 'anthropic', baseUrl, id: model },
    async ask({ messages, tools, toolChoice = 'auto' }) {
      const body = {
        model,
        max_tokens: 4096,
        messages: toWire(messages),
        tools: tools.map(({ name, description, parameters }) => ({ name, description, input_schema: parameters })),
        tool_choice: typeof toolChoice === 'string' ? { type: toolChoice } : toolChoice,
      }
      const answer = await post(`${baseUrl}/v1/messages`, { 'x-api-key': key, 'anthropic-version': '2023-06-01' }, body)
      const text = answer.content.filter((block) => block.type === 'text').map((block) => block.text).join('')
      const calls = answer.content
        .filter((block) => block.type === 'tool_use')
        .map(({ id, name, input }) => ({ id, name, arguments: input }))
      const malformed = answer.stop_reason === 'tool_use' && calls.length === 0 ? 'it ended with `tool_use` and without a call' : undefined
      return { text, calls, malformed }
    },
  }
}

/** Results of one turn go back together, as one user message. */
function toWire(messages) {
  const wire = []
  for (const message of messages) {
    if (message.role === 'user') wire.push({ role: 'user', content: message.text })
    else if (message.role === 'assistant') wire.push({ role: 'assistant', content: assistantBlocks(message) })
    else {
      const block = { type: 'tool_result', tool_use_id: message.id, content: message.text, is_error: message.isError }
      const last = wire.at(-1)
      if (last.role === 'user' && Array.isArray(last.content)) last.content.push(block)
      else wire.push({ role: 'user', content: [block] })
    }
  }
  return wire
}

function assistantBlocks({ text, calls }) {
  const uses = calls.map(({ id, name, arguments: input }) => ({ type: 'tool_use', id, name, input }))
  return text ? [{ type: 'text', text }, ...uses] : uses
}
