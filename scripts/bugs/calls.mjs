// Cases that call tools of a session: steps in order, and what was measured on the way.

import { spawn } from 'node:child_process'
import { getEventListeners, once } from 'node:events'
import { readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as core from '../../src/js/index.js'
import { callTool } from '../vectors/outcome.mjs'
import { artifactStore, sessionOf } from '../vectors/session.mjs'
import { generated } from '../vectors/tree.mjs'
import { prepareCollision } from './collision.mjs'

export const callDrivers = { calls: runCalls }

async function runCalls(one, root) {
  const { settings, cwd = '.', params, tool, calls = [{ tool, params }] } = one
  const tools = await core.createTools(sessionOf(settings, { cwd: join(root, cwd), artifacts: artifactStore() }))
  const stage = new Stage(tools, root)
  if (JSON.stringify(one.tree ?? {}).includes('same short hash')) stage.collision = await prepareCollision(tools, root)
  const warnings = []
  process.on('warning', ({ name }) => warnings.push(name))
  const memory = watchMemory()
  for (const step of calls) await stage.play(step)
  // Warnings are told in a turn of their own.
  await sleep(0)
  return { calls: stage.outcomes, reader: stage.reader, listeners: stage.listeners(), warnings, ...memory() }
}

/** Starts to watch the memory of this process; the function gives back by how much it has grown at its peak. */
export function watchMemory() {
  globalThis.gc()
  const { heapUsed, rss } = process.memoryUsage()
  return () => {
    globalThis.gc()
    const grown = (bytes) => bytes / 1024 / 1024
    return { rssGrowth: grown(process.resourceUsage().maxRSS * 1024 - rss), heapGrowth: grown(process.memoryUsage().heapUsed - heapUsed) }
  }
}

/** The tools of one case and what its calls came to. */
class Stage {
  outcomes = []
  /** What a reader of another process saw: sizes, and whether any content was mixed. */
  reader = undefined
  collision = undefined
  #shared = new AbortController()
  /** Line number → anchor, as the last call printed them. */
  #anchors = new Map()

  constructor(tools, root) {
    this.tools = tools
    this.root = root
  }

  listeners() {
    return getEventListeners(this.#shared.signal, 'abort').length
  }

  async play({ fs, parallel, repeat = 1, ...call }) {
    if (fs) return this.#change(fs)
    if (parallel) return this.#sideBySide(parallel)
    for (let count = 0; count < repeat; count++) await this.#call(call)
  }

  async #call({ tool, params, abort_after_ms: abortAfter, shared_signal: isShared }) {
    const start = performance.now()
    const outcome = await callTool(this.tools, tool, this.#filled(params), { abortAfter, ...(isShared ? { controller: this.#shared } : {}) })
    const ms = performance.now() - start
    this.#anchors = new Map(Array.from((outcome.text ?? '').matchAll(/^[*> ]?((\d+)[a-z]{2})\b/gm), ([, anchor, line]) => [line, anchor]))
    this.outcomes.push({ ...outcome, ms })
  }

  /** Parameters with rules for long texts and placeholders of anchors filled in. */
  #filled(value) {
    if (typeof value === 'string') return value.replace(/\{\{A:(\d+)\}\}/g, (_, line) => this.#anchors.get(line) ?? `(no anchor of line ${line})`)
    if (Array.isArray(value)) return value.map((item) => this.#filled(item))
    if (typeof value !== 'object' || value === null) return value
    if (value.gen) return generated(value.gen)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.#filled(item)]))
  }

  /** What somebody else does to the files. */
  #change(change) {
    if (typeof change === 'string') return this.collision()
    for (const [path, text] of Object.entries(change.write ?? {})) writeFileSync(join(this.root, path), text)
    for (const [path, text] of Object.entries(change.write_keep_mtime ?? {})) {
      const { atime, mtime } = statSync(join(this.root, path))
      writeFileSync(join(this.root, path), text)
      utimesSync(join(this.root, path), atime, mtime)
    }
    for (const path of [change.touch ?? []].flat()) utimesSync(join(this.root, path), new Date(), new Date())
  }

  async #sideBySide(steps) {
    const readers = await Promise.all(steps.filter(({ reader }) => reader).map(({ reader }) => startReader(join(this.root, reader))))
    await Promise.all(steps.filter(({ reader }) => !reader).map((step) => this.play(step)))
    for (const end of readers) this.reader = await end()
  }
}

/** Reads a file again and again in a process of its own; the function ends it and gives back what it saw. */
async function startReader(path) {
  const source = `
    const { readFileSync } = require('node:fs')
    let isOver = false
    process.stdin.once('end', () => (isOver = true)).resume()
    const sizes = new Set()
    let isUniform = true
    const read = () => {
      const bytes = readFileSync(${JSON.stringify(path)})
      sizes.add(bytes.length)
      isUniform &&= bytes.every((byte) => byte === bytes[0])
      if (sizes.size === 1 && isUniform) process.stdout.write('.')
      if (isOver) process.stdout.write(JSON.stringify({ sizes: [...sizes], isUniform }))
      else setImmediate(read)
    }
    read()`
  const child = spawn('node', ['-e', source], { stdio: ['pipe', 'pipe', 'inherit'] })
  const said = []
  child.stdout.on('data', (chunk) => said.push(chunk))
  await once(child.stdout, 'data')
  return async () => {
    child.stdin.end()
    await once(child, 'close')
    return JSON.parse(Buffer.concat(said).toString().replace(/^\.+|\.+$/g, '').replace(/^[^{]*/, ''))
  }
}
