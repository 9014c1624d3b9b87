// What a batch of tool calls costs beside the tools themselves. What it leaves behind: calls-soak.mjs.
//
//   node __test__/bench/calls.mjs

import { executeToolCalls } from '../../src/js/index.js'
import { interleave, report } from './harness.mjs'

const parameters = { type: 'object', properties: { path: { type: 'string' }, lines: { type: 'array', items: { type: 'number' } } }, required: ['path'] }
const tool = { name: 'a', label: 'a', description: 'a', parameters, execute: async () => ({ content: [{ type: 'text', text: 'ok' }], details: { n: 1 } }) }
const noHooks = {}
const everyHook = { intentTracing: true, beforeToolCall() {}, afterToolCall() {}, getSteeringMessages: async () => [], getToolContext: (place) => ({ place }) }
const { signal } = new AbortController()

const CALLS = 4_000

for (const [name, hooks] of Object.entries({ noHooks, everyHook })) {
  for (const size of [1, 32]) {
    const many = async () => {
      for (let done = 0; done < CALLS; done += size) await executeToolCalls({ tools: [tool], hooks, signal, assistantMessage: message(size) })
    }
    const { ours } = await interleave({ ours: many })
    report({ workload: `a call without work, ${name}, batches of ${size}`, unit: 'µs', ours: ours.map((time) => (time * 1000) / CALLS) })
  }
}

function message(size) {
  const call = (_, index) => ({ type: 'toolCall', id: `${index}`, name: 'a', arguments: { _i: 'why', path: 'src/a.js', lines: [1, 2, 3] } })
  return { role: 'assistant', content: Array.from({ length: size }, call) }
}
