// What tool choice costs before a model call: each decision is one crossing, the queue is none.

import * as core from '../../src/js/index.js'

const model = { api: 'openai-completions', provider: 'provider', baseUrl: 'https://host.example/v1', id: 'model' }
const unable = { ...model, id: 'unable', compat: { supportsForcedToolChoice: false } }
const named = { type: 'function', name: 'read' }
const tools = Array.from({ length: 30 }, (_, index) => ({ name: `tool_${index}` }))
const queue = new core.ToolChoiceQueue()

const cases = {
  'resolveToolChoice, named': () => core.resolveToolChoice(model, named),
  'resolveToolChoice, degraded': () => core.resolveToolChoice(unable, named),
  buildNamedToolChoiceResult: () => core.buildNamedToolChoiceResult('read', model),
  mapToOpenAICompletionsToolChoice: () => core.mapToOpenAICompletionsToolChoice(named),
  'planTurnToolChoice, 30 tools': () => core.planTurnToolChoice({ model, tools, queue }),
  'queue: push, next, resolve': () => {
    queue.pushOnce('auto')
    queue.nextToolChoice()
    queue.resolve()
  },
}

for (const [name, run] of Object.entries(cases)) {
  const rounds = Array.from({ length: 15 }, () => measure(run, 5_000)).sort((a, b) => a - b)
  console.log(`${name}: ${rounds[7].toFixed(2)} µs median, ${rounds[0].toFixed(2)} µs fastest`)
}

/** Microseconds for each call. */
function measure(run, times) {
  const start = process.hrtime.bigint()
  for (let index = 0; index < times; index++) run()
  return Number(process.hrtime.bigint() - start) / times / 1000
}
