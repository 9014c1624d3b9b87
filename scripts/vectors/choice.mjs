// Core vectors about tool choice: what is resolved, what refusals say, the queue, pending previews.

import * as core from '../../src/js/index.js'
import { exactFaults, subsetFaults } from './compare.mjs'

export const choiceKinds = {
  tool_choice: toolChoice,
  refusals,
  queue,
  resolve: pendingPreviews,
}

// ── tool_choice ──────────────────────────────────────────────────────────────────────────────────────────────────────

const toolChoiceFunctions = {
  resolveToolChoice: resolved,
  buildNamedToolChoiceResult: named,
  markToolChoiceIncapability: registry,
  isForcedToolChoiceUnsupportedError: (one) =>
    exactFaults(one.expected, core.isForcedToolChoiceUnsupportedError(one.error, one.sentForced), 'answer'),
  isClaudeForcedToolChoiceIncapableModelId: (one) =>
    exactFaults(one.expected, core.isClaudeForcedToolChoiceIncapableModelId(one.modelId), 'answer'),
  map: mapped,
}

async function toolChoice(one) {
  core.clearToolChoiceIncapabilityRegistryForTests()
  try {
    return toolChoiceFunctions[one.fn](one)
  } finally {
    core.clearToolChoiceIncapabilityRegistryForTests()
  }
}

function modelOf({ api, compat, runtime }) {
  const model = { api, provider: 'provider', baseUrl: 'https://host.example/v1', id: 'model', compat }
  if (runtime) core.markToolChoiceIncapability(model, runtime)
  return model
}

function resolved(one) {
  const model = modelOf(one)
  const result = core.resolveToolChoice(model, one.request, one.compatArgument)
  return [...resolutionFaults(one.expected, result, 'result'), ...echoFaults(result, model, one.request)]
}

/** The reason is free text; its code is compared, and the two go together. */
function resolutionFaults(expected, result, where) {
  const { requestedChoice, registryKey, reason, ...facts } = result
  const faults = exactFaults(expected, facts, where)
  return Boolean(reason) === Boolean(facts.reasonCode) ? faults : [...faults, { where, message: 'reason and code do not go together' }]
}

function echoFaults({ requestedChoice, registryKey }, model, request) {
  return [
    ...exactFaults(request, requestedChoice, 'requestedChoice'),
    ...exactFaults(`${model.api}|provider|https://host.example/v1|model`, registryKey, 'registryKey'),
  ]
}

function named(one) {
  const model = one.api === undefined ? undefined : modelOf(one)
  const { resolved, ...result } = core.buildNamedToolChoiceResult(one.tool, model)
  const { resolved: expectedResolved, ...expected } = one.expected
  return [
    ...exactFaults(expected, result, 'result'),
    ...(expectedResolved && resolved ? resolutionFaults(expectedResolved, resolved, 'resolved') : exactFaults(expectedResolved, resolved, 'resolved')),
    ...exactFaults(one.legacyChoice, core.buildNamedToolChoice(one.tool, model), 'buildNamedToolChoice'),
  ]
}

function registry({ models, ops, overrides, keys }) {
  for (const { model, level } of ops) core.markToolChoiceIncapability(models[model], level)
  const known = models.map((model) => core.getToolChoiceCapabilityOverride(model))
  return [
    ...exactFaults(overrides, known.map((level) => level ?? null), 'overrides'),
    ...(keys ? exactFaults(keys, models.map((model) => core.toolChoiceRegistryKey(model)), 'keys') : []),
  ]
}

function mapped(one) {
  const maps = {
    openaiCompletions: core.mapToOpenAICompletionsToolChoice,
    openaiResponses: core.mapToOpenAIResponsesToolChoice,
    anthropic: core.mapToAnthropicToolChoice,
  }
  return Object.entries(maps).flatMap(([name, map]) => {
    const value = map(one.request)
    return [...exactFaults(one[name], value, name), ...exactFaults(one.forced, core.isForcedToolChoice(value), `forced ${name}`)]
  })
}

// ── refusals ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The words of the vectors as ours. */
const kindOf = (words) => (words.startsWith('maybe ANY over its budget') ? 'over_budget' : words.replaceAll(' ', '_'))

const scopes = { 'while manual thinking is on': 'manual_thinking', 'while thinking is on': 'thinking', 'tool set': 'tool_set' }

/** Each cap with what is left after a named and after a required choice. */
const caps = {
  auto: { named: { cap: 'auto' }, required: { cap: 'auto' } },
  required: { named: { cap: 'required' } },
  'one level lower': { named: { cap: 'required' }, required: { cap: 'auto' } },
  'try tool, else auto': { required: { cap: 'auto', tryFirst: 'named' } },
}

const sentChoices = { named: { type: 'tool', name: 'alpha' }, required: 'required' }

async function refusals({ status, text, want }) {
  const error = Object.assign(new Error(text), { status })
  const expected = { kind: kindOf(want.kind), scope: scopes[want.scope] ?? want.scope }
  const left = want.cap === null ? { named: {}, required: {} } : caps[want.cap]
  return Object.entries(left).flatMap(([sent, rest]) => {
    const { lasting, ...said } = core.classifyToolChoiceRefusal(error, sentChoices[sent])
    return exactFaults({ ...expected, ...rest }, said, `after ${sent}`)
  })
}

// ── queue ────────────────────────────────────────────────────────────────────────────────────────────────────────────

async function queue(one, original) {
  const player = new QueuePlayer()
  const isChanged = one.expected !== original.expected
  const expected = isChanged ? one.expected : (one.improved ?? one.expected)
  return one.ops.flatMap(([name, ...arguments_], index) =>
    exactFaults(expected[index], player.play(name, arguments_), `step ${index} (${name})`),
  )
}

class QueuePlayer {
  queue = new core.ToolChoiceQueue()
  log = []

  operations = {
    once: (choice, options) => void this.queue.pushOnce(choice, this.options(options)),
    seq: (choices, options) => void this.queue.pushSequence(choices, this.options(options)),
    gen: (values, options) => void this.queue.push(generator(values), this.options(options)),
    forever: (choice, options) => void this.queue.push(forever(choice), this.options(options)),
    next: () => ({ value: this.queue.nextToolChoice() ?? null }),
    resolve: () => void this.queue.resolve(),
    reject: (reason) => void this.queue.reject(reason),
    degrade: (reason) => ({ value: this.queue.degradeInFlight(reason) ?? null }),
    label: () => ({ value: this.queue.consumeLastServedLabel() ?? null }),
    invoke: (argument) => {
      const invoker = this.queue.peekInFlightInvoker()
      return { value: invoker ? invoker(argument) : 'no-invoker' }
    },
    inspect: () => ({ value: this.queue.inspect() }),
    inFlight: () => ({ value: this.queue.hasInFlight }),
    remove: (label) => void this.queue.removeByLabel(label),
    clear: () => void this.queue.clear(),
  }

  play(name, arguments_) {
    this.log = []
    const answer = this.attempt(() => this.operations[name](...arguments_))
    return { ...answer, inFlight: this.queue.hasInFlight, queue: this.queue.inspect(), log: this.log }
  }

  attempt(work) {
    try {
      return work()
    } catch (error) {
      return { throws: error.message }
    }
  }

  options({ id, reject, invoke, pushOnResolved, label, now } = {}) {
    const options = { ...(label === undefined ? {} : { label }), ...(now === undefined ? {} : { now }) }
    if (id === undefined) return options
    options.onResolved = ({ choice }) => {
      this.log.push([id, 'resolved', choice])
      if (pushOnResolved) this.queue.pushOnce(pushOnResolved, { label: 'from-resolved' })
    }
    if (reject !== undefined && reject !== 'none') options.onRejected = this.rejecting(id, reject)
    if (invoke) {
      options.onInvoked = (argument) => {
        this.log.push([id, 'invoked', argument])
        return { by: id, x: argument }
      }
    }
    return options
  }

  rejecting(id, answer) {
    let times = 0
    return ({ choice, reason }) => {
      this.log.push([id, 'rejected', choice, reason])
      times += 1
      if (answer === 'throw') throw new Error(`${id} throws`)
      if (answer === 'requeueOnce') return times === 1 ? 'requeue' : 'drop'
      return answer === 'void' ? undefined : answer
    }
  }
}

function* generator(values) {
  for (const value of values) {
    if (value === 'THROW') throw new Error('THROW')
    yield value
  }
}

function* forever(choice) {
  for (;;) yield choice
}

// ── resolve ──────────────────────────────────────────────────────────────────────────────────────────────────────────

async function pendingPreviews(one) {
  const player = new PreviewPlayer(one.caps ?? {})
  const faults = []
  for (const [index, [name, ...arguments_]] of one.steps.entries()) {
    const actual = await player.play(name, arguments_)
    faults.push(...exactFaults(one.expected[index], actual, `step ${index} (${name})`))
  }
  return faults
}

class PreviewPlayer {
  log = []
  standing = null
  queue = new core.ToolChoiceQueue()

  constructor(caps) {
    this.caps = caps
    this.pushes = 0
    this.session = this.sessionFor(caps)
    this.tool = new core.ResolveTool(this.session)
  }

  sessionFor({ noQueue, noStanding, noSteer, legacy }) {
    const session = {
      cwd: process.cwd(),
      settings: { get: () => undefined },
      getSessionFile: () => null,
      getSessionSpawns: () => null,
    }
    if (!noQueue) {
      session.getToolChoiceQueue = () => this.queue
      session.peekQueueInvoker = () => this.queue.peekInFlightInvoker()
    }
    if (legacy) session.buildToolChoice = (name) => ({ named: { type: 'tool', name }, required: 'required' })[legacy]
    else session.buildToolChoiceResult = (name) => this.namedChoice(name)
    if (!noStanding) {
      session.peekStandingResolveHandler = () => this.standing ?? undefined
      session.setStandingResolveHandler = (handler) => void (this.standing = handler)
    }
    if (!noSteer) session.steer = ({ customType, details }) => void this.log.push(['steer', customType, details])
    return session
  }

  namedChoice(name) {
    this.pushes += 1
    const exact = this.caps.exact !== false && (this.caps.exactAfterFirst !== false || this.pushes === 1)
    return exact ? { choice: { type: 'tool', name }, exactNamed: true } : { choice: undefined, exactNamed: false }
  }

  steps = {
    stage: (id, options = {}) => void core.queueResolveHandler(this.session, this.preview(id, options)),
    next: () => ({ value: this.queue.nextToolChoice() ?? null }),
    call: async (params) => ({ value: this.shown(await this.tool.execute('1', params)) }),
    turnEnd: () => void this.queue.resolve(),
    abort: () => void this.queue.reject('aborted'),
    error: () => void this.queue.reject('error'),
    degrade: () => ({ value: this.queue.degradeInFlight('not exact') ?? null }),
    plan: () => {
      this.standing = Object.assign(async () => ({ content: [{ type: 'text', text: 'plan' }] }), { isPlan: true })
    },
  }

  async play(name, arguments_) {
    this.log = []
    const answer = await this.attempt(() => this.steps[name](...arguments_))
    return { ...answer, log: this.log, queue: this.queue.inspect(), inFlight: this.queue.hasInFlight, standing: this.owner() }
  }

  async attempt(work) {
    try {
      return await work()
    } catch (error) {
      const words = error.code === 'no_pending_action' ? '@nothing-pending' : error.message
      return { value: { error: words, toolError: error instanceof core.ToolError } }
    }
  }

  owner() {
    if (!this.standing) return null
    return this.standing.isPlan ? 'plan' : 'preview'
  }

  preview(id, { tool = 'stager', details, isError, reject }) {
    const text = (words) => [{ type: 'text', text: words }]
    const preview = {
      label: `preview ${id}`,
      sourceToolName: tool,
      apply: async (reason, extra) => {
        this.log.push(['apply', id, reason, extra ?? null])
        return { content: text(`applied ${id}`), ...(details === undefined ? {} : { details }), ...(isError ? { isError } : {}) }
      },
    }
    if (reject) {
      preview.reject = async (reason) => {
        this.log.push(['reject', id, reason])
        return reject === 'undefined' ? undefined : { content: text(`rejected ${id}`), details: { r: 1 } }
      }
    }
    return preview
  }

  shown({ content, details, isError }) {
    const texts = content.map(({ text }) => (text.startsWith('Discarded: ') ? '@discarded' : text))
    return { text: texts, details, ...(isError ? { isError } : {}) }
  }
}
