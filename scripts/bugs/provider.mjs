// Cases about what a provider is sent and answers: a scripted model in a run of the package's own loop.

import * as core from '../../src/js/index.js'

export const providerDrivers = { request, loop, response }

/** Providers as hosts describe them. */
const providers = {
  anthropic: { api: 'anthropic-messages' },
  google: { api: 'google-generative-ai' },
  'llama.cpp': { api: 'openai-completions', baseUrl: 'http://localhost:8080/v1' },
  ollama: { api: 'ollama-chat', baseUrl: 'http://localhost:11434' },
  openai: { api: 'openai-completions' },
}

function factsOf(provider = 'openai') {
  return { provider, baseUrl: 'https://host.example/v1', id: 'a-model', ...providers[provider] }
}

/** The first request after a user has forced a tool. */
async function request({ params: { provider, thinking, force, tools = [force] } }) {
  const facts = factsOf(provider)
  const queue = new core.ToolChoiceQueue()
  core.forceToolForUser(queue, force, { model: facts, tools: tools.map(toolOf) })
  const choice = thinking ? { thinking: 'manual' } : {}
  const { requests } = await run({ facts, tools, queue, choice, answers: [] })
  return { requests: requests.map((request) => ({ ...request, ...(thinking ? { thinking: 'enabled' } : {}) })) }
}

/** A forced tool, and a model that does what it is told. */
async function loop({ params: { force, script } }) {
  const queue = new core.ToolChoiceQueue()
  queue.pushOnce({ type: 'tool', name: force })
  const answers = script.map((line) => (line.startsWith('call ') ? calling(line.split(' ')[1]) : saying(line)))
  const isDenied = script.some((line) => line.includes('(denied)'))
  const hooks = isDenied ? { beforeToolCall: () => ({ block: true, reason: 'The user said no' }) } : {}
  return run({ facts: factsOf(), tools: [force], queue, hooks, answers })
}

/** A model that always answers the same. */
async function response({ params: { provider, response } }) {
  const text = response.content ? [{ type: 'text', text: response.content }] : []
  const answer = { role: 'assistant', content: text, stopReason: response.finish_reason ?? response.finishReason }
  return run({ facts: factsOf(provider), tools: ['read'], answers: Array(most).fill(answer) })
}

/** A run that goes on longer than this never ends. */
const most = 20

async function run({ facts, tools, queue, answers, ...more }) {
  const requests = []
  const ask = async ({ messages, tools, toolChoice }) => {
    if (requests.length === most) throw new Error('the run does not end')
    requests.push({ tool_choice: wordOf(toolChoice), tools: tools.map(({ name }) => name), named: nameOf(toolChoice, tools), isTold: messages.at(-1).synthetic === true })
    return structuredClone(answers[requests.length - 1] ?? saying('done'))
  }
  const messages = [{ role: 'user', content: [{ type: 'text', text: 'go' }] }]
  const { reason, stopReason, error } = await core.runAgentTurns({ model: { facts, ask }, messages, tools: tools.map(toolOf), ...(queue ? { queue } : {}), ...more })
  return { requests, status: reason === 'completed' && stopReason !== 'error' ? 'success' : 'failure', error }
}

function toolOf(name) {
  return { name, label: name, description: name, parameters: { type: 'object', properties: {} }, execute: async () => ({ content: [{ type: 'text', text: 'ok' }] }) }
}

function calling(name) {
  return { role: 'assistant', content: [{ type: 'toolCall', id: '1', name, arguments: {} }], stopReason: 'toolUse' }
}

function saying(text) {
  return { role: 'assistant', content: [{ type: 'text', text }], stopReason: 'stop' }
}

/** A choice as a provider writes it, in one word. */
function wordOf(choice = 'auto') {
  return typeof choice === 'string' ? choice : (choice.type ?? choice.mode?.toLowerCase())
}

/** The tool that a request makes the model call. */
function nameOf(choice, tools) {
  const name = choice?.function?.name ?? choice?.name ?? choice?.allowedFunctionNames?.[0]
  const isForced = ['required', 'any'].includes(wordOf(choice))
  return name ?? (isForced && tools.length === 1 ? tools[0].name : wordOf(choice))
}
