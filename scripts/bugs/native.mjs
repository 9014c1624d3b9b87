// Cases about the road to the addon: a few lines of a host, run as they stand.

import { getEventListeners } from 'node:events'
import { join } from 'node:path'
import * as core from '../../src/js/index.js'
import native from '../../src/js/native.cjs'
import { callNative } from '../../src/js/signal.js'
import { sessionOf } from '../vectors/session.mjs'
import { buildTree } from '../vectors/tree.mjs'
import { watchMemory } from './calls.mjs'

export const nativeDrivers = { native: runScript }

const AsyncFunction = (async () => {}).constructor

async function runScript({ params: { script, repeat = 1 } }, root) {
  const { signal } = new AbortController()
  const names = { ...hostFunctions(root), signal }
  const run = new AsyncFunction(...Object.keys(names), script)
  const values = Object.values(names)
  // What is allocated once is no leak.
  if (repeat > 1) for (let count = 0; count < 100; count++) await run(...values)
  const memory = watchMemory()
  const start = performance.now()
  const calls = []
  try {
    for (let count = 0; count < repeat; count++) await run(...values)
    calls.push({ text: '', details: {} })
  } catch (error) {
    calls.push({ error: { kind: error.code, name: error.name, message: error.message } })
  }
  const ms = performance.now() - start
  return { calls: calls.map((call) => ({ ...call, ms })), listeners: getEventListeners(signal, 'abort').length, ...memory() }
}

/** What the scripts call. */
function hostFunctions(root) {
  const tool = new core.SearchTool(sessionOf({}, { cwd: root }))
  const bigTree = join(root, 'big')
  return {
    bigTree,
    search: (options) => {
      if (options === bigTree) return tool.execute('1', { pattern: 'needle', paths: [grown(bigTree)] })
      const { pattern = 'x', signal } = options
      return tool.execute('1', { pattern, paths: ['.'] }, signal)
    },
    noopNative: ({ signal }) => callNative(signal, (handle) => native.probeNoop(handle)),
  }
}

/** Enough for a search to be still running when the host ends. */
function grown(path) {
  const text = 'hay and straw\n'.repeat(2000)
  buildTree(path, Object.fromEntries(Array.from({ length: 500 }, (_, number) => [`${number % 20}/${number}.txt`, text])))
  return path
}
