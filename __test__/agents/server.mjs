// A model on loopback that follows a script, behind the wire formats of OpenAI's chat completions and Anthropic's messages,
// streamed or whole. A step sees the request and answers with text and calls.

import { createServer } from 'node:http'

/** @typedef {{ text?: string, calls?: { name: string, arguments: object }[] }} Answer */
/** @typedef {(request: any) => Answer | Promise<Answer>} Step */

/**
 * @param {Step[]} steps
 * @returns {Promise<{ origin: string, requests: any[], close: () => void }>}
 */
export async function scriptedModel(steps) {
  const requests = []
  const server = createServer(async (incoming, outgoing) => {
    let body = ''
    for await (const chunk of incoming) body += chunk
    const request = JSON.parse(body)
    const index = requests.push(request) - 1
    try {
      const { text = '', calls = [] } = (await steps[index]?.(request)) ?? { text: 'There is nothing left in the script.' }
      const numbered = calls.map((call, number) => ({ id: `call_${index}_${number}`, ...call }))
      const format = incoming.url.includes('/messages') ? anthropic : openai
      format(outgoing, request, text, numbered)
    } catch (error) {
      // A step that finds a fault: said to the client in a way that no SDK tries again.
      outgoing.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { message: error.message } }))
    }
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { origin: `http://127.0.0.1:${server.address().port}`, requests, close }
}

function openai(outgoing, { stream, model }, text, calls) {
  const tool_calls = calls.map(({ id, name, arguments: args }, index) => ({ index, id, type: 'function', function: { name, arguments: JSON.stringify(args) } }))
  const finish_reason = calls.length > 0 ? 'tool_calls' : 'stop'
  const common = { id: 'completion', created: 0, model }
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
  const message = { role: 'assistant', content: text || null, ...(calls.length > 0 && { tool_calls }) }
  if (!stream) return json(outgoing, { ...common, object: 'chat.completion', choices: [{ index: 0, message, finish_reason }], usage })
  const chunk = (delta, finish_reason = null) => ({ ...common, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] })
  events(outgoing, [[undefined, chunk(message)], [undefined, chunk({}, finish_reason)], [undefined, { ...common, object: 'chat.completion.chunk', choices: [], usage }], [undefined, '[DONE]']])
}

function anthropic(outgoing, { stream, model }, text, calls) {
  const uses = calls.map(({ id, name, arguments: input }) => ({ type: 'tool_use', id, name, input }))
  const content = [...(text ? [{ type: 'text', text }] : []), ...uses]
  const stop_reason = calls.length > 0 ? 'tool_use' : 'end_turn'
  const message = { id: 'message', type: 'message', role: 'assistant', model, content, stop_reason, stop_sequence: null, usage: { input_tokens: 1, output_tokens: 1 } }
  if (stream) throw new Error('not scripted: streamed messages')
  json(outgoing, message)
}

function json(outgoing, body) {
  outgoing.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function events(outgoing, list) {
  outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const [name, data] of list) outgoing.write(`${name ? `event: ${name}\n` : ''}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`)
  outgoing.end()
}
