// What can be a tool of a module. Everything is looked at once and may throw when it is.

import { renderError } from '../errors.js'
import { ToolSchema } from '../schemas.js'
import { describe } from '../session.js'

/** Names that every provider takes. */
const NAME = /^[A-Za-z0-9_-]{1,64}$/

/**
 * Why a value cannot be a tool; nothing if it can.
 * @param {any} tool
 * @returns {string | undefined}
 */
export function faultOf(tool) {
  try {
    return fault(tool)
  } catch (error) {
    return `cannot be looked at: ${renderError(error)}`
  }
}

/**
 * A default export that is no factory but the tool itself.
 * @param {any} value
 */
export function isTool(value) {
  return typeof value === 'object' && faultOf(value) === undefined
}

/**
 * Whether a function can only be called with `new`.
 * @param {Function} value
 */
export function isClass(value) {
  return /^class\b/.test(Function.prototype.toString.call(value))
}

/** @param {any} tool */
function fault(tool) {
  if (typeof tool !== 'object' || tool === null || Array.isArray(tool)) return `expected a tool, got ${describe(tool)}`
  const { name, execute, parameters, label = '', description = '' } = tool
  if (typeof name !== 'string') return `\`name\`: expected a text, got ${describe(name)}`
  if (!NAME.test(name)) return `\`name\`: expected 1 to 64 letters, digits, _ or -, got \`${name.slice(0, 80)}\``
  if (typeof execute !== 'function') return `\`execute\` of \`${name}\`: expected a function, got ${describe(execute)}`
  for (const [key, value] of Object.entries({ label, description })) {
    if (typeof value !== 'string') return `\`${key}\` of \`${name}\`: expected a text, got ${describe(value)}`
  }
  const isSchema = (typeof parameters === 'object' && parameters !== null && !Array.isArray(parameters)) || typeof parameters === 'function'
  return isSchema ? schemaFault(name, parameters) : `\`parameters\` of \`${name}\`: expected a schema, got ${describe(parameters)}`
}

/**
 * What no model can be told would be refused with all other tools of the same request. Read without being kept: tools may
 * complete their schema later.
 * @param {string} name
 * @param {any} parameters
 */
function schemaFault(name, parameters) {
  try {
    new ToolSchema(parameters).wire(false)
    return undefined
  } catch (error) {
    return `\`parameters\` of \`${name}\`: ${renderError(error)}`
  }
}
