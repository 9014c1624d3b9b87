// A custom tool as the runtime calls tools.

import { renderError, ToolAbortError } from '../errors.js'
import { describe } from '../session.js'
import { warnAbout } from './events.js'

/** @typedef {import('../../../index.d.ts').CustomTool<any, any>} CustomTool */
/** @typedef {import('../../../index.d.ts').CustomToolContext} CustomToolContext */

/**
 * Gives a wrapper every member of a tool that it lacks, own or inherited: an accessor that asks the tool, functions
 * bound to it.
 * @param {any} tool
 * @param {any} wrapper
 */
export function applyToolProxy(tool, wrapper) {
  for (let level = tool; level !== null && level !== Object.prototype; level = Object.getPrototypeOf(level)) {
    for (const key of Reflect.ownKeys(level)) {
      if (key === 'constructor' || key in wrapper) continue
      Object.defineProperty(wrapper, key, {
        get: () => {
          const value = tool[key]
          return typeof value === 'function' ? value.bind(tool) : value
        },
        enumerable: true,
        configurable: true,
      })
    }
  }
}

/** Hands calls to a custom tool in the order of arguments that its author knows. */
export class CustomToolAdapter {
  /**
   * @param {CustomTool} tool
   * @param {() => CustomToolContext} getContext the session at the time of a call
   * @returns {import('../../../index.d.ts').AgentTool<any, any>}
   */
  static wrap(tool, getContext) {
    return /** @type {any} */ (new CustomToolAdapter(tool, getContext))
  }

  /**
   * @param {CustomTool} tool
   * @param {() => CustomToolContext} getContext
   */
  constructor(tool, getContext) {
    const { name, label, description } = tool
    const own = {
      // Read once: a tool that calls itself something else later is still the one that was let in.
      name,
      label: label ?? name,
      description: description ?? '',
      // A custom tool is always shown: nobody would look for what its user has just put there.
      loadMode: undefined,
      execute: async (/** @type {string} */ id, /** @type {any} */ params, /** @type {any} */ signal, /** @type {any} */ onUpdate, /** @type {any} */ context) =>
        asResult(await orGivenUp(tool.execute(id, params, onUpdate, context ?? getContext(), signal), signal)),
      ...(typeof tool.renderCall === 'function' ? { renderCall: (/** @type {any[]} */ ...call) => drawn(tool, () => drawCall(tool, call), () => own.label) } : {}),
      ...(typeof tool.renderResult === 'function' ? { renderResult: (/** @type {any[]} */ ...call) => drawn(tool, () => tool.renderResult?.(.../** @type {[any, any, any, any]} */ (call)), () => textOf(call[0])) } : {}),
    }
    // Own fields, so that a copy of the tool still works.
    Object.assign(this, own)
    applyToolProxy(tool, this)
  }
}

/** How long a tool may go on after an abort, to say what it did. */
const PATIENCE = 2000

/**
 * What a tool comes to. One that does not hear of an abort must not hold up its host; what it does later is its own affair.
 * @template T
 * @param {T | Promise<T>} work
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<T>}
 */
async function orGivenUp(work, signal) {
  if (typeof signal?.addEventListener !== 'function') return work
  /** @type {NodeJS.Timeout | undefined} */
  let timer
  let abort = () => {}
  const givenUp = new Promise((_, reject) => {
    abort = () => {
      timer = setTimeout(() => reject(new ToolAbortError(`Aborted; the tool did not stop within ${PATIENCE / 1000} seconds and may go on`, { cause: signal.reason })), PATIENCE)
    }
  })
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort)
  try {
    return await Promise.race([work, /** @type {Promise<never>} */ (givenUp)])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  }
}

/**
 * A text in place of a result or of its content is what many a first tool gives back, and clear enough.
 * @param {any} result
 */
function asResult(result) {
  const textOnly = (/** @type {string} */ text) => [{ type: 'text', text }]
  if (typeof result === 'string') return { content: textOnly(result) }
  return typeof result?.content === 'string' ? { ...result, content: textOnly(result.content) } : result
}

/**
 * Authors may leave out the options.
 * @param {CustomTool} tool
 * @param {any[]} call
 */
function drawCall(tool, [args, options, theme]) {
  const render = /** @type {Function} */ (tool.renderCall)
  return render.length === 2 ? render.call(tool, args, theme) : render.call(tool, args, options, theme)
}

/**
 * What a tool draws; where it fails or draws nothing, plain text.
 * @param {CustomTool} tool
 * @param {() => unknown} draw
 * @param {() => string} plain
 */
function drawn(tool, draw, plain) {
  try {
    const view = draw()
    if (isView(view)) return view
    warnAbout(tool, `The custom tool ${tool.name} drew ${describe(view)}`)
  } catch (error) {
    warnAbout(tool, `The custom tool ${tool.name} could not be drawn: ${renderError(error)}`)
  }
  return plain()
}

/**
 * A text, or whatever object the host's interface draws; none of them is drawn later.
 * @param {any} view
 */
function isView(view) {
  return typeof view === 'string' || (typeof view === 'object' && view !== null && typeof view.then !== 'function')
}

/** @param {any} result */
function textOf(result) {
  const blocks = Array.isArray(result?.content) ? result.content : []
  return blocks.filter((/** @type {any} */ block) => block?.type === 'text').map((/** @type {any} */ { text }) => text).join('\n')
}
