// `edit` in mode replace against the edit tool of another agent, in turns in one run: one exact text in 5,000 and 50,000
// lines, with and without waiting for the disk, and texts that are only nearly there. The other one is installed into a
// folder outside of this repository; without a network only our own numbers are shown.
//
//   node __test__/bench/edit.mjs            build first: the numbers of a debug build mean nothing

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { EditTool } from '../../src/js/index.js'
import { testSession } from '../js/session.mjs'
import { record } from './harness.mjs'

const PEER = { name: '@mariozechner/pi-coding-agent', version: '0.73.1' }
const ROUNDS = 11

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bench-edit-')))
try {
  const peer = await peerTool(folder)
  for (const lines of [5_000, 50_000]) {
    const name = `${lines} lines`
    await row(`${name}, exact, not waiting for the disk`, lines, exact, { 'write.durable': false }, peer, 0.1)
    await row(`${name}, exact, on the disk`, lines, exact, {}, peer, 0.3)
    for (const height of [1, 8, 40]) await row(`${name}, ${height} searched, one letter off`, lines, typo(height), { 'write.durable': false })
    await row(`${name}, 8 searched, nothing close`, lines, absent, { 'write.durable': false })
  }
} finally {
  rmSync(folder, { recursive: true })
}

/** A line of a source file; the numbers spread so that lines are alike but not equal. */
function sourceLine(index) {
  return `  const value${index} = await compute(request.body[${(index * 7919) % 1009}], options, ${index % 13}) // step ${index}`
}

/** The line in the middle as it stands. @param {number} lines */
function exact(lines) {
  return { oldText: sourceLine(lines >> 1), newText: '  const changed = true' }
}

/** @param {number} height */
function typo(height) {
  return (/** @type {number} */ lines) => {
    const texts = Array.from({ length: height }, (_, index) => sourceLine((lines >> 1) + index))
    texts[height >> 1] = texts[height >> 1].replace('request', 'reqest')
    return { oldText: texts.join('\n'), newText: '  const changed = true' }
  }
}

function absent() {
  return { oldText: Array.from({ length: 8 }, (_, index) => `|${'#'.repeat(20 + index)} nothing like it |`).join('\n'), newText: 'x' }
}

async function peerTool(cwd) {
  const place = join(tmpdir(), `bench-peer-${PEER.version}`)
  const entry = join(place, 'node_modules', PEER.name, 'dist/index.js')
  if (!existsSync(entry)) {
    mkdirSync(place, { recursive: true })
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
    spawnSync(npm, ['install', '--prefix', place, '--no-audit', '--no-fund', '--ignore-scripts', `${PEER.name}@${PEER.version}`])
  }
  if (existsSync(entry)) return (await import(pathToFileURL(entry).href)).createEditTool(cwd)
  console.log(`${PEER.name} could not be installed: our own numbers only`)
}

/** Ours and the peer's in turns, each time on a fresh file. */
async function row(name, lines, change, settings, peer, target) {
  const content = `${Array.from({ length: lines }, (_, index) => sourceLine(index)).join('\n')}\n`
  const tool = new EditTool(testSession({ cwd: folder, settings: { 'edit.mode': 'replace', ...settings } }))
  const { oldText, newText } = change(lines)
  const edit = { path: 'source.ts', edits: [{ old_text: oldText, new_text: newText }] }
  const theirs = { path: 'source.ts', edits: [{ oldText, newText }] }
  const times = { ours: [], theirs: [] }
  for (let round = 0; round < ROUNDS; round++) {
    times.ours.push(await timed(content, () => tool.execute('id', edit)))
    if (peer && target) times.theirs.push(await timed(content, () => peer.execute('id', theirs)))
  }
  const own = median(times.ours)
  const other = median(times.theirs)
  const compared = times.theirs.length > 0 ? `, peer ${other.toFixed(2)} ms, ratio ${(own / other).toFixed(3)} (target ${target})` : ''
  console.log(`${name}: median ${own.toFixed(2)} ms${compared}`)
  record({ workload: `edit, ${name}`, ours: times.ours, peers: { pi: times.theirs }, targets: target ? [{ of: 'pi', most: target }] : [] })
}

/** A text that is not found is an answer, too. */
async function timed(content, work) {
  writeFileSync(join(folder, 'source.ts'), content)
  const started = performance.now()
  await work().catch((/** @type {any} */ error) => {
    if (error.code !== 'no_match') throw error
  })
  return performance.now() - started
}

function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1]
}
