// The registry's table as it crosses from the engine, read once.

import native from './native.cjs'

/** @typedef {{ name: string, label: string, summary: string, owner: 'package' | 'planned' | 'host', defaultEnabled: boolean }} Spec */

/** @type {[Spec[], Spec[]]} */
export const [builtinSpecs, hiddenSpecs] = JSON.parse(native.toolSpecs())

/**
 * The row of a name; absent for a name that no tool has.
 * @param {string} name
 */
export function specOf(name) {
  return [...builtinSpecs, ...hiddenSpecs].find((spec) => spec.name === name)
}
