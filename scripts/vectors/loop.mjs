// Vectors of the agent loop: scripted answers of a model and scripted tools. Each case runs twice: through runAgentTurns,
// and through executeToolCalls alone, answer by answer, where only what belongs to calls is compared.

import { setTimeout as sleep } from 'node:timers/promises'
import * as core from '../../src/js/index.js'
import { listFaults } from './compare.mjs'

export const loopKinds = { loop }

const tickLength = 10

const facts = { api: 'openai-completions', provider: 'provider', baseUrl: 'https://host.example/v1', id: 'model' }

async function loop(one) {
  const { trace, exec, requests } = one.expected
  const whole = await wholeRun(one)
  const calls = await callsAlone(one)
  return [
    ...traceFaults(trace, whole.trace, 'trace'),
    ...listFaults(exec, whole.exec, 'exec'),
    ...listFaults(requests, whole.requests, 'requests'),
    ...traceFaults(trace.filter(([event]) => callEvents.has(event)), calls.trace, 'trace of the calls alone'),
    ...listFaults(exec, calls.exec, 'exec of the calls alone'),
  ]
}

const callEvents = new Set(['start', 'update', 'end', 'result'])

async function wholeRun(one) {
  const stage = new Stage(one)
  const requests = []
  const ask = async ({ messages, tools }) => {
    const last = messages.at(-1)
    requests.push({ tools: tools.map(({ name }) => name), lastRole: last.role, synthetic: last.synthetic === true })
    return answerOf(one.turns[requests.length - 1] ?? { text: 'end' })
  }
  const messages = [{ role: 'user', content: [{ type: 'text', text: 'go' }] }]
  await core.runAgentTurns({ model: { facts, ask }, messages, ...stage.input() })
  return { ...stage, requests }
}

async function callsAlone(one) {
  const stage = new Stage(one)
  const input = stage.input()
  for (const turn of one.turns) {
    if (input.signal.aborted) break
    await core.executeToolCalls({ ...input, assistantMessage: answerOf(turn) })
  }
  return stage
}

function answerOf({ calls = [], text, stopReason, errorMessage }) {
  const texts = text === undefined ? [] : [{ type: 'text', text }]
  const blocks = calls.map(({ id, name, args, incomplete }) => ({
    type: 'toolCall',
    id,
    name,
    arguments: structuredClone(args),
    ...(incomplete ? { incompleteArguments: true } : {}),
  }))
  const usual = calls.length > 0 ? 'toolUse' : 'stop'
  return { role: 'assistant', content: [...texts, ...blocks], stopReason: stopReason ?? usual, errorMessage, timestamp: 1 }
}

/** Tools, hooks and the record of one case. */
class Stage {
  trace = []
  exec = []
  #finished = 0
  #isSteered = false

  constructor({ tools, config = {} }) {
    this.tools = tools
    this.config = config
  }

  input() {
    const { abortAtTick } = this.config
    const controller = new AbortController()
    if (abortAtTick !== undefined) setTimeout(() => controller.abort(), abortAtTick * tickLength)
    return { tools: this.tools.map((tool) => this.#tool(tool)), hooks: this.#hooks(), signal: controller.signal, emit: (event) => this.#record(event) }
  }

  // Events, as the vectors write them.

  #record(event) {
    const row = this.#row(event)
    if (row) this.trace.push(structuredClone(row))
  }

  #row(event) {
    const { toolCallId: id, message } = event
    switch (event.type) {
      case 'tool_execution_start':
        return ['start', id, event.args, event.intent ?? null]
      case 'tool_execution_update':
        return ['update', id, textOf(event.partialResult)]
      case 'tool_execution_end':
        return ['end', id, event.isError, textOf(event.result), event.result.details]
      case 'message_end':
        if (message.role === 'toolResult') return ['result', message.toolCallId, message.toolName, message.isError]
        return message.isSteering ? ['steering-message'] : undefined
      case 'turn_end':
        return ['turn_end', event.toolResults.map(({ toolCallId }) => toolCallId)]
      case 'agent_end':
        return ['agent_end', event.reason, event.messages.at(-1).stopReason ?? null]
    }
  }

  #log(...row) {
    this.exec.push(structuredClone(row))
  }

  // Hooks.

  #hooks() {
    const { intentTracing, interruptMode, context, steerAfter, before, after } = this.config
    return {
      intentTracing,
      interruptMode,
      ...(steerAfter === undefined ? {} : { getSteeringMessages: async () => this.#steering(steerAfter) }),
      ...(context ? { getToolContext: (place) => ({ place }) } : {}),
      ...(before ? { beforeToolCall: async ({ toolCall, args }) => this.#hook('before', before, toolCall, args) } : {}),
      ...(after ? { afterToolCall: async ({ toolCall, args, isError }) => this.#hook('after', after, toolCall, args, isError) } : {}),
    }
  }

  #steering(steerAfter) {
    if (this.#isSteered || this.#finished < steerAfter) return []
    this.#isSteered = true
    return [{ role: 'user', content: [{ type: 'text', text: 'wait' }], isSteering: true }]
  }

  #hook(event, table, { id, name }, args, ...more) {
    this.#log(event, id, args, ...more)
    const { set, throws, result } = table[name] ?? {}
    Object.assign(args, set)
    if (throws) throw new Error(throws)
    return result
  }

  // Tools.

  #tool({ script, sync, lenient, intent, parameters = { type: 'object', properties: {} }, ...members }) {
    const stage = this
    const execute = sync
      ? () => {
          throw new Error('sync boom')
        }
      : (...call) => stage.#execute(script, ...call)
    const tool = { label: members.name, description: members.name, parameters, ...members, execute }
    if (lenient) tool.lenientArgValidation = true
    if (intent) tool.intent = intents[intent] ?? intent
    return tool
  }

  async #execute(script, id, params, signal, onUpdate, context) {
    const row = ['begin', id, params, signal ? 'signal' : 'no-signal']
    this.#log(...row, ...(context ? [placeRow(context.place)] : []))
    try {
      for (const [step, value] of script) {
        const made = this.#steps[step](value, { id, params, signal, onUpdate })
        const result = made instanceof Promise ? await made : made
        if (step === 'return' || result !== undefined) return result
      }
      return textResult('ok')
    } finally {
      this.#finished += 1
      this.#log('finish', id)
    }
  }

  #steps = {
    tick: (count) => sleep(count * tickLength),
    update: (value, { onUpdate }) => void onUpdate(typeof value === 'string' ? textResult(value) : value),
    throw: (message) => {
      throw new Error(message)
    },
    throwValue: (value) => {
      throw value
    },
    waitAbort: (count, call) => this.#waitForAbort(count, call),
    return: (value) => value,
    text: (text) => ({ ...textResult(text), details: { d: 1 } }),
    echo: (_, { params }) => textResult(JSON.stringify(params)),
  }

  async #waitForAbort(count, { id, signal }) {
    try {
      await sleep(count * tickLength, undefined, { signal })
      this.#log('ran-to-end', id)
    } catch {
      this.#log('saw-abort', id)
      throw new Error('stopped')
    }
  }
}

const intents = {
  fn: (args) => `doing ${args.p}`,
  'fn-throws': () => {
    throw new Error('no intent')
  },
}

function placeRow({ index, total, toolCalls }) {
  return { index, total, calls: toolCalls }
}

function textResult(text) {
  return { content: [{ type: 'text', text }] }
}

function textOf({ content }) {
  return content.map(({ text }) => text).join('')
}

/** Fixed texts are ours to word: `@code` is any text, `@code:x` one that holds x. */
function traceFaults(expected, actual, where) {
  const shown = actual.map((row, index) => row.map((value, column) => (isSuchText(expected[index]?.[column], value) ? expected[index][column] : value)))
  return listFaults(expected, shown, where)
}

function isSuchText(code, text) {
  if (typeof code !== 'string' || !code.startsWith('@') || typeof text !== 'string' || text === '') return false
  return text.includes(code.split(':').slice(1).join(':'))
}
