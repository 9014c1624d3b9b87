// What `TOOL_CORE_LOG` asks for: a line on stderr for each call of a tool. Off, it costs a call nothing.

import { writeSync } from 'node:fs'
import { ToolAbortError } from './errors.js'

/** More of the arguments would drown the rest. */
const SHOWN = 400

const wanted = wish(process.env.TOOL_CORE_LOG ?? '')

/**
 * `calls` or `debug`, alone or with names: `debug:edit,write`. Anything else that is not empty or `0` counts as `calls`.
 * @param {string} text
 */
function wish(text) {
  const [level, names = ''] = text.trim().split(':')
  if (level === '' || level === '0' || level === 'off') return undefined
  return { isDebug: level === 'debug', names: names.split(',').map((name) => name.trim()).filter(Boolean) }
}

/**
 * A tool's `execute` that leaves its lines, or the same function where nobody asked for them.
 * @template {(this: any, ...call: any[]) => any} Execute
 * @param {string} name
 * @param {Execute} execute
 * @returns {Execute}
 */
export function logged(name, execute) {
  if (!wanted || (wanted.names.length > 0 && !wanted.names.includes(name))) return execute
  const { isDebug } = wanted
  /** @type {(this: any, ...call: any[]) => Promise<any>} */
  const outer = async function (...call) {
    const start = performance.now()
    const tell = (/** @type {string} */ what) => line(name, call[0], what)
    const spent = () => `${(performance.now() - start).toFixed(1)} ms`
    if (isDebug) tell(`starts ${shown(call[1])}`)
    try {
      const result = await execute.apply(this, call)
      tell(`${spent()} ${result?.isError ? 'error' : 'ok'}${isDebug ? ` ${facts(result)}` : ''}`)
      return result
    } catch (error) {
      tell(`${spent()} ${codeOf(error)}${isDebug ? ` ${shown(error instanceof Error ? error.message : error)}` : ''}`)
      throw error
    }
  }
  return /** @type {Execute} */ (/** @type {unknown} */ (outer))
}

/**
 * Written at once, since a process that is about to crash is what people debug.
 * @param {string} name
 * @param {unknown} id
 * @param {string} what
 */
function line(name, id, what) {
  try {
    writeSync(2, `${new Date().toISOString()} ${name} ${shown(id)} ${what}\n`)
  } catch {
    // Nobody reads it.
  }
}

/** @param {any} error */
function codeOf(error) {
  if (error instanceof ToolAbortError) return 'aborted'
  return typeof error?.code === 'string' ? error.code : 'thrown'
}

/**
 * How much came, and which notices.
 * @param {any} result
 */
function facts(result) {
  const blocks = Array.isArray(result?.content) ? result.content : []
  const length = blocks.reduce((/** @type {number} */ sum, /** @type {any} */ block) => sum + (block?.text?.length ?? 0), 0)
  const kinds = (result?.details?.notices ?? []).map((/** @type {any} */ { kind }) => kind)
  return [`${length} characters`, ...kinds].join(', ')
}

/**
 * One line of anything.
 * @param {unknown} value
 */
function shown(value) {
  let text
  try {
    text = typeof value === 'string' ? value : JSON.stringify(value)
  } catch {
    text = 'cannot be shown'
  }
  const plain = String(text).replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
  return plain.length > SHOWN ? `${plain.slice(0, SHOWN)}…` : plain
}
