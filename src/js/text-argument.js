// Texts that a host hands over, checked at the door.

import { invalidArgument } from './errors.js'
import { describe } from './session.js'

/**
 * @param {unknown} value
 * @param {string} name
 * @returns {string}
 */
export function textArgument(value, name) {
  if (typeof value !== 'string') throw invalidArgument(name, `expected a text, got ${describe(value)}`)
  return value
}
