// One agent at work in a folder of its own: calls of every tool, several at once, some of them aborted, some wrong, some
// with somebody else writing the same file; and a model of the folder that knows what has to come of each.

import { getEventListeners } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

import { BUILTIN_TOOLS, cancelJobs, createToolSession, discoverAndLoadCustomTools, executeToolCalls } from '../../src/js/index.js'
import { hostTool } from '../js/session.mjs'
import { moves } from './moves.mjs'
import { random } from './random.mjs'
import { newText, inWords } from './texts.mjs'
import { Tree } from './tree.mjs'

/** So long no call takes, on the busiest machine. */
const PATIENCE = 600_000
const LANES = 4
const weighted = moves.flatMap(([weight, move]) => Array(weight).fill(move))

/** What the life of an agent is told. @typedef {{ life: number, seed: number, calls: number, root: string, folder: string, durable: boolean }} Life */

export class Agent {
  calls = 0
  previews = 0
  /** @type {Map<string, boolean>} */
  tasks = new Map()
  /** @type {string[]} */
  faults = []
  /** How calls ended. @type {Record<string, number>} */
  ends = {}
  /** Files that were changed by somebody else since a tool wrote them. @type {Set<string>} */
  foreign = new Set()

  /** @param {Life} told */
  constructor(told) {
    this.told = told
    this.life = told.life
    this.random = random(told.seed)
    this.shared = join(told.root, 'shared')
    this.cwd = join(told.root, 'trees', told.folder)
    mkdirSync(this.cwd, { recursive: true })
    this.tree = new Tree(this.cwd, join(told.root, 'records', told.folder))
    /** Never fires; nothing may stay behind on it. */
    this.forever = new AbortController().signal
  }

  /** @param {(calls: number) => void} [progress] */
  async live(progress = () => {}) {
    await this.#equip()
    await Promise.all(Array.from({ length: LANES }, async () => {
      while (this.calls < this.told.calls) {
        await (this.random.chance(0.06) ? this.#batch() : this.#step())
        progress(this.calls)
      }
    }))
    cancelJobs(this.session)
    const left = getEventListeners(this.forever, 'abort').length
    if (left > 0) this.faults.push(`${left} listeners are left on a signal`)
  }

  async #equip() {
    const { tools, errors } = await discoverAndLoadCustomTools([join(this.shared, 'tools/count-lines.mjs')], this.cwd, Object.keys(BUILTIN_TOOLS), undefined, { home: join(this.shared, 'home') })
    if (errors.length) throw new Error(JSON.stringify(errors))
    this.bridges = Array.from({ length: 40 }, (_, at) => hostTool(`mcp__server${at % 4}_subject${at}`, { description: `Does what is needed for subject${at}`, mcpServerName: `server${at % 4}`, mcpToolName: `subject${at}` }))
    const values = { 'write.durable': this.told.durable, 'tools.discoveryMode': 'all', 'async.enabled': true }
    let mode = 'replace'
    this.session = await createToolSession({
      cwd: this.cwd,
      stateDir: join(this.told.root, 'state'),
      settings: { get: (key) => (key === 'edit.mode' ? mode : values[key]) },
      model: { api: 'anthropic-messages', provider: 'anthropic', baseUrl: '', id: 'model' },
      tools: this.bridges,
      customTools: tools,
    })
    this.tools = Object.fromEntries(this.session.registry)
    const { edit } = this.tools
    // The mode is read when a call begins.
    const inMode = (/** @type {string} */ name) => ({ ...edit, execute: (...call) => ((mode = name), edit.execute(...call)) })
    for (const name of Object.keys(inWords)) this.tools[`edit:${name}`] = ((mode = name), inMode(name))
    for (let count = this.tree.files.size; count < 12; count++) {
      const path = `d${count % 6}/first${count}.${this.random.pick(['ts', 'txt', 'py'])}`
      const text = newText(this.random, this.life)
      const change = this.tree.begin([{ [path]: text }])
      this.tree.writeOutside(path, text)
      this.tree.end(change, [])
    }
  }

  /** @param {string} tool @param {any} params @param {AbortSignal} [signal] */
  call(tool, params, signal) {
    return this.tools[tool].execute(`${this.life}-${this.calls}`, params, signal, this.random.chance(0.2) ? () => {} : undefined)
  }

  /** The next plan. @returns {import('./moves.mjs').Plan} */
  #plan() {
    for (;;) {
      const plan = this.random.pick(weighted)(this)
      if (plan) return plan
    }
  }

  async #step() {
    const plan = this.#plan()
    const { signal, end } = this.#interruption()
    this.calls += 1
    const open = this.#open(plan)
    const running = this.#settled(plan, plan.run ? plan.run(signal) : this.call(plan.tool, plan.params, signal))
    plan.meanwhile?.()
    this.#close(open, await running, signal?.aborted ?? false)
    end()
  }

  /** Several calls of one message, under one signal. */
  async #batch() {
    const plans = Array.from({ length: this.random.between(2, 5) }, () => this.#plan()).filter(({ run, meanwhile, outcomes }) => !run && !meanwhile && !outcomes)
    const { signal, end } = this.#interruption()
    this.calls += plans.length
    const opened = plans.map((plan) => this.#open(plan))
    const content = plans.map(({ tool, params }, index) => ({ type: 'toolCall', id: `${index}`, name: tool, arguments: params }))
    const tools = Object.entries(this.tools).map(([name, tool]) => ({ ...tool, name }))
    const ended = await this.#settled({ tool: 'batch', params: content }, executeToolCalls({ tools, assistantMessage: { role: 'assistant', content, timestamp: 1 }, signal, hooks: { afterToolCall: async () => undefined } }))
    const results = ended.value?.toolResults ?? []
    if (ended.error || results.length !== plans.length) this.#fault({ tool: 'batch', params: content }, ended.error ?? `${results.length} results`)
    opened.forEach((open, index) => this.#close(open, !results[index] || results[index].isError ? { error: undefined, refused: true } : { value: results[index] }, signal?.aborted ?? false))
    end()
  }

  /** Who may end a call, and when. */
  #interruption() {
    if (this.random.chance(0.2)) return { signal: undefined, end() {} }
    if (this.random.chance(0.7)) return { signal: this.forever, end() {} }
    if (this.random.chance(0.2)) return { signal: AbortSignal.timeout(this.random.below(30)), end() {} }
    const controller = new AbortController()
    const abort = () => controller.abort(new Error('enough'))
    if (this.random.chance(0.1)) abort()
    const timer = this.random.chance(0.5) ? setTimeout(abort, this.random.below(12)) : undefined
    if (!timer) queueMicrotask(abort)
    return { signal: controller.signal, end: () => clearTimeout(timer) }
  }

  /** @param {import('./moves.mjs').Plan} plan */
  #open(plan) {
    const change = plan.outcomes && this.tree.begin(plan.outcomes)
    return { plan, watch: this.tree.watch(), change, mayBeRefused: change?.paths.some((path) => this.foreign.has(path)) || Boolean(plan.meanwhile) }
  }

  /** @param {import('./moves.mjs').Plan} plan @param {Promise<any>} call */
  async #settled(plan, call) {
    let timer
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error(`never settled: ${plan.tool}`)), PATIENCE)
    })
    try {
      return { value: await Promise.race([call, late]) }
    } catch (error) {
      return { error }
    } finally {
      clearTimeout(timer)
    }
  }

  /** Judges how a call ended. */
  #close({ plan, watch, change, mayBeRefused }, { value, error, refused = false }, aborted) {
    watch.end()
    const before = change?.before
    const isAbort = error?.name === 'AbortError' && error.code === 'ABORT_ERR'
    const failed = error !== undefined || refused
    if (change) {
      const [success] = change.outcomes
      const allowed = !failed ? change.outcomes : isAbort && plan.foreign ? [before, ...change.outcomes] : [before]
      // Who else writes may come before or after.
      if (plan.meanwhile) allowed.push(...change.outcomes.slice(1))
      const { found, now } = this.tree.end(change, allowed)
      // The moment between a last look and the change itself belongs to nobody.
      if (plan.meanwhile && !plan.blind && found === success) this.#count('outside change lost')
      for (const path of change.paths) this.foreign[plan.foreign || plan.meanwhile ? 'add' : failed ? 'has' : 'delete'](path)
      if (!found) this.#fault(plan, `left ${JSON.stringify(now)}, before ${JSON.stringify(before)}, expected ${JSON.stringify(success)}, ended with ${error ?? 'a result'}`)
    }
    const end = refused ? 'refused' : isAbort ? 'aborted' : error ? error.code ?? error.name : 'done'
    this.#count(end)
    if (isAbort || (refused && aborted)) return aborted || this.#fault(plan, error)
    // The file may be gone by now.
    if (failed && plan.needs && watch.touched.has(plan.needs)) return
    if (failed) return this.#judgeFailure(plan, error, refused, mayBeRefused)
    if (plan.fails) return this.#fault(plan, `did not fail: ${JSON.stringify(value)?.slice(0, 500)}`)
    try {
      plan.check?.(value, watch.touched)
    } catch (wrong) {
      this.#fault(plan, wrong)
    }
  }

  /** @param {string} end */
  #count(end) {
    this.ends[end] = (this.ends[end] ?? 0) + 1
  }

  #judgeFailure(plan, error, refused, mayBeRefused) {
    if (plan.fails && (refused || plan.tool === 'count_lines' || (error.name === 'ToolError' && plan.fails.test(error.code)))) return
    // Calls overlap here, so that the numbers of one may be meant of the file before or after another: then nothing is edited.
    if (plan.tool === 'edit:hashline' && error?.code === 'stale_anchor') return
    // What is written by somebody else is not written over unseen.
    if (mayBeRefused && /^(changed_outside|concurrent_modification|stale_anchor|range_hash_conflict)$/.test(error?.code)) return
    this.#fault(plan, refused ? 'was refused' : error)
  }

  #fault({ tool, params }, what) {
    const words = what instanceof Error ? `${what.stack} ${what.code ?? ''}` : String(what)
    this.faults.push(`life ${this.life} (seed ${this.told.seed}), call ${this.calls}, ${tool} ${JSON.stringify(params)?.slice(0, 1000)}: ${words.slice(0, 3000)}`)
  }
}
