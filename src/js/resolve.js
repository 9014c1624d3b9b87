// Pending previews: staged by a tool, applied or discarded by `resolve`. A stack for each session, newest first; each
// preview is settled once. The host's queue and its standing slot are told, but the stack is what counts.

import { invalidArgument, renderError, ToolAbortError, ToolError } from './errors.js'
import { describe } from './session.js'

/** @typedef {import('../../index.d.ts').ToolSession} ToolSession */
/** @typedef {import('../../index.d.ts').ToolChoice} ToolChoice */
/** @typedef {import('../../index.d.ts').Invoker} Invoker */
/** @typedef {import('../../index.d.ts').PendingResolveOptions} PendingResolveOptions */
/** @typedef {import('../../index.d.ts').ResolveParams} ResolveParams */
/** @typedef {import('../../index.d.ts').AgentToolResult<import('../../index.d.ts').ResolveToolDetails>} ResolveResult */
/**
 * `settling`: its apply or reject runs. `forced` counts the turns that `resolve` was asked for; `turn` is the last one.
 * @typedef {{ session: ToolSession, options: PendingResolveOptions, state: 'pending' | 'settling' | 'settled', invoker: Invoker, forced: number, turn?: symbol }} Preview
 */

/** A preview that cannot be applied is forced upon the model again this often, then only reminded of. */
const MOST_FORCED = 4

/** @type {WeakMap<ToolSession, Preview[]>} */
const stacks = new WeakMap()

/** What changes when the previews of a session are forgotten: one that is being settled then does not come back. @type {WeakMap<ToolSession, symbol>} */
const conversations = new WeakMap()

/** @type {WeakMap<Invoker, Preview>} */
const previews = new WeakMap()

/**
 * Stages a preview: the next turn is asked for `resolve` where the model can be asked, and the model is reminded.
 * @param {ToolSession} session
 * @param {PendingResolveOptions} options
 */
export function queueResolveHandler(session, options) {
  checkObject(session, 'session')
  checkOptions(options)
  /** @type {Preview} */
  const preview = { session, options, state: 'pending', invoker: (input) => settle(preview, input), forced: 0 }
  previews.set(preview.invoker, preview)
  try {
    stage(preview)
  } catch (error) {
    // The tool fails, so that nobody will show this preview to the model: it must not wait either.
    preview.state = 'settled'
    unstack(preview)
    tryTo(() => forget(preview))
    throw error
  }
}

/**
 * Forgets the previews of a session without settling them, as when its conversation ends.
 * @param {ToolSession} session
 */
export function clearPendingPreviews(session) {
  checkObject(session, 'session')
  conversations.set(session, Symbol('conversation'))
  for (const preview of stacks.get(session) ?? []) {
    preview.state = 'settled'
    unstack(preview)
    forget(preview)
  }
}

/**
 * Applies or discards, and gives the result the details of `resolve`. Knows nothing of stacks.
 * @param {ResolveParams} params
 * @param {PendingResolveOptions & { onApplyError?(error: unknown): void }} options
 * @returns {Promise<ResolveResult>}
 */
export async function runResolveInvocation(params, options) {
  checkResolveParams(params)
  checkOptions(options)
  const { action, reason, extra } = params
  const { label, sourceToolName } = options
  const result = await run(params, options)
  const inner = result?.details ?? options.details
  const notices = /** @type {any} */ (result?.details)?.notices
  const fallback = action === 'apply' ? `Applied: ${label}` : `Discarded: ${label}. Nothing was changed.`
  const details = {
    action,
    reason,
    sourceToolName,
    label,
    ...(extra === undefined ? {} : { extra }),
    ...(inner === undefined || inner === null ? {} : { sourceResultDetails: inner }),
    // They speak of the text, which is this result's now.
    ...(Array.isArray(notices) ? { notices } : {}),
  }
  const content = result?.content ?? [{ type: /** @type {const} */ ('text'), text: fallback }]
  return { content, details, ...(result?.isError === undefined ? {} : { isError: result.isError }) }
}

/**
 * What a `resolve` call goes to: the directive in flight, else the newest preview, else the standing handler.
 * @param {ToolSession} session
 * @returns {Invoker}
 */
export function resolveInvoker(session) {
  const queued = session.peekQueueInvoker ? session.peekQueueInvoker() : queueOf(session)?.peekInFlightInvoker()
  if (queued && isUsable(queued)) return queued
  const newest = stacks.get(session)?.at(-1)
  if (newest) return newest.invoker
  const standing = session.peekStandingResolveHandler?.()
  if (standing && isUsable(standing)) return standing
  throw nothingPending()
}

/**
 * Throws unless the value can be the arguments of `resolve`.
 * @param {any} params
 */
export function checkResolveParams(params) {
  checkObject(params, 'params')
  const { action, reason, extra } = params
  if (action !== 'apply' && action !== 'discard') throw invalidArgument('action', `expected apply or discard, got ${typeof action === 'string' ? `\`${action}\`` : describe(action)}`)
  if (typeof reason !== 'string') throw invalidArgument('reason', `expected a text, got ${describe(reason)}`)
  if (extra !== undefined) checkObject(extra, 'extra')
}

/**
 * @param {ResolveParams} params
 * @param {PendingResolveOptions & { onApplyError?(error: unknown): void }} options
 */
async function run({ action, reason, extra }, options) {
  try {
    return await (action === 'apply' ? options.apply(reason, extra) : options.reject?.(reason, extra))
  } catch (error) {
    if (action === 'apply') options.onApplyError?.(error)
    throw explained(error, action, options)
  }
}

/**
 * Errors that speak for themselves stay; others say what was being done.
 * @param {unknown} error
 * @param {'apply' | 'discard'} action
 * @param {PendingResolveOptions} options
 */
function explained(error, action, { label, sourceToolName }) {
  const isAbort = error instanceof Error && error.name === 'AbortError'
  if (error instanceof ToolError || error instanceof ToolAbortError || isAbort) return error
  const doing = action === 'apply' ? 'Applying' : 'Discarding'
  const fields = { code: 'apply_failed', action, label, sourceToolName }
  return new ToolError(`${doing} \`${label}\` failed: ${renderError(error)}`, fields, { cause: error })
}

/**
 * Settles a preview once. If that fails it is pending again, on top.
 * @param {Preview} preview
 * @param {any} input
 */
async function settle(preview, input) {
  checkResolveParams(input)
  if (preview.state !== 'pending') throw nothingPending()
  preview.state = 'settling'
  unstack(preview)
  const conversation = conversations.get(preview.session)
  try {
    const result = await runResolveInvocation(input, preview.options)
    preview.state = 'settled'
    return result
  } catch (error) {
    const isForgotten = conversations.get(preview.session) !== conversation
    preview.state = isForgotten ? 'settled' : 'pending'
    if (!isForgotten) tryTo(() => stage(preview))
    throw error
  } finally {
    if (preview.state === 'settled') tryTo(() => forget(preview))
  }
}

/** @param {Preview} preview */
function stage(preview) {
  const { session, options } = preview
  const stack = stacks.get(session) ?? []
  stacks.set(session, [...stack, preview])
  force(preview)
  const holder = session.peekStandingResolveHandler?.()
  if (holder === undefined || holder === null || previews.has(holder)) session.setStandingResolveHandler?.(preview.invoker)
  session.steer?.({ customType: 'resolve-reminder', content: reminder(options), details: { toolName: options.sourceToolName } })
}

/** @param {PendingResolveOptions} options */
function reminder({ label, sourceToolName }) {
  return (
    `\`${sourceToolName}\` has staged a preview (${label}) and has changed nothing yet. ` +
    'Call `resolve` with action "apply" to carry it out or "discard" to drop it, and give your reason.'
  )
}

/**
 * Asks for `resolve` in the next turn, if the model can be asked for exactly that.
 * @param {Preview} preview
 */
function force(preview) {
  const { session, options, invoker } = preview
  const queue = queueOf(session)
  const choice = exactChoice(session)
  if (!queue || choice === undefined || preview.forced === MOST_FORCED) return
  const turn = Symbol(options.label)
  queue.removeByInvoker?.(invoker)
  queue.push(whilePending(preview, choice), {
    now: true,
    label: `pending-action:${options.sourceToolName}`,
    // A preview that was settled meanwhile, or is asked for anew, has no use for this turn.
    onRejected: () => (preview.state === 'pending' && preview.turn === turn ? 'requeue' : 'drop'),
    onInvoked: invoker,
  })
  preview.forced += 1
  preview.turn = turn
}

/**
 * @param {Preview} preview
 * @param {ToolChoice} choice
 */
function* whilePending(preview, choice) {
  if (preview.state === 'pending') yield choice
}

/**
 * The choice of exactly `resolve`; of hosts with the older callback an object counts as exact.
 * @param {ToolSession} session
 * @returns {ToolChoice | undefined}
 */
function exactChoice(session) {
  if (session.buildToolChoiceResult) {
    const { exactNamed, choice } = session.buildToolChoiceResult('resolve')
    return exactNamed ? choice : undefined
  }
  const choice = session.buildToolChoice?.('resolve')
  return typeof choice === 'object' && choice !== null ? choice : undefined
}

/**
 * Takes a settled preview out of queue and slot; the slot goes to the next one.
 * @param {Preview} preview
 */
function forget({ session, invoker }) {
  queueOf(session)?.removeByInvoker?.(invoker)
  if (session.peekStandingResolveHandler?.() !== invoker) return
  session.setStandingResolveHandler?.(stacks.get(session)?.at(-1)?.invoker ?? null)
}

/** @param {Preview} preview */
function unstack(preview) {
  const stack = stacks.get(preview.session) ?? []
  stacks.set(preview.session, stack.filter((other) => other !== preview))
}

/**
 * @param {ToolSession} session
 * @returns {import('../../index.d.ts').ToolChoiceQueueLike | undefined}
 */
function queueOf(session) {
  return session.getToolChoiceQueue?.()
}

/**
 * Handlers of others always are; of ours only one whose preview is pending.
 * @param {Invoker} invoker
 */
function isUsable(invoker) {
  const preview = previews.get(invoker)
  return preview === undefined || preview.state === 'pending'
}

function nothingPending() {
  return new ToolError('There is no preview to apply or discard: none was staged, or all are settled', { code: 'no_pending_action' })
}

/**
 * Tells the host what it may not like to hear; the outcome of the call stays what it is.
 * @param {() => void} tell
 */
function tryTo(tell) {
  try {
    tell()
  } catch {
    // The change is made or the error is on its way: neither may be replaced by trouble with a reminder.
  }
}

/** @param {PendingResolveOptions} options */
function checkOptions(options) {
  checkObject(options, 'options')
  const { label, sourceToolName, apply, reject } = options
  for (const [name, value] of Object.entries({ label, sourceToolName })) {
    if (typeof value !== 'string') throw invalidArgument(`options.${name}`, `expected a text, got ${describe(value)}`)
  }
  if (typeof apply !== 'function') throw invalidArgument('options.apply', `expected a function, got ${describe(apply)}`)
  if (reject !== undefined && typeof reject !== 'function') throw invalidArgument('options.reject', `expected a function, got ${describe(reject)}`)
}

/**
 * @param {unknown} value
 * @param {string} path
 */
function checkObject(value, path) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalidArgument(path, `expected an object, got ${describe(value)}`)
}
