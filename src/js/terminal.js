// The terminal of a command, as a host shows it to a person and lets them type into it.

import native from './native.cjs'
import { invalidArgument } from './errors.js'
import { describe } from './session.js'

/** @typedef {import('../../index.d.ts').ToolSession} ToolSession */
/** @typedef {import('../../index.d.ts').TerminalView} TerminalView */

/** The largest size that a system knows. */
const MOST = 0xffff

let last = 0

/**
 * A terminal for a command, told to the host when the command has it; absent where the host shows none.
 * @param {ToolSession} session
 * @param {string} arguments_ of the call, as JSON text
 */
export function terminalFor(session, arguments_) {
  if (session.hasUI !== true || typeof session.openTerminal !== 'function') return undefined
  const { command, pty } = JSON.parse(arguments_)
  if (pty !== true) return undefined
  const id = `terminal_${++last}`
  /** @type {TerminalView | undefined} */
  let view
  const device = new native.CommandTerminal(id, () => {
    view ??= attempt(() => session.openTerminal?.({ id, command, write, resize })) ?? {}
    for (;;) {
      const bytes = device.take()
      if (bytes === null) return void attempt(() => view?.end?.())
      if (bytes.length === 0) return
      attempt(() => view?.output?.(bytes))
    }
  })
  const write = (/** @type {string | Uint8Array} */ data) => {
    if (typeof data !== 'string' && !(data instanceof Uint8Array)) throw invalidArgument('data', `expected a text or bytes, got ${describe(data)}`)
    return device.write(Buffer.from(data))
  }
  const resize = (/** @type {number} */ columns, /** @type {number} */ rows) => device.resize(size(columns, 'columns'), size(rows, 'rows'))
  return device
}

/**
 * @param {number} value
 * @param {string} field
 */
function size(value, field) {
  if (Number.isInteger(value) && value > 0 && value <= MOST) return value
  throw invalidArgument(field, `expected a whole number from 1 to ${MOST}, got ${describe(value)}`)
}

/** What the host does with a terminal cannot fail the call. @template T @param {() => T} act */
function attempt(act) {
  try {
    return act()
  } catch {
    return undefined
  }
}
