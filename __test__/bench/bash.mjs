// bash beside the bash tool of another agent, in turns in one run: how long a command takes that does nothing, also in a
// host that is large; a gigabyte of output; and what is left of a thousand calls that end in every way.
//
//   npm run build && node __test__/bench/bash.mjs [CALLS]
//
// BENCH_DIR is where the peer is installed from npm (kept for the next run); without it our own figures are shown. Fails if a
// process, a descriptor or a file is left.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BashTool } from '../../src/js/index.js'
import { testSession } from '../js/session.mjs'
import { interleave, report } from './harness.mjs'
import { pi } from './peers.mjs'

const CALLS = Number(process.argv[2] ?? 1_000)
const AT_ONCE = 20
const ROUNDS = 40
const MB = 1 << 20

const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'bench-bash-')))
try {
  const ours = new BashTool(testSession({ cwd }))
  const theirs = (await pi())?.createBashTool(cwd)
  const tools = { ours, ...(theirs && { pi: theirs }) }
  await nothing(tools, '0 MB more resident')
  const ballast = Buffer.alloc(500 * MB, 1)
  await nothing(tools, '500 MB more resident')
  assert.equal(ballast.at(-1), 1)
  const output = {}
  for (const [who, tool] of Object.entries(tools)) output[who] = await gigabyte(tool)
  report({ workload: 'bash: yes | head -c 1G', ours: [output.ours.milliseconds], peers: { pi: output.pi && [output.pi.milliseconds] }, targets: [{ of: 'pi', most: 1 }] })
  report({ workload: 'bash: memory for it', unit: 'MB', ours: [output.ours.megabytes], peers: { pi: output.pi && [output.pi.megabytes] }, targets: [{ most: 20 }] })
  await storm(ours)
} finally {
  rmSync(cwd, { recursive: true })
}

/** Start to result of `true`. */
async function nothing(tools, name) {
  const runs = Object.fromEntries(Object.entries(tools).map(([who, tool]) => [who, () => tool.execute('id', { command: 'true' })]))
  const { ours, pi } = await interleave(runs, { rounds: ROUNDS })
  report({ workload: `bash: true, ${name}`, ours, peers: { pi }, targets: [{ of: 'pi', most: 1 }] })
}

/** How long a gigabyte takes, and how much larger the process is at its largest moment. */
async function gigabyte(tool) {
  globalThis.gc?.()
  const before = process.memoryUsage.rss()
  let most = before
  // Of the whole process, sampled while the call runs; what is freed in between is still seen.
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 5)
  const started = performance.now()
  await tool.execute('id', { command: 'yes | head -c 1G', timeout: 600 })
  clearInterval(watch)
  return { milliseconds: performance.now() - started, megabytes: (Math.max(most, process.memoryUsage.rss()) - before) / MB }
}

/** Calls that end by themselves, by their time, by an abort at any moment, and leave things behind. */
async function storm(tool) {
  const marker = `${90_000_000 + process.pid}`
  const commands = [
    'true',
    'exit 3',
    'kill -9 $$',
    `sleep ${marker}`,
    `sleep ${marker} & echo started`,
    `trap '' TERM; sleep ${marker}; sleep ${marker}`,
    `(setsid sleep ${marker} &) ; sleep ${marker} | cat`,
    `yes ${marker}`,
    `sleep ${marker} & kill -STOP $!; wait`,
    `exec 1>&- 2>&-; sleep ${marker}`,
  ]
  await tool.execute('id', { command: 'true' })
  const [descriptors, threads] = [descriptorCount(), threadCount()]
  const ends = new Map()
  const random = generator(1)
  const started = performance.now()
  let next = 0
  const worker = async () => {
    while (next < CALLS) {
      const command = commands[next++ % commands.length]
      const abort = new AbortController()
      // Some before the call has begun, some while the shell starts, some together with the timeout of a second.
      const after = random() < 0.1 ? 0 : random() < 0.1 ? 1_000 : random() * 150
      const timer = random() < 0.8 && setTimeout(() => abort.abort(), after)
      const end = await tool.execute('id', { command, timeout: 1 }, abort.signal).then(() => 'finished', (error) => error.code)
      if (timer) clearTimeout(timer)
      ends.set(end, (ends.get(end) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${CALLS} calls, ${AT_ONCE} at once, in ${seconds} s: ${[...ends].map(([end, count]) => `${count} ${end}`).join(', ')}`)
  const left = execFileSync('ps', ['-A', '-o', 'pid=,args='], { encoding: 'utf8' }).split('\n').filter((line) => line.includes(marker))
  assert.deepEqual(left, [], 'a process is left')
  assert.deepEqual(children(), [], 'a zombie is left')
  assert.equal(descriptorCount(), descriptors, 'a descriptor is left')
  assert.deepEqual(readdirSync(cwd), [], 'a file is left')
  const grown = threadCount() - threads
  console.log(`left: no process, no zombie, no descriptor, no file${Number.isNaN(grown) ? '' : `; ${grown} more threads of the pool`}`)
}

function descriptorCount() {
  return existsSync('/proc/self/fd') ? readdirSync('/proc/self/fd').length : NaN
}

function threadCount() {
  return existsSync('/proc/self/task') ? readdirSync('/proc/self/task').length : NaN
}

/** Our own children, but for the `ps` that tells. */
function children() {
  if (!existsSync('/proc/self/stat')) return []
  const stats = readdirSync('/proc').filter((name) => /^\d+$/.test(name)).flatMap((id) => {
    try {
      return [readFileSync(`/proc/${id}/stat`, 'utf8')]
    } catch {
      return []
    }
  })
  return stats.filter((stat) => stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] === String(process.pid))
}

/** The same numbers in each run. @param {number} seed */
function generator(seed) {
  return () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return seed / 2 ** 31
  }
}
