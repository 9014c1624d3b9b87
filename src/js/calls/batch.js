// What the calls of one assistant message share: who may still start, what is told to the host, and the results, which
// enter the conversation in call order whatever order they come in.

import { ToolAbortError } from '../errors.js'
import { stripIntent } from '../intent.js'
import { openTurn } from '../turns.js'
import { Interrupt } from './interrupt.js'
import { copyPlain } from './copy.js'
import { notRun } from './results.js'

/** @typedef {import('../../../index.d.ts').AgentTool} AgentTool */
/** @typedef {import('../../../index.d.ts').ToolCall} ToolCall */
/** @typedef {import('../../../index.d.ts').ToolResultMessage} ToolResultMessage */
/** @typedef {import('../../../index.d.ts').ToolExecutionEvent} ToolExecutionEvent */
/** @typedef {import('./results.js').Outcome} Outcome */
/**
 * `args` are those that hooks see and may change; `shown` those of the events.
 * @typedef {{ index: number, toolCall: ToolCall, tool?: AgentTool, intent?: string, stated: any, args: any, shown: any, isOver: boolean }} Call
 */

/** The calls of one assistant message. */
export class Batch {
  /** @type {(ToolResultMessage | undefined)[]} */
  #messages
  #appended = 0
  /** @type {Promise<void>} */
  #asking = Promise.resolve()
  /** @type {{ error: unknown } | undefined} */
  #hostFailure
  /** @type {unknown[] | undefined} */
  steeringMessages
  /** @type {string[]} */
  malformedSignatures = []

  /** @param {import('../../../index.d.ts').ExecuteToolCallsInput} input that was checked */
  constructor({ tools, assistantMessage, hooks = {}, signal, emit = () => {}, context, refuse }) {
    this.assistantMessage = assistantMessage
    this.hooks = hooks
    this.context = context
    this.emit = emit
    this.refuse = refuse
    this.tools = tools
    /** @type {ToolCall[]} */
    const toolCalls = assistantMessage.content.filter((/** @type {any} */ block) => block?.type === 'toolCall')
    this.calls = toolCalls.map((toolCall, index) => this.#call(toolCall, index, findTool(tools, toolCall.name)))
    this.#messages = new Array(toolCalls.length)
    // Last: what fails above must not leave a listener behind.
    this.interrupt = new Interrupt(signal ?? undefined)
    this.closeTurn = openTurn(toolCalls)
  }

  /** Whether the model can look for tools that it was not shown. */
  get hasSearchTool() {
    return findTool(this.tools, 'search_tool_bm25') !== undefined
  }

  /**
   * @param {ToolCall} toolCall
   * @param {number} index
   * @param {AgentTool} [tool]
   * @returns {Call}
   */
  #call(toolCall, index, tool) {
    const sent = toolCall.arguments === undefined ? {} : toolCall.arguments
    const { arguments: stated, intent } = this.hooks.intentTracing ? stripIntent(tool ?? {}, sent) : { arguments: sent, intent: undefined }
    // The one thing that a message is given: what its call is for. Not an error where the message is frozen.
    if (intent !== undefined) Reflect.set(toolCall, 'intent', intent)
    return { index, toolCall, tool, intent, stated, args: copyPlain(stated), shown: copyPlain(stated), isOver: false }
  }

  /** The answer for a call that must not start any more; none while calls may start. @returns {Outcome | undefined} */
  refusal() {
    const { stopReason, errorMessage } = this.assistantMessage
    const because = errorMessage ? `: ${errorMessage}` : ''
    if (stopReason === 'aborted') return notRun(`Not run, since the answer was aborted${because}`)
    if (stopReason === 'error') return notRun(`Not run, since the answer failed${because}`)
    if (this.refuse !== undefined) return notRun(this.refuse)
    if (this.interrupt.isRunAborted) return notRun('Not run, since the user aborted before it started')
    if (this.steeringMessages) return notRun('Skipped, since the user sent a message before it started')
    return undefined
  }

  /**
   * What a tool is told of its place in the batch.
   * @param {Call} call
   */
  toolContext({ index }) {
    if (!this.hooks.getToolContext) return undefined
    this.#place ??= this.#commonPlace()
    return this.hooks.getToolContext({ ...this.#place, index })
  }

  /** @type {{ batchId: string, total: number, toolCalls: any } | undefined} */
  #place

  #commonPlace() {
    const toolCalls = this.calls.map(({ toolCall: { id, name } }) => Object.freeze({ id, name }))
    const batchId = `${this.assistantMessage.timestamp ?? Date.now()}_${toolCalls[0]?.id ?? 'batch'}`
    return { batchId, total: toolCalls.length, toolCalls: Object.freeze(toolCalls) }
  }

  // Told to the host.

  /** @param {Call} call */
  started({ toolCall: { id, name }, shown, intent }) {
    this.#tell({ type: 'tool_execution_start', toolCallId: id, toolName: name, args: shown, ...(intent === undefined ? {} : { intent }) })
  }

  /**
   * Dropped once the call is over.
   * @param {Call} call
   * @param {Outcome} outcome
   */
  updated({ toolCall: { id, name }, shown, isOver }, outcome) {
    if (!isOver) this.#tell({ type: 'tool_execution_update', toolCallId: id, toolName: name, args: shown, partialResult: asResult(outcome) })
  }

  /**
   * @param {Call} call
   * @param {Outcome} outcome
   */
  ended(call, outcome) {
    const { id, name } = call.toolCall
    const { content, details, isError } = outcome
    this.#tell({ type: 'tool_execution_end', toolCallId: id, toolName: name, result: asResult(outcome), isError })
    this.#messages[call.index] = { role: 'toolResult', toolCallId: id, toolName: name, content, details, isError, timestamp: Date.now() }
    this.#append()
  }

  /** Everything that no earlier call holds back. */
  #append() {
    for (let message = this.#messages[this.#appended]; message; message = this.#messages[++this.#appended]) {
      this.#tell({ type: 'message_start', message })
      this.#tell({ type: 'message_end', message })
    }
  }

  /** @param {ToolExecutionEvent} event */
  #tell(event) {
    try {
      this.emit(event)
    } catch (error) {
      this.#hostFailure ??= { error }
    }
  }

  // Steering.

  /** After a call: the first answer that is not empty ends what can be ended and keeps the rest from starting. */
  async askForSteering() {
    const { interruptMode, getSteeringMessages } = this.hooks
    if (interruptMode === 'wait' || !getSteeringMessages) return
    // One at a time: whoever asks takes the messages, and none must get lost.
    this.#asking = this.#asking.then(() => this.#ask())
    await this.#asking
  }

  async #ask() {
    // A run that was aborted has no use for them; they stay with the host.
    if (this.steeringMessages || this.interrupt.isRunAborted) return
    try {
      const messages = await this.hooks.getSteeringMessages?.()
      if (!messages?.length) return
      this.steeringMessages = [...messages]
      this.interrupt.interrupt(new ToolAbortError('The user sent a message'))
    } catch (error) {
      this.#hostFailure ??= { error }
    }
  }

  /** Nothing runs any more. */
  close() {
    this.interrupt.close()
    this.closeTurn()
  }

  /**
   * What the batch came to. An error of one of the host's own callbacks surfaces here, and not while calls run.
   * @returns {import('../../../index.d.ts').ToolBatchOutcome}
   */
  outcome() {
    if (this.#hostFailure) throw this.#hostFailure.error
    return {
      toolResults: /** @type {ToolResultMessage[]} */ (this.#messages),
      ...(this.steeringMessages ? { steeringMessages: this.steeringMessages } : {}),
      malformedToolCallSignatures: this.malformedSignatures,
    }
  }
}

/** @param {Outcome} outcome */
function asResult({ content, details, isError }) {
  return { content, details, ...(isError ? { isError } : {}) }
}

/**
 * By its name, else by the name that a provider knows it under.
 * @param {readonly AgentTool[]} tools
 * @param {string} wanted
 */
function findTool(tools, wanted) {
  return tools.find(({ name }) => name === wanted) ?? tools.find(({ customWireName }) => customWireName !== undefined && customWireName === wanted)
}
