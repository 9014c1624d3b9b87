// A loop over model calls and their tool calls, for hosts that have none. The model is the host's; what a turn may call
// is turn-choice.js, how calls run is calls.js.

import { isForcedToolChoice, planToolChoice, recordToolChoiceRefusal } from './choice.js'
import { checkHooks, executeToolCalls } from './calls.js'
import { BrokenAnswers } from './calls/broken-answers.js'
import { MalformedTurns } from './calls/malformed-turns.js'
import { textOf } from './calls/results.js'
import { invalidArgument } from './errors.js'
import { describe } from './session.js'
import { finishTurnToolChoice, planTurnToolChoice } from './turn-choice.js'
import { normalizeTools } from './wire-schema.js'

/** @typedef {import('../../index.d.ts').AgentMessage} AgentMessage */
/** @typedef {import('../../index.d.ts').AgentTool} AgentTool */
/** @typedef {import('../../index.d.ts').AssistantMessage} AssistantMessage */
/** @typedef {import('../../index.d.ts').AgentTurnEvent} AgentTurnEvent */
/** @typedef {import('../../index.d.ts').AgentTurnsInput} AgentTurnsInput */

/**
 * Asks a model and runs its calls until it has nothing more to call and nobody has anything more to say.
 * @param {AgentTurnsInput} input
 * @returns {Promise<import('../../index.d.ts').AgentTurnsOutcome>}
 */
export async function runAgentTurns(input) {
  check(input)
  return new AgentRun(input).run()
}

/** How many answers a run takes where nothing else is asked for: far beyond honest work, and an end to a loop. */
const DEFAULT_MAX_TURNS = 500

/** One run, from the messages of the user to the last answer. */
class AgentRun {
  /** @type {AgentMessage[]} */
  #messages
  #malformed = new MalformedTurns()
  #turns = 0
  #isLimitReached = false
  /** What the model call threw that ended the run. @type {unknown} */
  #error

  /** @param {AgentTurnsInput} input */
  constructor({ model, messages, session, tools, queue = session?.getToolChoiceQueue(), choice = {}, hooks = {}, maxTurns = DEFAULT_MAX_TURNS, signal, emit = () => {} }) {
    this.#messages = [...messages]
    this.given = messages.length
    this.model = model
    this.session = session
    this.tools = tools ?? (() => session?.getActiveTools() ?? [])
    this.queue = queue
    this.choice = choice
    this.hooks = hooks
    this.maxTurns = maxTurns
    this.signal = signal
    this.emit = emit
    /** Of the last turn. @type {string | undefined} */
    this.stopReason = undefined
  }

  async run() {
    try {
      await this.#append(await this.hooks.getSteeringMessages?.())
      while (await this.#turn());
    } finally {
      if (this.queue?.hasInFlight) this.queue.reject('aborted')
    }
    const messages = this.#messages.slice(this.given)
    const reason = this.#endReason()
    this.emit({ type: 'agent_end', reason, messages })
    return { messages, reason, stopReason: this.stopReason, ...(this.#error === undefined ? {} : { error: this.#error }) }
  }

  /** @returns {import('../../index.d.ts').AgentEndReason} */
  #endReason() {
    if (this.#malformed.isHopeless) return 'malformed_calls'
    return this.#isLimitReached ? 'turn_limit' : 'completed'
  }

  /** One model call and its tool calls. Answers whether there is another turn. */
  async #turn() {
    if (this.signal?.aborted) return this.#endWith('aborted')
    this.#isLimitReached = this.#turns >= this.maxTurns
    if (this.#isLimitReached) return false
    this.#turns += 1
    const tools = typeof this.tools === 'function' ? this.tools() : this.tools
    const recovery = this.#malformed.takeRecovery()
    if (!recovery) this.#append(this.session?.takeReminders().map(reminderMessage))
    const answer = recovery ? await this.#recover(recovery.prompt) : await this.#ask(tools)
    this.#append([answer])

    const batch = await executeToolCalls({
      tools,
      assistantMessage: answer,
      hooks: this.hooks,
      signal: this.signal,
      emit: this.emit,
      context: { messages: [...this.#messages], tools },
      refuse: recovery?.refusal,
    })
    this.#messages.push(...batch.toolResults)
    this.#endTurn(answer, batch.toolResults)
    if (!recovery && this.queue) finishTurnToolChoice(this.queue, answer.stopReason)
    if (answer.stopReason === 'error' || answer.stopReason === 'aborted') return false

    if (!recovery) this.#malformed.note(batch.malformedToolCallSignatures, batch.toolResults.length)
    if (this.#malformed.isHopeless) return this.#endWith('error', this.#malformed.complaint)
    const more = await this.#moreToSay(batch.steeringMessages, batch.toolResults.length > 0)
    this.#append(more)
    return more.length > 0 || batch.toolResults.length > 0
  }

  /**
   * What the user has said meanwhile; after the last answer also what was to be said then.
   * @param {unknown[] | undefined} steering
   * @param {boolean} goesOn
   * @returns {Promise<any[]>}
   */
  async #moreToSay(steering, goesOn) {
    if (steering) return steering
    // What is taken now would get lost.
    if (this.signal?.aborted) return []
    const said = (await this.hooks.getSteeringMessages?.()) ?? []
    return said.length > 0 || goesOn ? said : ((await this.hooks.getFollowUpMessages?.()) ?? [])
  }

  // Model calls.

  /** @param {readonly AgentTool[]} tools */
  async #ask(tools) {
    const options = { ...this.#planOptions(), model: this.model.facts, tools }
    const plan = planTurnToolChoice({ ...options, ...(this.queue ? { queue: this.queue } : {}) })
    try {
      return await this.#whole(plan)
    } catch (error) {
      const isRefused = isForcedToolChoice(plan.toolChoice) && this.#noteRefusal(plan, error)
      if (!isRefused || this.signal?.aborted) return this.#failed(error)
    }
    const compat = /** @type {const} */ ({ toolChoiceSupport: 'auto' })
    return this.#orFailed(this.#whole(planToolChoice(this.model.facts, plan.resolved.requestedChoice, tools, { ...this.#planOptions(), compat })))
  }

  /**
   * An answer that is not broken, or the failure that its repetition is. Broken ones do not enter the conversation.
   * @param {import('../../index.d.ts').ToolChoicePlan<any>} plan
   */
  async #whole(plan) {
    const broken = new BrokenAnswers()
    let answer = await this.#request(plan)
    while (broken.note(answer) && !this.signal?.aborted) {
      const hint = broken.takeHint()
      if (hint === undefined) return { ...answer, stopReason: 'error', errorMessage: answer.errorMessage ?? broken.complaint }
      this.emit({ type: 'broken_answer', message: answer })
      answer = await this.#request({ ...plan, reminder: plan.reminder ? `${hint}\n${plan.reminder}` : hint })
    }
    return answer
  }

  /**
   * Whether a failure says that the choice cannot be had. Its directive goes, so that it is not sent again.
   * @param {import('../../index.d.ts').TurnToolChoicePlan<any>} plan
   * @param {unknown} error
   */
  #noteRefusal({ source, resolved }, error) {
    const refusal = recordToolChoiceRefusal(this.model.facts, error, resolved.resolvedChoice)
    if (refusal.kind === 'other') return false
    this.emit({ type: 'tool_choice_refused', refusal })
    if (source === 'queue') this.queue?.degradeInFlight(textOf(error))
    return true
  }

  /**
   * Without tools, and with a word on what went wrong. Takes nothing from the queue.
   * @param {string} prompt
   */
  #recover(prompt) {
    const plan = planToolChoice(this.model.facts, 'none', /** @type {AgentTool[]} */ ([]), { ...this.#planOptions(), toolsInHistory: true })
    return this.#orFailed(this.#request({ ...plan, reminder: prompt }, true))
  }

  #planOptions() {
    return { toolsInHistory: this.#messages.some(({ role }) => role === 'toolResult'), ...this.choice }
  }

  /**
   * One request. What is said for it alone comes last and does not enter the conversation.
   * @param {import('../../index.d.ts').ToolChoicePlan<any>} plan
   * @param {boolean} [isRecovery]
   * @returns {Promise<AssistantMessage>}
   */
  async #request({ tools, toolChoice, reminder }, isRecovery = false) {
    const answer = await this.model.ask({
      messages: reminder ? [...this.#messages, userMessage(reminder)] : [...this.#messages],
      tools: normalizeTools(tools, this.hooks.intentTracing === true) ?? [],
      ...(toolChoice === undefined ? {} : { toolChoice }),
      isRecovery,
      ...(this.signal ? { signal: this.signal } : {}),
    })
    if (!Array.isArray(answer?.content)) throw invalidArgument('model.ask', `expected a message with an array of blocks, got ${describe(answer?.content)}`)
    return answer
  }

  /** @param {Promise<AssistantMessage>} answer */
  #orFailed(answer) {
    return answer.catch((error) => this.#failed(error))
  }

  /** @param {unknown} error */
  #failed(error) {
    if (this.signal?.aborted) return endMessage('aborted')
    this.#error = error
    return endMessage('error', textOf(error))
  }

  // Messages and events.

  /** @param {readonly any[]} [messages] */
  #append(messages = []) {
    for (const message of messages) {
      this.#messages.push(message)
      this.emit({ type: 'message_start', message })
      this.emit({ type: 'message_end', message })
    }
  }

  /**
   * @param {AssistantMessage} message
   * @param {import('../../index.d.ts').ToolResultMessage[]} toolResults
   */
  #endTurn(message, toolResults) {
    this.stopReason = message.stopReason
    this.emit({ type: 'turn_end', message, toolResults })
  }

  /**
   * Ends the run without asking the model.
   * @param {'aborted' | 'error'} stopReason
   * @param {string} [errorMessage]
   */
  #endWith(stopReason, errorMessage) {
    const message = endMessage(stopReason, errorMessage)
    this.#append([message])
    this.#endTurn(message, [])
    return false
  }
}

/**
 * @param {'aborted' | 'error'} stopReason
 * @param {string} [errorMessage]
 * @returns {AssistantMessage}
 */
function endMessage(stopReason, errorMessage) {
  return { role: 'assistant', content: [], stopReason, ...(errorMessage === undefined ? {} : { errorMessage }), timestamp: Date.now() }
}

/**
 * Something the loop says in the user's place.
 * @param {string} text
 * @returns {AgentMessage}
 */
function userMessage(text) {
  return { role: 'user', content: [{ type: 'text', text }], synthetic: true, timestamp: Date.now() }
}

/** @param {{ customType: string, content: string, details?: unknown }} reminder */
function reminderMessage({ content, ...rest }) {
  return { ...userMessage(content), ...rest }
}

/** @param {any} input */
function check(input) {
  if (typeof input !== 'object' || input === null) throw invalidArgument('input', `expected an object, got ${describe(input)}`)
  const { model, messages, tools, session, hooks, maxTurns } = input
  if (typeof model?.ask !== 'function') throw invalidArgument('input.model.ask', `expected a function, got ${describe(model?.ask)}`)
  if (typeof model.facts !== 'object' || model.facts === null) throw invalidArgument('input.model.facts', `expected an object, got ${describe(model.facts)}`)
  if (!Array.isArray(messages)) throw invalidArgument('input.messages', `expected an array of messages, got ${describe(messages)}`)
  const hasTools = Array.isArray(tools) || typeof tools === 'function' || (tools === undefined && session !== undefined)
  if (!hasTools) throw invalidArgument('input.tools', `expected an array of tools or a function, got ${describe(tools)}`)
  const isLimit = maxTurns === undefined || maxTurns === Infinity || (Number.isInteger(maxTurns) && maxTurns > 0)
  if (!isLimit) throw invalidArgument('input.maxTurns', `expected a whole number of at least 1, or Infinity, got ${typeof maxTurns === 'number' ? maxTurns : describe(maxTurns)}`)
  checkHooks(hooks, 'input.hooks')
}
