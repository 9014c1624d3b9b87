// Search and find as plain functions, for hosts that lay out by themselves.

import { homedir } from 'node:os'
import native from './native.cjs'
import { invalidArgument } from './errors.js'
import { toJson } from './json.js'
import { describe, isAbsolute, withConfigHome } from './session.js'
import { callNative } from './signal.js'

/**
 * Every match in files, without caps.
 * @param {import('../../index.d.ts').GrepOptions} options
 * @returns {Promise<import('../../index.d.ts').GrepResult>}
 */
export function grep(options) {
  return run(native.grep, options)
}

/**
 * Every path that matches, without caps.
 * @param {import('../../index.d.ts').GlobOptions} options
 * @returns {Promise<import('../../index.d.ts').GlobResult>}
 */
export function glob(options) {
  return run(native.glob, options)
}

/**
 * @param {(arguments_: string, context: string, handle?: import('./binding.d.ts').CancelHandle) => Promise<string>} primitive
 * @param {any} options
 */
async function run(primitive, options) {
  if (typeof options !== 'object' || options === null) throw invalidArgument('options', `expected an object, got ${describe(options)}`)
  const { signal, cwd = process.cwd(), ...arguments_ } = options
  if (typeof cwd !== 'string' || !isAbsolute(cwd)) throw invalidArgument('cwd', `expected an absolute path, got ${describe(cwd)}`)
  const context = JSON.stringify(withConfigHome({ cwd, home: homedir() }))
  const json = toJson(arguments_, 'options')
  return JSON.parse(await callNative(signal, (handle) => primitive(json, context, handle)))
}
