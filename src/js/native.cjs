'use strict'

// The one place that reaches the addon, and explains why it cannot be reached.
// CommonJS, so that bundlers see a plain `require` chain down to the `.node` file.

const { version: expected } = require('../../package.json')

/** @typedef {typeof import('./binding.d.ts', { with: { 'resolution-mode': 'import' } })} Native */

/**
 * Loads the addon; throws one error that says what was tried and what to do.
 * @returns {Native}
 */
function load() {
  try {
    return require('./binding.cjs')
  } catch (cause) {
    const target = `${process.platform}-${process.arch}`
    const tried = reasons(cause).map((reason) => `  - ${reason}`)
    const lines = [
      `gajae-tool-core has no native addon for this machine (${target}).`,
      'Tried:',
      ...tried,
      'Reinstall with optional dependencies enabled, or build it from the sources with `npm run build`.',
    ]
    throw Object.assign(new Error(lines.join('\n'), { cause }), { code: 'addon_unavailable' })
  }
}

/**
 * The first line of each error of a chain, without repetitions.
 * @param {any} error
 */
function reasons(error) {
  const lines = new Set()
  for (let current = error; current; current = current.cause) {
    const errors = Array.isArray(current.errors) ? current.errors : [current]
    for (const { message } of errors) lines.add(String(message).split('\n', 1)[0])
  }
  return [...lines]
}

const native = load()
const actual = typeof native.version === 'function' ? native.version() : 'unknown'
if (actual !== expected) {
  const message =
    `gajae-tool-core is ${expected}, but its native addon is ${actual}. ` +
    'Remove node_modules and install again; in a checkout run `npm run build`.'
  throw Object.assign(new Error(message), { code: 'addon_version_mismatch', expected, actual })
}

module.exports = native
