'use strict'

// The one place that reaches the addon, and explains why it cannot be reached.
// CommonJS, so that bundlers see a plain `require` chain down to the `.node` file. Never throws: Node 20 ends the process
// when a CommonJS module throws below an `import()`, even where the caller catches (nodejs/node#51603). What went wrong
// is exported as `failure`; `addon.js` and `index.cjs` throw it.

const { version: expected } = require('../../package.json')

/** @typedef {typeof import('./binding.d.ts', { with: { 'resolution-mode': 'import' } }) & { failure?: Error }} Native */

/** @returns {Pick<Native, 'failure'>} */
function load() {
  try {
    const native = /** @type {Native} */ (require('./binding.cjs'))
    const actual = typeof native.version === 'function' ? native.version() : 'unknown'
    return actual === expected ? native : { failure: mismatch(actual) }
  } catch (cause) {
    return { failure: refusal(cause) ?? unavailable(cause) }
  }
}

/** The words of Node and Deno; the generated loader keeps nothing else of an error. */
const REFUSED = /loading addons is disabled|--allow-ffi\b/

/**
 * That the process may load no addon; nothing where that is not the reason.
 * @param {unknown} cause
 */
function refusal(cause) {
  const refused = chain(cause).find(({ message }) => REFUSED.test(message))
  if (refused === undefined) return undefined
  const how =
    'Deno' in globalThis
      ? 'Run Deno with `--allow-ffi`.'
      : 'Run Node.js without `--no-addons`, and with `--allow-addons` beside `--permission`.'
  const message =
    `gajae-tool-core is a native addon, and this process may not load one: ${refused.message.split('\n', 1)[0]}\n` +
    `${how} What an addon does is not bound by the permissions of the runtime: \`allowedRoots\` of a session keeps its tools inside.`
  return Object.assign(new Error(message, { cause }), { code: 'addon_not_allowed' })
}

/** @param {unknown} cause */
function unavailable(cause) {
  const lines = [
    `gajae-tool-core has no native addon for this machine (${process.platform}-${process.arch}).`,
    'Tried:',
    ...reasons(cause).map((reason) => `  - ${reason}`),
    'Reinstall with optional dependencies enabled, or build it from the sources with `npm run build`.',
  ]
  return Object.assign(new Error(lines.join('\n'), { cause }), { code: 'addon_unavailable' })
}

/** @param {string} actual */
function mismatch(actual) {
  const message =
    `gajae-tool-core is ${expected}, but its native addon is ${actual}. ` +
    'Remove node_modules and install again; in a checkout run `npm run build`.'
  return Object.assign(new Error(message), { code: 'addon_version_mismatch', expected, actual })
}

/**
 * The first line of each error of a chain in the order of the attempts, without repetitions. Left out: the loader's own
 * summary above the chain, and the WebAssembly build that this package does not have.
 * @param {any} error
 */
function reasons(error) {
  const lines = new Set(chain(error.cause ?? error).map(({ message }) => String(message).split('\n', 1)[0]))
  return [...lines].filter((line) => !line.includes('wasi')).reverse()
}

/**
 * An error and its causes.
 * @param {any} error
 */
function chain(error) {
  const errors = []
  for (let current = error; current; current = current.cause) errors.push(current)
  return errors
}

module.exports = /** @type {Native} */ (load())
