// `read` against the read tool of another agent, call by call in one run: a source file, fifty at once, the middle and the
// end of a large log, and what the log reads leave in memory. The other one is installed into a folder outside of this
// repository; without a network only our own numbers are shown.
//
//   node __test__/bench/read.mjs            build first: the numbers of a debug build mean nothing

import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, realpathSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { ReadTool } from '../../src/js/index.js'
import { testSession } from '../js/session.mjs'
import { record } from './harness.mjs'

const PEER = { name: '@mariozechner/pi-coding-agent', version: '0.73.1' }
const LOG_LINES = 2_000_000
const MIDDLE = { offset: 100_000, limit: 100 }
const SETTINGS = {
  plain: { readHashLines: false },
  numbered: { readHashLines: false, readLineNumbers: true },
  anchored: {},
}

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
  await firstReads(cwd)
  const { plain, numbered, anchored } = Object.fromEntries(Object.entries(SETTINGS).map(([name, settings]) => [name, ourTool(cwd, settings)]))
  for (const [name, tool] of Object.entries({ plain, numbered, anchored })) {
    await row(`2,000 lines, ${name}`, 200, () => read(tool, 'source0.ts:1-2000'), peer && (() => read(peer, 'source0.ts')), 0.5)
  }
  await row('50 files at once, anchored', 20, () => Promise.all(sources.map((path) => read(anchored, `${path}:1-2000`))), peer && (() => Promise.all(sources.map((path) => read(peer, path)))), 0.35)
  const middle = `log.txt:${MIDDLE.offset}-${MIDDLE.offset + MIDDLE.limit}`
  await row('middle of the log, plain', 7, () => read(plain, middle), peer && (() => read(peer, 'log.txt', MIDDLE)), 1 / 150)
  await row('middle of the log, anchored, not the first time', 7, () => read(anchored, middle), peer && (() => read(peer, 'log.txt', MIDDLE)), 1 / 150)
  await row('end of the log, plain', 7, () => read(plain, 'log.txt'), peer && (() => read(peer, 'log.txt', end)), 1 / 1000)
  await row('end of the log, anchored, not the first time', 7, () => read(anchored, 'log.txt'), peer && (() => read(peer, 'log.txt', end)), 1 / 1000)

  for (const who of peer ? ['--memory-ours', '--memory-peer'] : ['--memory-ours']) {
    const { stdout, stderr } = spawnSync(process.execPath, ['--expose-gc', fileURLToPath(import.meta.url), who, cwd], { encoding: 'utf8' })
    console.log(stdout.trim() || stderr)
  }
}

/** What nobody has looked at yet, each in a process of its own; targets are fractions of the peer's median. */
async function firstReads(cwd) {
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
    for (const [what, path] of [['middle', `log.txt:${MIDDLE.offset}-${MIDDLE.offset + MIDDLE.limit}`], ['end', 'log.txt']]) {
      const times = Array.from({ length: 7 }, () => {
        const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script, JSON.stringify([settings, path])], { encoding: 'utf8' })
        if (!stdout) throw new Error(stderr)
        return Number(stdout)
      })
      console.log(`${what} of the log, ${name}, the first time: median ${median(times).toFixed(2)} ms`)
    }
  }
}

async function memory(who, cwd) {
  const peer = who === '--memory-peer' ? await peerTool(cwd) : undefined
  const tool = peer ?? ourTool(cwd, {})
  await read(tool, 'source0.ts')
  globalThis.gc()
  const idle = process.memoryUsage().rss
  forgetPeak()
  for (let round = 0; round < 5; round++) {
    await read(tool, peer ? 'log.txt' : `log.txt:${MIDDLE.offset}-${MIDDLE.offset + MIDDLE.limit}`, peer && MIDDLE)
    await read(tool, 'log.txt', peer && { offset: LOG_LINES - 98 })
  }
  const grown = (process.resourceUsage().maxRSS * 1024 - idle) / 1024 / 1024
  console.log(`peak memory of the log reads over idle, ${peer ? 'peer' : 'ours'}: ${grown.toFixed(1)} MB${peer ? '' : '; target ≤ 4 MB'}`)
}

/** The peak of the start is not that of the reads; only Linux can begin a new one. */
function forgetPeak() {
  if (process.platform === 'linux') writeFileSync('/proc/self/clear_refs', '5')
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

/** The peer's tool, installed once; absent where that fails. */
async function peerTool(cwd) {
  const folder = join(tmpdir(), `bench-peer-${PEER.version}`)
  const entry = join(folder, 'node_modules', PEER.name, 'dist/index.js')
  if (!existsSync(entry)) {
    mkdirSync(folder, { recursive: true })
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
    spawnSync(npm, ['install', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts', `${PEER.name}@${PEER.version}`])
  }
  if (existsSync(entry)) return (await import(pathToFileURL(entry).href)).createReadTool(cwd)
  console.log(`${PEER.name} could not be installed: our own numbers only`)
}

async function read(tool, path, range) {
  const { content } = await tool.execute('id', { path, ...range })
  if (!content[0]?.text) throw new Error(`nothing read of ${path}`)
}

/** Ours and the peer's in turns. */
async function row(name, rounds, ours, theirs, target) {
  const times = { ours: [], theirs: [] }
  for (let round = 0; round < rounds; round++) {
    times.ours.push(await timed(ours))
    if (theirs) times.theirs.push(await timed(theirs))
  }
  const own = median(times.ours)
  const compared = theirs ? `, peer ${median(times.theirs).toFixed(2)} ms, ratio ${ratio(own / median(times.theirs))} (target ${ratio(target)})` : ''
  console.log(`${name}: median ${own.toFixed(3)} ms${compared}`)
  record({ workload: `read, ${name}`, ours: times.ours, peers: { pi: times.theirs }, targets: [{ of: 'pi', most: target }] })
}

async function timed(work) {
  const started = performance.now()
  await work()
  return performance.now() - started
}

function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1]
}

function ratio(value) {
  return value < 0.1 ? `1/${Math.round(1 / value)}` : value.toFixed(2)
}
