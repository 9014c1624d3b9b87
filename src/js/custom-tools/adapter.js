// A custom tool as the runtime calls tools.

import { renderError } from '../errors.js'
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
    const { label, description } = tool
    const own = {
      label: label ?? tool.name,
      description: description ?? '',
      // A custom tool is always shown: nobody would look for what its user has just put there.
      loadMode: undefined,
      execute: async (/** @type {string} */ id, /** @type {any} */ params, /** @type {any} */ signal, /** @type {any} */ onUpdate, /** @type {any} */ context) =>
        tool.execute(id, params, onUpdate, context ?? getContext(), signal),
      ...(typeof tool.renderCall === 'function' ? { renderCall: (/** @type {any[]} */ ...call) => drawn(tool, () => drawCall(tool, call), () => own.label) } : {}),
      ...(typeof tool.renderResult === 'function' ? { renderResult: (/** @type {any[]} */ ...call) => drawn(tool, () => tool.renderResult?.(.../** @type {[any, any, any, any]} */ (call)), () => textOf(call[0])) } : {}),
    }
    // Own fields, so that a copy of the tool still works.
    Object.assign(this, own)
    applyToolProxy(tool, this)
  }
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
 * What a tool draws; where it fails, plain text.
 * @param {CustomTool} tool
 * @param {() => unknown} draw
 * @param {() => string} plain
 */
function drawn(tool, draw, plain) {
  try {
    return draw()
  } catch (error) {
    warnAbout(tool, `The custom tool ${tool.name} could not be drawn: ${renderError(error)}`)
    return plain()
  }
}

/** @param {any} result */
function textOf(result) {
  const blocks = Array.isArray(result?.content) ? result.content : []
  return blocks.filter((/** @type {any} */ block) => block?.type === 'text').map((/** @type {any} */ { text }) => text).join('\n')
}
