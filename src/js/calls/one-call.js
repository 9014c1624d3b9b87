// The life of one call: from its start event to its result. It always ends with exactly one result.

import { invalidArgument } from '../errors.js'
import { describe } from '../session.js'
import { prepareToolArguments } from '../validation.js'
import { copyPlain, isPlain } from './copy.js'
import { coerceResult, failure, notRun, thrown } from './results.js'

/** @typedef {import('./batch.js').Batch} Batch */
/** @typedef {import('./batch.js').Call} Call */
/** @typedef {import('./results.js').Outcome} Outcome */

/**
 * Runs a call, or answers why it does not run. Never rejects.
 * @param {Batch} batch
 * @param {Call} call
 */
export async function runCall(batch, call) {
  const refusal = batch.refusal()
  batch.started(call)
  if (refusal) return batch.ended(call, refusal)
  const outcome = await attempt(batch, call)
  call.isOver = true
  batch.ended(call, batch.hooks.afterToolCall ? await reviewed(batch, call, outcome) : outcome)
  await batch.askForSteering()
}

/**
 * @param {Batch} batch
 * @param {Call} call
 * @returns {Promise<Outcome>}
 */
async function attempt(batch, call) {
  const { tool, toolCall } = call
  if (toolCall.incompleteArguments) {
    return malformed(batch, call, failure('argument_validation', 'Not run, since the arguments were cut off before their end. Send the whole call again, in smaller parts if it is long'))
  }
  if (!tool) return failure('execution', unknownTool(batch, toolCall.name))
  let repairs
  try {
    const prepared = prepareToolArguments(tool, { ...toolCall, arguments: call.stated }, { intentTracing: false })
    call.args = copyPlain(prepared.arguments)
    repairs = prepared.repairs
  } catch (error) {
    if (!tool.lenientArgValidation) return malformed(batch, call, thrown(error, 'argument_validation'))
  }
  try {
    const refusal = (await blocked(batch, call)) ?? batch.refusal()
    return refusal ?? withRepairs(coerceResult(await execute(batch, call, tool)), repairs)
  } catch (error) {
    return endedByMessage(batch, tool, error) ? notRun('Ended by a message of the user before it was done. What it did until then stays') : thrown(error, 'execution')
  }
}

/**
 * What `beforeToolCall` has against the call. Its changes to the arguments stay, and are not validated again.
 * @param {Batch} batch
 * @param {Call} call
 */
async function blocked(batch, call) {
  if (!batch.hooks.beforeToolCall) return undefined
  const verdict = await batch.hooks.beforeToolCall(hookContext(batch, call), batch.interrupt.signal)
  checkVerdict(verdict)
  if (!verdict?.block) return undefined
  const { reason } = verdict
  return failure('blocked', typeof reason === 'string' && reason.trim() !== '' ? reason : 'The call was not allowed')
}

/**
 * @param {Batch} batch
 * @param {Call} call
 * @param {import('../../../index.d.ts').AgentTool} tool
 */
function execute(batch, call, tool) {
  const { id, name } = call.toolCall
  const args = copyPlain(call.args)
  const params = batch.hooks.transformToolCallArguments ? transformed(batch.hooks.transformToolCallArguments(args, name)) : args
  const signal = tool.nonAbortable ? undefined : batch.interrupt.signal
  const onUpdate = (/** @type {any} */ partial) => batch.updated(call, coerceResult(partial))
  return tool.execute(id, params, signal, onUpdate, batch.toolContext(call))
}

/**
 * What nobody understands must not allow a call that it was to block.
 * @param {any} verdict
 */
function checkVerdict(verdict) {
  if (verdict === undefined || verdict === null) return
  if (typeof verdict !== 'object') throw invalidArgument('hooks.beforeToolCall', `answered ${describe(verdict)} instead of an object or nothing`)
  const { block } = verdict
  if (block !== undefined && typeof block !== 'boolean') throw invalidArgument('hooks.beforeToolCall', `answered with a \`block\` that is ${describe(block)}`)
}

/**
 * A hook that gives nothing back, or only later, must not run a tool without its arguments.
 * @param {any} args
 */
function transformed(args) {
  if (typeof args === 'object' && args !== null && typeof args.then !== 'function') return args
  if (typeof args?.then === 'function') Promise.resolve(args).catch(() => {})
  throw invalidArgument('hooks.transformToolCallArguments', `answered ${typeof args?.then === 'function' ? 'later' : describe(args)} instead of arguments`)
}

/**
 * The result after `afterToolCall`, which may replace each of its parts; `null` is a value for details only.
 * @param {Batch} batch
 * @param {Call} call
 * @param {Outcome} outcome
 * @returns {Promise<Outcome>}
 */
async function reviewed(batch, call, outcome) {
  try {
    const result = { content: outcome.content.map((block) => ({ ...block })), details: copyPlain(outcome.details) }
    const context = { ...hookContext(batch, call), result, isError: outcome.isError }
    const changes = await batch.hooks.afterToolCall?.(context, batch.interrupt.signal)
    if (!changes) return outcome
    const isError = changes.isError ?? outcome.isError
    const kept = outcome.isError && !isError ? withoutFailure(outcome.details) : outcome.details
    return coerceResult({ content: changes.content ?? outcome.content, details: changes.details === undefined ? kept : changes.details, isError })
  } catch (error) {
    return thrown(error)
  }
}

/**
 * @param {Batch} batch
 * @param {Call} call
 */
function hookContext({ assistantMessage, context }, { toolCall, args, intent }) {
  return { assistantMessage, toolCall: { ...toolCall, arguments: copyPlain(toolCall.arguments), ...(intent === undefined ? {} : { intent }) }, args, context }
}

/**
 * Whether a tool gave up because of the message that ended the batch. Any other error is the tool's own.
 * @param {Batch} batch
 * @param {import('../../../index.d.ts').AgentTool} tool
 * @param {any} error
 */
function endedByMessage(batch, tool, error) {
  if (!batch.steeringMessages || tool.nonAbortable) return false
  return error === batch.interrupt.signal.reason || error?.name === 'AbortError' || error?.code === 'ABORT_ERR'
}

/**
 * @param {Batch} batch
 * @param {Call} call
 * @param {Outcome} outcome
 */
function malformed(batch, { toolCall, stated }, outcome) {
  batch.malformedSignatures.push(`${toolCall.name}:${jsonOf(stated)}`)
  return outcome
}

/** @param {unknown} value */
function jsonOf(value) {
  try {
    return JSON.stringify(value)
  } catch {
    return 'cannot be written as JSON'
  }
}

/**
 * @param {Batch} batch
 * @param {unknown} name
 */
function unknownTool({ hasSearchTool }, name) {
  const hint = hasSearchTool ? '. Tools that are not listed can be found with `search_tool_bm25`' : ''
  return `There is no tool \`${name}\`${hint}`
}

/**
 * What repair took from the arguments is told with the result: keys, nulls, and text behind a value.
 * @param {Outcome} outcome
 * @param {import('../../../index.d.ts').ArgumentRepair[]} [repairs]
 * @returns {Outcome}
 */
function withRepairs(outcome, repairs = []) {
  const { details } = outcome
  const told = repairs.filter((repair) => repair.action === 'removed' || repair.dropped !== undefined)
  if (told.length === 0 || !(details === null || isPlain(details)) || Array.isArray(details)) return outcome
  return { ...outcome, details: { ...details, argumentRepairs: told } }
}

/** @param {any} details */
function withoutFailure(details) {
  if (!isPlain(details) || Array.isArray(details)) return details
  const { failureKind, ...rest } = /** @type {Record<string, unknown>} */ (details)
  return rest
}
