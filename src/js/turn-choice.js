// One turn's use of tool choice: what the queue or the session wants, as a plan for the request, and its outcome.

import { checkTools, planToolChoice } from './choice.js'
import { invalidArgument, ToolError } from './errors.js'
import { describe } from './session.js'

/** @typedef {import('../../index.d.ts').ToolChoice} ToolChoice */
/** @typedef {import('../../index.d.ts').ToolChoiceQueueLike} ToolChoiceQueue */
/** @typedef {import('../../index.d.ts').ModelLike} ModelLike */
/** @typedef {{ name: string, customFormat?: unknown, customWireName?: string }} WireTool */

/**
 * The plan of an ordinary model call. A choice of the queue comes before the session's own. One that names a tool that
 * is not active, or that the model cannot be made to call, is degraded: its directive goes and nothing is sent.
 * @template {WireTool} T
 * @param {import('../../index.d.ts').TurnToolChoiceInput<T>} input
 * @returns {import('../../index.d.ts').TurnToolChoicePlan<T>}
 */
export function planTurnToolChoice(input) {
  if (typeof input !== 'object' || input === null) throw invalidArgument('input', `expected an object, got ${describe(input)}`)
  const { model, tools, queue, staticChoice, ...options } = input
  checkTools(tools)
  if (queue !== undefined) checkQueue(queue, 'input.queue')
  const plan = (/** @type {ToolChoice | undefined} */ choice) => planToolChoice(model, choice, tools, options)
  // First, so that bad input is found before a value is taken.
  const own = plan(active(staticChoice, tools))
  const queued = queue?.nextToolChoice()
  if (queue === undefined || queued === undefined) return { ...own, source: 'static' }
  if (typeof queued === 'string') return { ...plan(queued), source: 'queue' }

  const tool = findTool(tools, queued)
  if (!tool) return degraded(queue, plan(undefined), `\`${nameOf(queued)}\` is not active`)
  const planned = plan({ type: 'tool', name: tool.name })
  if (planned.exactNamed) return { ...planned, source: 'queue' }
  const { reminder, resolved } = planned
  return degraded(queue, { ...plan(undefined), resolved, ...(reminder ? { reminder } : {}) }, resolved.reason ?? 'the API cannot be told')
}

/**
 * The outcome of a turn, told once its tools have run. A call that was denied counts as followed.
 * @param {ToolChoiceQueue} queue
 * @param {string} [stopReason] of the assistant's message
 */
export function finishTurnToolChoice(queue, stopReason) {
  checkQueue(queue, 'queue')
  if (stopReason === 'error' || stopReason === 'aborted') queue.reject(stopReason)
  else queue.resolve()
}

/**
 * Makes the next turn call a tool, and the one after it none. An aborted turn is made up for.
 * @template {WireTool} T
 * @param {ToolChoiceQueue} queue
 * @param {string} toolName
 * @param {{ model: ModelLike, tools: readonly T[] }} session
 */
export function forceToolForUser(queue, toolName, session) {
  checkQueue(queue, 'queue')
  if (typeof toolName !== 'string') throw invalidArgument('toolName', `expected a tool name, got ${describe(toolName)}`)
  if (typeof session !== 'object' || session === null) throw invalidArgument('session', `expected an object, got ${describe(session)}`)
  const { model, tools } = session
  checkTools(tools)
  const choice = /** @type {const} */ ({ type: 'tool', name: toolName })
  const unavailable = (/** @type {string} */ reason) =>
    new ToolError(`The tool \`${toolName}\` cannot be forced: ${reason}`, { code: 'tool_unavailable', tool: toolName, reason })
  if (!findTool(tools, choice)) throw unavailable('it is not active')
  const { exactNamed, resolved } = planToolChoice(model, choice, tools)
  if (!exactNamed) throw unavailable(resolved.reason ?? 'the API cannot be told')
  queue.pushSequence([choice, 'none'], { label: 'user-force', onRejected: () => 'requeue' })
}

/**
 * @param {ToolChoiceQueue} queue
 * @param {any} plan
 * @param {string} reason
 */
function degraded(queue, plan, reason) {
  return { ...plan, source: 'queue', degradedLabel: queue.degradeInFlight(reason), degradedReason: reason }
}

/**
 * The session's own choice, unless it names a tool that is not active.
 * @param {ToolChoice | undefined} choice
 * @param {readonly WireTool[]} tools
 */
function active(choice, tools) {
  return typeof choice === 'object' && choice !== null && !findTool(tools, choice) ? undefined : choice
}

/**
 * @template {WireTool} T
 * @param {readonly T[]} tools
 * @param {Exclude<ToolChoice, string>} choice
 */
function findTool(tools, choice) {
  const wanted = nameOf(choice)
  if (typeof wanted !== 'string') return undefined
  return tools.find(({ name }) => name === wanted) ?? tools.find(({ customWireName }) => customWireName === wanted)
}

/** @param {any} choice */
function nameOf(choice) {
  return choice.name ?? choice.function?.name
}

/**
 * @param {any} queue
 * @param {string} path
 */
function checkQueue(queue, path) {
  if (typeof queue?.nextToolChoice !== 'function') throw invalidArgument(path, `expected a tool-choice queue, got ${describe(queue)}`)
}
