// What the road itself costs: loading the addon, the first createTools, a call that does nothing, the size of the file.
//
//   npm run bench            build first: the numbers of a debug build mean nothing

import { spawnSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { report } from './harness.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const sources = join(here, '../../src/js')
const FRESH_PROCESSES = 20
const NOOP_CALLS = 20_000

const load = fresh('load-once.cjs')
const first = fresh('create-tools-once.mjs')
report({ workload: 'addon load (fresh process)', ours: load, targets: [{ most: 5 }] })
report({ workload: 'createTools, first call, every slot filled (fresh process)', ours: first, targets: [{ most: 2 }] })
report({ workload: 'async no-op call, one after another', unit: 'µs', ours: await noop(), targets: [{ most: 60 }] })
for (const name of readdirSync(sources).filter((name) => name.endsWith('.node'))) {
  console.log(`${name}: ${(statSync(join(sources, name)).size / 1024 / 1024).toFixed(2)} MB`)
}

/** Runs a script that prints milliseconds, each time in a process of its own. */
function fresh(script) {
  return Array.from({ length: FRESH_PROCESSES }, () => {
    const { stdout, stderr, status } = spawnSync(process.execPath, [join(here, script)], { encoding: 'utf8' })
    if (status !== 0) throw new Error(stderr)
    return Number(stdout)
  })
}

async function noop() {
  const native = createRequire(import.meta.url)('../../src/js/native.cjs')
  const { callNative } = await import('../../src/js/signal.js')
  const { signal } = new AbortController()
  const times = []
  for (let round = 0; round < 20; round++) {
    const started = performance.now()
    for (let call = 0; call < NOOP_CALLS / 20; call++) await callNative(signal, (handle) => native.probeNoop(handle))
    times.push(((performance.now() - started) * 1000) / (NOOP_CALLS / 20))
  }
  return times
}
