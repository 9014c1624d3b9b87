// AbortSignal → CancelHandle. One listener and one handle for each signal, shared by all its running calls and
// removed with the last; a signal that has fired never starts anything.

import native from './native.cjs'
import { fromNative, invalidArgument, throwIfAborted } from './errors.js'
import { describe } from './session.js'

/** @typedef {{ handle: import('./binding.d.ts').CancelHandle, listener: () => void, calls: number }} Bridge */

/** @type {WeakMap<AbortSignal, Bridge>} */
const bridges = new WeakMap()

let endsAtExit = false

/** Node runs no hook of an addon at `process.exit`; without this a shell would outlive its host. */
function endAtExit() {
  if (endsAtExit) return
  endsAtExit = true
  process.once('exit', () => native.endUnfinishedCalls())
}

/**
 * Runs a native call under a signal and turns its errors into ours.
 * @template T
 * @param {AbortSignal | null | undefined} signal
 * @param {(handle: import('./binding.d.ts').CancelHandle | undefined) => Promise<T>} start
 * @returns {Promise<T>}
 */
export async function callNative(signal, start) {
  if (signal && typeof signal.addEventListener !== 'function') throw invalidArgument('signal', `expected an AbortSignal, got ${describe(signal)}`)
  throwIfAborted(signal ?? undefined)
  endAtExit()
  const bridge = signal && retain(signal)
  try {
    return await start(bridge?.handle)
  } catch (error) {
    throw fromNative(error, signal ?? undefined)
  } finally {
    if (signal) release(signal)
  }
}

/** @param {AbortSignal} signal */
function retain(signal) {
  const known = bridges.get(signal)
  if (known) {
    known.calls += 1
    return known
  }
  const handle = new native.CancelHandle()
  const bridge = { handle, listener: () => handle.cancel(), calls: 1 }
  signal.addEventListener('abort', bridge.listener)
  bridges.set(signal, bridge)
  return bridge
}

/** @param {AbortSignal} signal */
function release(signal) {
  const bridge = bridges.get(signal)
  if (!bridge) return
  bridge.calls -= 1
  if (bridge.calls > 0) return
  bridges.delete(signal)
  try {
    signal.removeEventListener('abort', bridge.listener)
  } catch {
    // A signal of the host's own making that fails here must not undo a finished call.
  }
}
