// Hard use: many mixed calls in this thread and in workers that come and go, some ended in the middle of what they do. At
// the end every folder holds what its model says, and nothing is left: no memory, descriptors, threads, processes,
// listeners, drafts or journals.
//
//   npm run soak -- [--calls 100000] [--workers 8] [--seed 1] [--short]
//
// Exit code 1 and a line for every fault. A fault names the seed of its life, but what runs side by side is never the same
// twice. --short is what the tests run. Memory is judged in long runs alone.

import { once } from 'node:events'
import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'

import { descriptors, growth, held, leftProcesses, MARK } from './leaks.mjs'
import { Agent } from './agent.mjs'
import { random } from './random.mjs'
import { makeShared } from './shared.mjs'
import { differences } from './tree.mjs'

/** Memory may grow by this much once everything is warm: threads that come and go leave holes in it. */
const ALLOWED_MEGABYTES = 40
/** In fewer calls not every thread has met what takes most. */
const ENOUGH_FOR_MEMORY = 50_000
/** Threads of a pool that come and go with the work. */
const ALLOWED_THREADS = 8

const { values } = parseArgs({ options: { calls: { type: 'string', default: '100000' }, workers: { type: 'string', default: '8' }, seed: { type: 'string', default: '1' }, short: { type: 'boolean', default: false } } })
const [calls, workers, seed] = [values.calls, values.workers, values.seed].map(Number)
const short = Boolean(values.short)

const root = realpathSync(mkdtempSync(join(tmpdir(), 'soak-')))
const mark = `${process.pid}-${Date.now()}`
process.env[MARK] = mark
/** @type {string[]} */
const faults = []
process.on('unhandledRejection', (reason) => fault(`unhandled rejection: ${/** @type {any} */ (reason)?.stack ?? reason}`))
/** @type {Record<string, number>} */
const ends = {}
/** @type {ReturnType<typeof held>[]} */
const samples = []
const lives = { ended: 0, terminated: 0, exited: 0, total: 0 }
let done = 0
let folders = 0

const started = performance.now()
makeShared(root, short ? 120 : 400)
// What the first calls of a process leave for good is no leak.
await liveHere(`warm-up`, short ? 40 : 400)
const before = held()
const share = Math.ceil(calls / (workers + 1))
await Promise.all([slot(0, liveHere), ...Array.from({ length: workers }, (_, at) => slot(at + 1, liveThere))])
const after = await settle(before)

for (const folder of readdirSync(join(root, 'trees'))) differences(join(root, 'trees', folder), join(root, 'records', folder)).forEach((words) => fault(`${folder}: ${words}`))
judgeLeaks()
report()
if (faults.length === 0) rmSync(root, { recursive: true, force: true, maxRetries: 5 })
process.exit(faults.length === 0 ? 0 : 1)

/** Life after life until the slot has its share of the calls. */
async function slot(number, live) {
  const chance = random(seed * 1000 + number)
  let folder = ''
  for (let made = 0; made < share; ) {
    // Who ends well leaves the folder to the next one; one that was left in the middle of something is judged at the end.
    folder ||= `s${number}-${folders++}`
    const length = Math.min(share - made, short ? chance.between(60, 160) : chance.between(150, 900))
    const { calls: lived, well } = await live(folder, length, chance)
    made += Math.max(lived, 1)
    if (!well) folder = ''
  }
}

/** A life in this thread. */
async function liveHere(folder, length, chance) {
  const agent = new Agent(told(folder, length, chance))
  let seen = 0
  await agent.live((now) => {
    counted(now - seen)
    seen = now
  })
  take(agent)
  return { calls: agent.calls, well: true }
}

/** A life in a thread of its own, which may be ended from outside. */
async function liveThere(folder, length, chance) {
  const worker = new Worker(new URL('./worker.mjs', import.meta.url), { workerData: told(folder, length, chance) })
  const exited = once(worker, 'exit')
  const endAt = chance.chance(0.5) ? chance.below(length) : Infinity
  let lived = 0
  let well = false
  worker.on('error', (error) => fault(`a worker failed: ${error?.stack ?? error}`))
  worker.on('message', (message) => {
    counted((message.calls ?? lived) - lived)
    lived = message.calls ?? lived
    well ||= message.done === true
    take(message)
    // At any moment of what comes next.
    if (lived >= endAt && !message.done) setTimeout(() => void worker.terminate(), chance.below(20))
  })
  await exited
  lives[well ? 'ended' : 'terminated'] += 1
  if (!well && endAt === Infinity) fault(`a worker went away by itself: ${folder}`)
  return { calls: lived, well }
}

/** @returns {import('./agent.mjs').Life} */
function told(folder, length, chance = random(seed)) {
  const life = lives.total++
  return { life, seed: seed * 100_000 + life, calls: length, root, folder, durable: chance.chance(0.1) }
}

function take({ faults: more = [], ends: counts = {} }) {
  more.forEach(fault)
  for (const [end, count] of Object.entries(counts)) ends[end] = (ends[end] ?? 0) + count
}

/** @param {string} words */
function fault(words) {
  faults.push(words)
  if (faults.length <= 100) console.error(`FAULT ${words}`)
}

/** Looks at what is held after each tenth. */
function counted(more) {
  const tenth = Math.floor((done * 10) / calls)
  done += more
  if (short || Math.floor((done * 10) / calls) === tenth) return
  samples.push(held())
  const { megabytes, heap, descriptors, threads } = samples.at(-1)
  console.log(`${done} calls, ${((performance.now() - started) / 1000).toFixed(0)} s: ${megabytes.toFixed(0)} MB (${heap.toFixed(0)} MB of it heap here), ${descriptors} descriptors, ${threads} threads; ${faults.length} faults`)
}

/** What is held once all is quiet; threads and processes take a moment to go. */
async function settle(before) {
  const quiet = () => {
    const now = held()
    return leftProcesses(mark).length === 0 && (now.descriptors ?? 0) <= (before.descriptors ?? 0) && (now.threads ?? 0) <= (before.threads ?? 0) + ALLOWED_THREADS
  }
  for (let wait = 0; wait < 150 && !quiet(); wait++) await sleep(100)
  return held()
}

function judgeLeaks() {
  leftProcesses(mark).forEach((words) => fault(`left behind: ${words}`))
  const journals = readdirSync(join(root, 'state'), { recursive: true })
  if (journals.length > 0) console.log(`in the state directory: ${journals.join(' ')}`)
  for (const [name, more] of Object.entries({ descriptors: 0, threads: ALLOWED_THREADS, listeners: 0 })) {
    if ((after[name] ?? 0) > (before[name] ?? 0) + more) fault(`${name}: ${before[name]} before, ${after[name]} after${name === 'descriptors' ? `: ${descriptors().join(' ')}` : ''}`)
  }
  if (calls < ENOUGH_FOR_MEMORY) return
  const grown = growth(samples.map(({ megabytes }) => megabytes))
  if (grown > ALLOWED_MEGABYTES) fault(`memory grew by ${grown.toFixed(1)} MB`)
}

function report() {
  const seconds = (performance.now() - started) / 1000
  console.log(`${done} calls in ${seconds.toFixed(1)} s by ${lives.total} agents; workers: ${lives.ended} ended, ${lives.terminated} were terminated`)
  console.log(`ends: ${Object.entries(ends).sort((one, other) => other[1] - one[1]).map(([end, count]) => `${end} ${count}`).join(', ')}`)
  console.log(`before and after: ${JSON.stringify(before)} ${JSON.stringify(after)}${samples.length ? `; RSS after each tenth: ${samples.map(({ megabytes }) => megabytes.toFixed(0)).join(' ')} MB` : ''}`)
  console.log(faults.length === 0 ? 'no fault' : `${faults.length} faults; the trees stay in ${root}`)
}
