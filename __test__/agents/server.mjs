// A model on loopback that follows a script, in each of the wire formats, streamed or whole. A step sees the request and
// answers with text and calls.

import { createServer } from 'node:http'
import * as wires from './wires.mjs'

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
      const wire = Object.values(wires).find(({ serves }) => serves(incoming.url.split('?')[0]))
      if (request.stream) sendEvents(outgoing, wire.streamed(request, text, numbered))
      else send(outgoing, 200, wire.whole(request, text, numbered))
    } catch (error) {
      // A step that finds a fault: said to the client in a way that no SDK tries again.
      send(outgoing, 400, { error: { message: error.message } })
    }
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { origin: `http://127.0.0.1:${server.address().port}`, requests, close }
}

function send(outgoing, status, body) {
  outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function sendEvents(outgoing, list) {
  outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const [name, data] of list) outgoing.write(`${name ? `event: ${name}\n` : ''}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`)
  outgoing.end()
}
