// Programs for tool modules: no shell, outputs apart, and what stopped a program told by its code.

import { homedir } from 'node:os'
import native from '../native.cjs'
import { invalidArgument, ToolAbortError } from '../errors.js'
import { toJson } from '../json.js'
import { describe } from '../session.js'
import { callNative } from '../signal.js'

/** @typedef {import('../../../index.d.ts').ExecResult} ExecResult */

/** Nothing was started: the signal had fired. */
const ABORTED = Object.freeze({ stdout: '', stderr: '', code: 130, killed: true })

/**
 * Runs a program to its end. Any exit code is a result; only what cannot be started throws.
 * @param {string} command
 * @param {string[]} args
 * @param {string} cwd absolute
 * @param {import('../../../index.d.ts').ExecOptions} [options]
 * @returns {Promise<ExecResult>}
 */
export async function execCommand(command, args, cwd, options = {}) {
  if (typeof command !== 'string') throw invalidArgument('command', `expected a text, got ${describe(command)}`)
  if (!Array.isArray(args)) throw invalidArgument('args', `expected an array of texts, got ${describe(args)}`)
  if (typeof cwd !== 'string') throw invalidArgument('cwd', `expected a path, got ${describe(cwd)}`)
  const { signal, timeout, cwd: directory } = options ?? {}
  const context = JSON.stringify({ cwd, home: homedir(), env: Object.entries(process.env) })
  const arguments_ = toJson({ command, args, timeout, cwd: directory }, 'options')
  try {
    return JSON.parse(await callNative(signal, (handle) => native.execProgram(arguments_, context, handle)))
  } catch (error) {
    if (error instanceof ToolAbortError) return { ...ABORTED }
    throw error
  }
}
