// `read` against the read tool of another agent, call by call in one run: a source file, fifty at once, the middle and the
// end of a large log, and what the log reads leave in memory.
//
//   node __test__/bench/read.mjs            build first: the numbers of a debug build mean nothing

import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, realpathSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { ReadTool } from '../../src/js/index.js'
import { testSession } from '../js/session.mjs'
import { report } from './harness.mjs'
import { pi } from './peers.mjs'

const LOG_LINES = 2_000_000
const MIDDLE = { offset: 100_000, limit: 100 }
const SETTINGS = {
  plain: { readHashLines: false },
  numbered: { readHashLines: false, readLineNumbers: true },
  anchored: {},
}

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')

const [, , only, directory] = process.argv
if (only === '--memory-ours' || only === '--memory-peer') {
  await memory(only, directory)
} else {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bench-read-')))
  try {
    await compare(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function compare(cwd) {
  makeFiles(cwd)
  const peer = await peerTool(cwd)
  const sources = Array.from({ length: 50 }, (_, index) => `source${index}.ts`)
  // A file that has just changed may change again unseen; nothing is remembered of it.
  await sleep(4000)

  const end = { offset: LOG_LINES - 98, limit: 100 }
  const { plain, numbered, anchored } = Object.fromEntries(Object.entries(SETTINGS).map(([name, settings]) => [name, ourTool(cwd, settings)]))
  const theirs = (path, range) => peer && (() => read(peer, path, range))
  for (const [name, tool] of Object.entries({ plain, numbered, anchored })) {
    await row(`2,000 lines, ${name}`, 200, () => read(tool, 'source0.ts:1-2000'), theirs('source0.ts'), 0.5)
  }
  await row('50 files at once, anchored', 20, () => Promise.all(sources.map((path) => read(anchored, `${path}:1-2000`))), peer && (() => Promise.all(sources.map((path) => read(peer, path)))), 0.35)
  const middle = `log.txt:${MIDDLE.offset}-${MIDDLE.offset + MIDDLE.limit}`
  const atMiddle = await row('middle of the log, plain', 7, () => read(plain, middle), theirs('log.txt', MIDDLE), 1 / 150)
  await row('middle of the log, anchored, not the first time', 7, () => read(anchored, middle), theirs('log.txt', MIDDLE), 1 / 150)
  const atEnd = await row('end of the log, plain', 7, () => read(plain, 'log.txt'), theirs('log.txt', end), 1 / 1000)
  await row('end of the log, anchored, not the first time', 7, () => read(anchored, 'log.txt'), theirs('log.txt', end), 1 / 1000)
  await firstReads(cwd, atMiddle, atEnd)

  for (const who of peer ? ['--memory-ours', '--memory-peer'] : ['--memory-ours']) {
    const { stdout, stderr } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), who, cwd], { encoding: 'utf8' })
    console.log(stdout.trim() || stderr)
  }
}

/**
 * What nobody has looked at yet, each in a process of its own. The peer remembers nothing, so that its times are those of
 * any read.
 */
async function firstReads(cwd, peerAtMiddle, peerAtEnd) {
  const script = `
    const { ReadTool } = await import(${JSON.stringify(new URL('../../src/js/index.js', import.meta.url).href)})
    const { testSession } = await import(${JSON.stringify(new URL('../js/session.mjs', import.meta.url).href)})
    const [settings, path] = JSON.parse(process.argv[1])
    const tool = new ReadTool(testSession({ cwd: ${JSON.stringify(cwd)}, settings }))
    await tool.execute('id', { path: 'source0.ts' })
    const started = performance.now()
    await tool.execute('id', { path })
    console.log(performance.now() - started)`
  for (const [name, settings] of Object.entries(SETTINGS)) {
    const middle = `log.txt:${MIDDLE.offset}-${MIDDLE.offset + MIDDLE.limit}`
    const isPlain = settings === SETTINGS.plain
    for (const [what, path, peer, target] of [
      ['middle', middle, peerAtMiddle, isPlain ? 1 / 150 : 1 / 25],
      ['end', 'log.txt', peerAtEnd, isPlain ? 1 / 1000 : 1 / 25],
    ]) {
      const times = Array.from({ length: 7 }, () => {
        const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script, JSON.stringify([settings, path])], { encoding: 'utf8' })
        if (!stdout) throw new Error(stderr)
        return Number(stdout)
      })
      report({ workload: `read: ${what} of the log, ${name}, the first time`, ours: times, peers: { pi: peer }, targets: [{ of: 'pi', most: target }] })
    }
  }
}

async function memory(who, cwd) {
  const peer = who === '--memory-peer' ? await peerTool(cwd) : undefined
  const tool = peer ?? ourTool(cwd, {})
  await read(tool, 'source0.ts')
  collect()
  const idle = process.memoryUsage().rss
  const peak = peakFromNow()
  for (let round = 0; round < 5; round++) {
    await read(tool, peer ? 'log.txt' : `log.txt:${MIDDLE.offset}-${MIDDLE.offset + MIDDLE.limit}`, peer && MIDDLE)
    await read(tool, 'log.txt', peer && { offset: LOG_LINES - 98 })
  }
  const grown = (peak() - idle) / 1024 / 1024
  const workload = 'read: peak memory of the log reads over idle'
  if (peer) console.log(`${workload}, pi: ${grown.toFixed(1)} MB`)
  else report({ workload, unit: 'MB', ours: [grown], targets: [{ most: 4 }] })
}

/**
 * Gives the peak of this process since now, in bytes. What `resourceUsage` tells is at least the peak of the process that
 * started this one; only Linux can begin a new one.
 */
function peakFromNow() {
  if (process.platform !== 'linux') return () => process.resourceUsage().maxRSS * 1024
  writeFileSync('/proc/self/clear_refs', '5')
  return () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]) * 1024
}

function makeFiles(cwd) {
  for (let index = 0; index < 50; index++) {
    const lines = Array.from({ length: 2000 }, (_, line) => `  const v${line} = f(${index});`)
    writeFileSync(join(cwd, `source${index}.ts`), lines.join('\n'))
  }
  const log = openSync(join(cwd, 'log.txt'), 'w')
  for (let line = 0; line < LOG_LINES; line += 10_000) {
    const lines = Array.from({ length: 10_000 }, (_, index) => {
      const stamp = new Date(1_700_000_000_000 + (line + index) * 1000).toISOString()
      return `${stamp} INFO worker-${index % 8} handled request ${line + index} in ${index % 97} ms, status 200, cached\n`
    })
    writeSync(log, lines.join(''))
  }
  closeSync(log)
}

function ourTool(cwd, settings) {
  return new ReadTool(testSession({ cwd, settings }))
}

/** The peer's tool; absent where it cannot be had. */
async function peerTool(cwd) {
  return (await pi())?.createReadTool(cwd)
}

async function read(tool, path, range) {
  const { content } = await tool.execute('id', { path, ...range })
  if (!content[0]?.text) throw new Error(`nothing read of ${path}`)
}

/**
 * Ours and the peer's in turns; the peer's times. Where theirs takes long it comes behind all of ours: what it leaves to
 * collect, and the turn on the processor that it used up, would be charged to us.
 */
async function row(name, rounds, ours, theirs, target) {
  const times = { ours: [], theirs: [] }
  const inTurns = rounds >= 10
  if (!inTurns) {
    collect()
    await sleep(500)
  }
  for (let round = 0; round < rounds; round++) {
    times.ours.push(await timed(ours))
    if (theirs && inTurns) times.theirs.push(await timed(theirs))
  }
  while (theirs && times.theirs.length < rounds) times.theirs.push(await timed(theirs))
  report({ workload: `read: ${name}`, ours: times.ours, peers: { pi: times.theirs }, targets: [{ of: 'pi', most: target }] })
  return theirs && times.theirs
}

async function timed(work) {
  const started = performance.now()
  await work()
  return performance.now() - started
}
