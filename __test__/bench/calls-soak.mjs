// A long run of calls: memory after each part of it, and what is left on the signal of the run. The debug build will do.
// `node --expose-gc __test__/bench/calls-soak.mjs [CALLS]`; exit code 1 where memory grows or something is left.

import { getEventListeners } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { createTools, executeToolCalls } from '../../src/js/index.js'

/** Memory may grow by this much once everything is warm. */
const allowedMegabytes = 10

/** Of the calls, before memory is looked at: what is allocated once is no leak. */
const warmup = 0.2

/**
 * Runs batches of mixed calls under one signal.
 * @param {number} calls
 * @returns {Promise<{ megabytes: number[], listeners: number, failed: number }>} memory after each tenth behind the warm-up
 */
export async function soak(calls) {
  const cwd = mkdtempSync(join(tmpdir(), 'soak-'))
  try {
    writeFileSync(join(cwd, 'a.txt'), 'one\ntwo\n')
    const tools = [...(await createTools(sessionOf(cwd), ['read', 'find'])), ...hostTools]
    const { signal } = new AbortController()
    const megabytes = []
    let failed = 0
    for (let done = 0, part = 0; done < calls; done += batch.length) {
      const { toolResults } = await executeToolCalls({ tools, assistantMessage: messageOf(done), signal, hooks, emit: () => {} })
      failed += toolResults.filter(({ isError }) => isError).length
      if (done / calls < part / 10) continue
      part += 1
      if (done / calls >= warmup) megabytes.push(settledMegabytes())
    }
    megabytes.push(settledMegabytes())
    return { megabytes, listeners: getEventListeners(signal, 'abort').length, failed }
  } finally {
    rmSync(cwd, { recursive: true, force: true })
  }
}

/** By how much memory grew: its lower end in the second half of the run against that in the first. */
export function growth(megabytes) {
  const middle = Math.ceil(megabytes.length / 2)
  return Math.min(...megabytes.slice(middle)) - Math.min(...megabytes.slice(0, middle))
}

const text = (words) => ({ content: [{ type: 'text', text: words }] })

const hostTool = (name, execute, members) => ({ name, label: name, description: name, parameters: { type: 'object', properties: { n: { type: 'integer' } } }, execute, ...members })

const hostTools = [
  hostTool('plain', async (_, { n }) => text(`call ${n}`)),
  hostTool('updating', async (_, { n }, signal, onUpdate) => (onUpdate(text('half')), text(`call ${n}`))),
  hostTool('listening', async (_, __, signal) => (signal.addEventListener('abort', () => {}), text('heard'))),
  hostTool('failing', async () => Promise.reject(new Error('no'))),
  hostTool('alone', async () => text('alone'), { concurrency: 'exclusive' }),
]

/** The calls of one message; every eighth fails for a reason of its own. */
const batch = ['plain', 'read', 'updating', 'listening', 'failing', 'alone', 'find', 'gone']

function messageOf(number) {
  const argumentsOf = (name) => (name === 'read' ? { path: 'a.txt' } : name === 'find' ? { paths: ['*.txt'] } : { n: `${number}` })
  const content = batch.map((name, index) => ({ type: 'toolCall', id: `${number}-${index}`, name, arguments: argumentsOf(name) }))
  return { role: 'assistant', content, timestamp: number }
}

const hooks = { intentTracing: true, beforeToolCall: async () => undefined, afterToolCall: async () => undefined, getSteeringMessages: async () => [] }

function sessionOf(cwd) {
  return { cwd, hasUI: false, settings: { get: () => undefined }, getSessionFile: () => null, getSessionSpawns: () => null }
}

function settledMegabytes() {
  globalThis.gc()
  return process.memoryUsage().rss / 1024 / 1024
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const calls = Number(process.argv[2] ?? 100_000)
  const start = performance.now()
  const { megabytes, listeners, failed } = await soak(calls)
  const seconds = (performance.now() - start) / 1000
  const grown = growth(megabytes)
  console.log(`${calls} calls in ${seconds.toFixed(1)} s, ${failed} of them failures on purpose`)
  console.log(`RSS after each tenth: ${megabytes.map((size) => size.toFixed(1)).join(' ')} MB; grown by ${grown.toFixed(1)} MB; listeners left: ${listeners}`)
  process.exitCode = grown > allowedMegabytes || listeners > 0 ? 1 : 0
}
