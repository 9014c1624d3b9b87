// What tool choice costs before a model call: each decision is one crossing, the queue is none.

import * as core from '../../src/js/index.js'
import { interleave, report } from './harness.mjs'

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

const all = await interleave(cases, { rounds: 15, times: 5_000 })
for (const [name, times] of Object.entries(all)) report({ workload: name, unit: 'µs', ours: times.map((time) => time * 1000) })
