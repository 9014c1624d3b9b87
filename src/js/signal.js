// AbortSignal → CancelHandle. One listener and one handle for each signal, shared by all its running calls and
// removed with the last; a signal that has fired never starts anything.

import native from './native.cjs'
import { fromNative, throwIfAborted } from './errors.js'

/** @typedef {{ handle: import('./binding.d.ts').CancelHandle, listener: () => void, calls: number }} Bridge */

/** @type {WeakMap<AbortSignal, Bridge>} */
const bridges = new WeakMap()

/**
 * Runs a native call under a signal and turns its errors into ours.
 * @template T
 * @param {AbortSignal | undefined} signal
 * @param {(handle: import('./binding.d.ts').CancelHandle | undefined) => Promise<T>} start
 * @returns {Promise<T>}
 */
export async function callNative(signal, start) {
  throwIfAborted(signal)
  const bridge = signal && retain(signal)
  try {
    return await start(bridge?.handle)
  } catch (error) {
    throw fromNative(error, signal)
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
  signal.removeEventListener('abort', bridge.listener)
  bridges.delete(signal)
}
