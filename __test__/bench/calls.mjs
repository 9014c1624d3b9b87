// What a batch of tool calls costs beside the tools themselves. What it leaves behind: calls-soak.mjs.
//
//   node __test__/bench/calls.mjs

import { executeToolCalls } from '../../src/js/index.js'

const parameters = { type: 'object', properties: { path: { type: 'string' }, lines: { type: 'array', items: { type: 'number' } } }, required: ['path'] }
const tool = { name: 'a', label: 'a', description: 'a', parameters, execute: async () => ({ content: [{ type: 'text', text: 'ok' }], details: { n: 1 } }) }
const noHooks = {}
const everyHook = { intentTracing: true, beforeToolCall() {}, afterToolCall() {}, getSteeringMessages: async () => [], getToolContext: (place) => ({ place }) }
const { signal } = new AbortController()

for (const [name, hooks] of Object.entries({ noHooks, everyHook })) {
  for (const size of [1, 32]) {
    await many(20_000, size, hooks)
    console.log(`${name}, batches of ${size}: ${(await many(20_000, size, hooks)).toFixed(2)} µs for each call`)
  }
}

/** Microseconds for each call. */
async function many(calls, size, hooks) {
  const start = performance.now()
  for (let done = 0; done < calls; done += size) await executeToolCalls({ tools: [tool], hooks, signal, assistantMessage: message(size) })
  return ((performance.now() - start) * 1000) / calls
}

function message(size) {
  const call = (_, index) => ({ type: 'toolCall', id: `${index}`, name: 'a', arguments: { _i: 'why', path: 'src/a.js', lines: [1, 2, 3] } })
  return { role: 'assistant', content: Array.from({ length: size }, call) }
}
