// ast_grep beside the natives of another agent, in turns in one run: patterns over 4,000 files of TypeScript.
//
//   npm run build && node __test__/bench/ast.mjs [ROUNDS]
//
// BENCH_DIR is where the peer and the files are installed from npm (kept for the next run). The target is for patterns with
// a text that not every file holds; the others are shown to tell what parsing alone costs. Medians of wall time and CPU; on
// a machine that has other work to do the latter says more, as our threads give way to all others.

import { cpSync, existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { AstGrepTool } from '../../src/js/index.js'
import { testSession } from '../js/session.mjs'
import { home, median, report } from './harness.mjs'
import { cpuTime, install, omp } from './peers.mjs'

const ROUNDS = Number(process.argv[2] ?? 5)
const FILES = 4_000
// Packages that are published with their sources.
const CONTENT = ['viem@2.57.20', 'ox@1.8.3', 'effect@4.1.0', 'zod@4.6.7', 'rxjs@7.8.2', '@trpc/server@11.25.2', '@tanstack/query-core@5.108.4']

const PATTERNS = [
  { pattern: 'zqNeverThere($A)', name: 'nowhere', target: 5 },
  { pattern: 'Object.defineProperty($A, $B, $C)', name: 'in few files', target: 5 },
  { pattern: 'console.log($$$A)', name: 'in some files', target: 5 },
  { pattern: 'new Error($$$A)', name: 'in more files', target: 5 },
  { pattern: 'if ($A) return $B', name: 'keywords alone' },
  { pattern: 'import $A from $B', name: 'a keyword of nearly all files' },
  { pattern: '$A($B, $B)', name: 'no literal, equal captures' },
]

const cwd = sources()
const tool = new AstGrepTool(testSession({ cwd }))
const peer = await omp()
console.log(`${FILES} files of TypeScript, ${ROUNDS} rounds after one to warm up; ms`)
for (const row of PATTERNS) await compare(row)

/** @param {{ pattern: string, name: string, target?: number }} row */
async function compare({ pattern, name, target }) {
  const runs = {
    ours: async () => (await tool.execute('id', { pat: pattern, paths: ['.'] })).details.matchCount,
    ...(peer && { theirs: async () => (await peer.astGrep({ patterns: [pattern], path: cwd, limit: 50, includeMeta: true })).totalMatches }),
  }
  const figures = Object.fromEntries(Object.keys(runs).map((who) => [who, { wall: [], cpu: [], found: 0 }]))
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [who, run] of Object.entries(runs)) {
      const figure = figures[who]
      const [started, cpu] = [performance.now(), cpuTime()]
      figure.found = await run()
      if (round === 0) continue
      figure.wall.push(performance.now() - started)
      figure.cpu.push(cpuTime() - cpu)
    }
  }
  const { ours, theirs } = figures
  const peers = { 'oh-my-pi': theirs?.wall }
  report({ workload: `ast_grep: ${pattern} (${name})`, ours: ours.wall, peers, targets: target ? [{ of: 'oh-my-pi', most: 1 / target }] : [] })
  console.log(Object.entries(figures).map(([who, { cpu, found }]) => `  ${who}: ${median(cpu).toFixed(1)} ms of CPU, ${found} matches`).join('\n'))
}

/** So many files, under a name that nobody leaves out. */
function sources() {
  const folder = join(home, `sources-${FILES}`)
  if (existsSync(folder)) return folder
  const modules = install('sources', CONTENT)
  const isSource = (name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts')
  const names = readdirSync(modules, { recursive: true, encoding: 'utf8' }).filter(isSource).sort().slice(0, FILES)
  if (names.length < FILES) throw new Error(`the packages hold only ${names.length} sources`)
  const part = `${folder}.part`
  for (const name of names) {
    const target = join(part, name.replaceAll('node_modules', 'modules'))
    mkdirSync(dirname(target), { recursive: true })
    cpSync(join(modules, name), target)
  }
  renameSync(part, folder)
  return folder
}
