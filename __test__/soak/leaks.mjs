// What a process holds: memory, descriptors, threads, children, listeners. What cannot be looked at here is left out.

import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** Put into the environment of everything that is started; who carries it and is not this process was left behind. */
export const MARK = 'GAJAE_SOAK_MARK'

/** @returns {Record<string, number>} */
export function held() {
  return {
    megabytes: settledMegabytes(),
    heap: process.memoryUsage().heapUsed / 2 ** 20,
    // What Deno leaves behind of a worker that is terminated is not ours.
    ...(process.platform === 'linux' && !('Deno' in globalThis) && { descriptors: descriptors().length, threads: readdirSync('/proc/self/task').length }),
    // Deno's own listeners to listeners do not count.
    listeners: process.eventNames().reduce((sum, name) => sum + (/Listener$/.test(String(name)) ? 0 : process.listenerCount(name)), 0),
  }
}

/** What the descriptors of this process stand for. */
export function descriptors() {
  return readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      return [readlinkSync(`/proc/self/fd/${descriptor}`)]
    } catch {
      return [] // The one of this very look.
    }
  })
}

function settledMegabytes() {
  globalThis.Bun?.gc(true)
  globalThis.gc?.()
  return process.memoryUsage.rss() / 2 ** 20
}

/**
 * By how much memory grew once the heap of each thread has met what takes most, which is after a third of the run: its
 * lower end in the second half of the rest against that in the first.
 * @param {number[]} sizes
 */
export function growth(sizes) {
  const warm = sizes.slice(Math.floor(sizes.length / 3))
  const middle = Math.ceil(warm.length / 2)
  return Math.min(...warm.slice(middle)) - Math.min(...warm.slice(0, middle))
}

/** Command lines of what this run has started and nobody has ended. @param {string} mark */
export function leftProcesses(mark) {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc').flatMap((id) => {
    if (!/^\d+$/.test(id) || Number(id) === process.pid) return []
    try {
      const marked = readFileSync(`/proc/${id}/environ`, 'utf8').split('\0').includes(`${MARK}=${mark}`)
      return marked ? [readFileSync(`/proc/${id}/cmdline`, 'utf8').replaceAll('\0', ' ').trim() || `zombie ${id}`] : []
    } catch {
      return [] // Gone, or not ours to look at.
    }
  })
}
