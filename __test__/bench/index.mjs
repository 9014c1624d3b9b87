// All benches, one after another, each in a process of its own, and one table of what they found.
//
//   npm run build && npm run bench                 everything; takes a while, and wants a quiet machine
//   npm run bench -- --only read --only edit       only these
//   npm run bench -- --json FILE                   the rows as JSON as well
//   npm run bench -- --write                       table and chart into the README
//
// Peers are installed from npm (into the folder that harness.mjs names); one that is not there is left out with a word.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { chart } from './chart.mjs'
import { line, short } from './harness.mjs'

/** In the order of the table. */
const BENCHES = ['search', 'read', 'edit', 'bash', 'ast', 'discovery', 'validation', 'calls', 'choice', 'custom-tools', 'road']

const MARKS = { start: '<!-- bench: written by `npm run bench -- --write` -->', end: '<!-- /bench -->' }

const root = fileURLToPath(new URL('../..', import.meta.url))
const { values } = parseArgs({ options: { only: { type: 'string', multiple: true }, json: { type: 'string' }, write: { type: 'boolean', default: false } } })
const wanted = values.only ?? BENCHES
const unknown = wanted.filter((name) => !BENCHES.includes(name))
if (unknown.length > 0) {
  console.error(`no such bench: ${unknown.join(', ')}; there are ${BENCHES.join(', ')}`)
  process.exit(2)
}

const folder = mkdtempSync(join(tmpdir(), 'bench-rows-'))
const results = []
try {
  for (const name of BENCHES.filter((name) => wanted.includes(name))) results.push(await run(name))
} finally {
  rmSync(folder, { recursive: true })
}
const machine = { cpu: cpus()[0]?.model.trim() ?? 'unknown', cores: cpus().length, system: `${process.platform} ${process.arch}`, node: process.version }
const page = table(results)
console.log(`\n${page}`)
if (values.json) writeFileSync(values.json, `${JSON.stringify({ machine, results }, undefined, 2)}\n`)
if (values.write) writeReadme(page)
process.exitCode = results.some(({ failed }) => failed) ? 1 : 0

/**
 * One bench to its end.
 * @param {string} name
 */
async function run(name) {
  const script = fileURLToPath(new URL(`${name}.mjs`, import.meta.url))
  if (!existsSync(script)) return { name, rows: [], failed: 'is not there' }
  console.log(`\n── ${name}`)
  const file = join(folder, name)
  const child = spawn(process.execPath, [script], { stdio: 'inherit', env: { ...process.env, BENCH_ROWS: file } })
  const [code, signal] = await once(child, 'exit')
  const told = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').map((text) => JSON.parse(text)) : []
  const megabytes = Math.max(...told.flatMap(({ megabytes }) => megabytes ?? []))
  return { name, rows: told.flatMap(({ row }) => row ?? []), ...(megabytes > 0 && { megabytes }), ...(code !== 0 && { failed: `ended with ${signal ?? code}` }) }
}

/** Everything that was measured, losses as plainly as wins. */
function table(results) {
  const cell = ({ median, min, max }, unit) => `${short(median)} ${unit} (${short(min)}–${short(max)})`
  const rows = results.flatMap(({ rows }) => rows.map(({ workload, unit, ours, peers, ratio, targets }) => {
    const theirs = Object.entries(peers).map(([name, times]) => `${name}: ${cell(times, unit)}`)
    const ratios = Object.entries(ratio).map(([name, value]) => `${name}: ${short(value)}${value > 1 ? ' ✗' : ''}`)
    const judged = targets.map(({ of, most, met }) => `≤ ${short(most)}${of ? ` × ${of}` : ` ${unit}`} ${met ? '✓' : '✗'}`)
    return `| ${[workload, cell(ours, unit), theirs.join('<br>'), ratios.join('<br>'), judged.join('<br>')].join(' | ')} |`
  }))
  const notes = results.flatMap(({ name, megabytes, failed }) => [...(megabytes ? [`${name} ${megabytes.toFixed(0)} MB`] : []), ...(failed ? [`${name} ${failed}`] : [])])
  return [
    '| workload | ours: median (min–max) | peers | ours ÷ theirs | target |',
    '|---|---|---|---|---|',
    ...rows,
    '',
    `✗: slower than the peer, or target missed. ${machine.cpu}, ${machine.cores} cores, ${machine.system}, Node ${machine.node}.`,
    ...(notes.length ? [`Peak memory of each bench with the peers that run inside of it: ${notes.join(', ')}.`] : []),
  ].join('\n')
}

/** Puts the table and the chart between the marks, or a section with them at the end. */
function writeReadme(page) {
  const rows = results.flatMap(({ rows }) => rows)
  writeFileSync(join(root, 'docs/bench.svg'), chart(rows))
  const file = join(root, 'README.md')
  const text = readFileSync(file, 'utf8')
  const section = `${MARKS.start}\n![How many times as fast as each peer, on a logarithmic scale](docs/bench.svg)\n\n${page}\n${MARKS.end}`
  const [start, end] = [text.indexOf(MARKS.start), text.indexOf(MARKS.end)]
  const whole = start >= 0 && end > start
  writeFileSync(file, whole ? text.slice(0, start) + section + text.slice(end + MARKS.end.length) : `${text.trimEnd()}\n\n## Speed\n\n${section}\n`)
  for (const row of rows.filter(({ targets }) => targets.some(({ met }) => !met))) console.log(`missed: ${line(row)}`)
}
