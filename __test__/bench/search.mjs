// search and find beside their peers, all in turn in one run: ripgrep, fd, pi's tools and oh-my-pi's natives.
//
//   npm run build && node __test__/bench/search.mjs [ROUNDS]
//
// BENCH_DIR is where peers and trees are installed from npm (kept for the next run); RG and FD name the programs, which are
// otherwise found on PATH. A peer that is not there is left out with a word. Medians in ms, and CPU of this process and its
// children: on a machine that has other work to do only the latter says much, as our threads give way to all others.
// A target is a part of the time of a peer; at the end stands which were met and which were missed.

import { execFile, execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { cpus, homedir, loadavg, tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

import { FindTool, SearchTool } from '../../src/js/index.js'
import { line, median, record } from './harness.mjs'

// A run of its own, so that nothing but the searches takes memory.
if (process.argv[2] === '--memory') {
  await memory(process.argv[3])
  process.exit()
}

const rounds = Number(process.argv[2] ?? 9)
const home = resolve(process.env.BENCH_DIR ?? join(tmpdir(), 'tool-core-search-bench'))
const PI = '@mariozechner/pi-coding-agent'
// Its own entry needs Bun; the binary beside it loads everywhere.
const OMP = `@oh-my-pi/pi-natives-${process.platform}-${process.arch}`
// About 60,000 files and 600 MB.
const CONTENT = ['@mui/icons-material', 'googleapis', 'aws-sdk', 'monaco-editor', 'date-fns', 'three', 'core-js', '@babel/standalone']

/** Which tree is at hand. */
let tree = ''

/** Everything that has a target. */
const judged = []

/** Parts of the time of a peer. */
const of = (peer, most) => [{ of: peer, most }]

const programs = { rg: program('RG', 'rg'), fd: program('FD', 'fd') }
const { pi, omp } = await peers()
const large = largeTree()
const small = smallTree()

const NOWHERE = 'zq_never_there_xk'
const WITHOUT_LITERAL = '[A-Z]\\w{3,8}\\d{4}Q\\b'

tree = 'large'
console.log(`\n${tree}: ${large}`)
for (const search of [
  { name: 'literal, nowhere', pattern: NOWHERE, targets: of('rg', 0.65) },
  { name: 'literal, everywhere, capped', pattern: 'import', capped: true, targets: of('rg', 0.5) },
  { name: 'regex without a literal', pattern: WITHOUT_LITERAL, targets: of('rg', 0.75) },
  { name: 'ignore case', pattern: 'zq_Never_There_xk', ignoreCase: true, targets: of('rg', 0.75) },
  { name: 'alternation', pattern: 'zq_never_there_xk|qz_nor_this_kx|zz_or_that_qq', targets: of('rg', 0.75) },
  { name: 'context', pattern: 'zq_never_there_\\w+', context: 3, targets: of('rg', 0.75) },
  { name: 'repeated, with the cache', pattern: NOWHERE, cache: true, targets: of('rg', 0.35) },
]) await compare(search.name, searchers(large, search), search.targets)
await compare('8 literals at once', together(large))
for (const glob of ['**/zq_never_there.zq', '**/*.ts']) await compare(`find ${glob}`, finders(large, glob), of('fd', 0.8))

tree = 'small'
console.log(`\n${tree}: ${small}`)
await compare('literal, nowhere', searchers(small, { pattern: NOWHERE }), of('rg', 0.35))
await compare('regex without a literal', searchers(small, { pattern: WITHOUT_LITERAL }), of('rg', 0.35))
await compare('find **/*.ts', finders(small, '**/*.ts'))
await resident(small)
await drift(large)
await resting(large)
await aborted(large)

const load = loadavg()[0]
const busy = load > cpus().length ? ` (load ${load.toFixed(1)}: other work took the time of threads that give way to it)` : ''
console.log(`\n${judged.filter(({ targets }) => targets.every(({ met }) => met)).length} of ${judged.length} targets met${busy}`)
for (const row of judged) console.log(line(row))

/** Records a number, which is judged where it has a target. */
function tell(measured) {
  const row = record(measured)
  if (row.targets.length > 0) judged.push(row)
  return row
}

/** How a target did, as a word. */
function verdict({ targets }) {
  return targets.map(({ met, most }) => ` | ≤ ${most}: ${met ? 'met' : 'missed'}`).join('')
}

/** Runs every peer in turn, and prints what ours is of theirs. */
async function compare(name, runs, targets = []) {
  const times = runs.map(() => ({ wall: [], cpu: [] }))
  for (let round = 0; round <= rounds; round += 1) {
    for (const [index, { run }] of runs.entries()) {
      const [start, cpu] = [performance.now(), cpuTime()]
      await run()
      // The first round warms up.
      if (round > 0) {
        times[index].wall.push(performance.now() - start)
        times[index].cpu.push(cpuTime() - cpu)
      }
    }
  }
  const peers = Object.fromEntries(times.slice(1).map(({ wall }, index) => [runs[index + 1].name, wall]))
  const row = tell({ workload: `${tree}, ${name}`, ours: times[0].wall, peers, targets })
  const [ours, ...theirs] = times.map(({ wall, cpu }) => ({ wall: median(wall), cpu: median(cpu) }))
  const parts = theirs.map(({ wall, cpu }, index) => {
    const ratio = (ours, their) => (their > 0 ? (ours / their).toFixed(2) : '–')
    return `${runs[index + 1].name} ${wall.toFixed(1)} (${ratio(ours.wall, wall)}, cpu ${ratio(ours.cpu, cpu)})`
  })
  console.log(`${name.padEnd(30)} ours ${ours.wall.toFixed(1)} | ${parts.join(' | ')}${verdict(row)}`)
}

function searchers(cwd, { pattern, ignoreCase = false, context = 0, capped = false, cache = false }) {
  const tool = new SearchTool(session(cwd, context, cache))
  const flags = ['--hidden', '--no-messages', '--line-number', '--glob', '!.git', '--glob', '!node_modules']
  if (ignoreCase) flags.push('-i')
  if (context) flags.push('-C', `${context}`)
  if (capped) flags.push('-m', '20')
  return present([
    { name: 'ours', run: () => tool.execute('1', { pattern, i: ignoreCase }) },
    programs.rg && { name: 'rg', run: () => spawned(programs.rg, [...flags, '--regexp', pattern, cwd], capped ? 100 : Infinity) },
    pi && { name: 'pi', run: () => pi.createGrepTool(cwd).execute('1', { pattern, path: cwd, ignoreCase, context, limit: 100 }) },
    omp && { name: 'omp', run: () => omp.grep({ pattern, path: cwd, ignoreCase, hidden: true, gitignore: true, context, ...(capped && { maxCount: 100 }) }) },
  ])
}

/** Eight searches for as many names, all started at once. */
function together(cwd) {
  const each = Array.from({ length: 8 }, (_, at) => searchers(cwd, { pattern: `${NOWHERE}_${at}` }))
  return each[0].map(({ name }, peer) => ({ name, run: () => Promise.all(each.map((runs) => runs[peer].run())) }))
}

function finders(cwd, glob) {
  const tool = new FindTool(session(cwd, 0))
  const name = glob.replace('**/', '')
  return present([
    { name: 'ours', run: () => tool.execute('1', { paths: [glob], limit: 1000 }) },
    programs.fd && { name: 'fd', run: () => spawned(programs.fd, ['--hidden', '-t', 'f', '-E', '.git', '-E', 'node_modules', '-g', name, cwd]) },
    pi && { name: 'pi', run: () => pi.createFindTool(cwd).execute('1', { pattern: glob, path: cwd, limit: 1000 }) },
    omp && { name: 'omp', run: () => omp.glob({ pattern: glob, path: cwd, hidden: true, gitignore: true, recursive: true, maxResults: 1000 }) },
  ])
}

/** A small repository in an agent that is large: a peer that forks copies page tables first. */
async function resident(cwd) {
  console.log('\nsmall, with 500 MB resident')
  tree = 'small, 500 MB resident'
  const ballast = Buffer.alloc(500 << 20, 1)
  await compare('literal, nowhere', searchers(cwd, { pattern: NOWHERE }), of('pi', 0.1))
  await compare('find **/*.ts', finders(cwd, '**/*.ts'), of('pi', 0.1))
  if (ballast[ballast.length - 1] !== 1) throw new Error('the ballast is gone')
}

/** How late a timer of 1 ms is while eight searches run, and while nothing does: the machine's own share. */
async function drift(cwd) {
  const tool = new SearchTool(session(cwd, 0))
  const idle = await lateness(() => new Promise((done) => setTimeout(done, 1000)))
  const late = await lateness(() => Promise.all(Array.from({ length: 8 }, () => tool.execute('1', { pattern: NOWHERE }))))
  const row = tell({ workload: 'timer drift p99 during 8 searches', ours: [at(late, 0.99)], targets: [{ most: 1.2 }] })
  const told = (values) => `p50 ${at(values, 0.5).toFixed(2)}, p99 ${at(values, 0.99).toFixed(2)}, most ${at(values, 1).toFixed(2)} ms`
  console.log(`\ntimer drift during 8 searches: ${told(late)}; with none: ${told(idle)}${verdict(row)}`)
}

/** How late each tick of a timer was meanwhile, in order. */
async function lateness(work) {
  const late = []
  let last = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    late.push(Math.max(0, now - last - 1))
    last = now
  }, 1)
  await work()
  clearInterval(timer)
  return late.sort((one, other) => one - other)
}

function at(sorted, part) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN
}

/** How much more memory eight searches take at their most than the tool does at rest. */
async function resting(cwd) {
  const child = fork(fileURLToPath(import.meta.url), ['--memory', cwd])
  const [grown] = await once(child, 'message')
  const row = tell({ workload: 'resident over idle during 8 searches', unit: 'MB', ours: [grown], targets: [{ most: 10 }] })
  console.log(`memory during 8 searches: ${grown.toFixed(1)} MB over idle${verdict(row)}`)
}

async function memory(cwd) {
  const tool = new SearchTool(session(cwd, 0))
  const search = (paths) => tool.execute('1', { pattern: 'zq_never_there_xk', paths })
  // What is loaded and compiled once is no part of it.
  await search(['.gitignore'])
  const idle = process.memoryUsage.rss()
  let most = idle
  const timer = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 2)
  await Promise.all(Array.from({ length: 8 }, () => search(['.'])))
  clearInterval(timer)
  process.send((most - idle) / 2 ** 20)
}

/** How fast a search settles after an abort, and how much CPU is used after that. */
async function aborted(cwd) {
  const tool = new SearchTool(session(cwd, 0))
  const [settled, burnt] = [[], []]
  for (let round = 0; round < 9; round += 1) {
    const controller = new AbortController()
    const call = tool.execute('1', { pattern: '[A-Z]\\w{3,8}\\d{4}Q\\b' }, controller.signal).catch(() => {})
    await new Promise((done) => setTimeout(done, 20))
    const start = performance.now()
    controller.abort()
    await call
    settled.push(performance.now() - start)
    await new Promise((done) => setTimeout(done, 5))
    const cpu = cpuTime()
    await new Promise((done) => setTimeout(done, 50))
    burnt.push(cpuTime() - cpu)
  }
  const after = tell({ workload: 'abort settles', ours: settled, targets: [{ most: 3 }] })
  // The process is never quite still: what a timer and a look at the clock cost.
  const quiet = tell({ workload: 'CPU from 5 to 55 ms after an abort', ours: burnt, targets: [{ most: 2 }] })
  console.log(`abort: settles after ${median(settled).toFixed(2)} ms${verdict(after)}; ${median(burnt).toFixed(1)} ms of CPU between 5 and 55 ms after${verdict(quiet)}`)
}

function session(cwd, context, cache = false) {
  const settings = { 'search.contextBefore': context, 'search.contextAfter': context, 'search.cache': cache }
  return { cwd, settings: { get: (key) => settings[key] }, getSessionFile: () => null, getSessionSpawns: () => null, hasEditTool: false }
}

/** Runs a program as an agent does, up to so many lines of output. */
function spawned(file, arguments_, most = Infinity) {
  return new Promise((done) => {
    const child = execFile(file, arguments_, { maxBuffer: 1 << 30 }, done)
    let lines = 0
    if (most < Infinity) {
      child.stdout?.on('data', (text) => {
        lines += String(text).split('\n').length - 1
        if (lines >= most) child.kill()
      })
    }
  })
}

/** CPU of this process and, where the system tells (in steps of 10 ms), of its children. */
function cpuTime() {
  const { userCPUTime, systemCPUTime } = process.resourceUsage()
  return (userCPUTime + systemCPUTime) / 1000 + childrenTime()
}

function childrenTime() {
  if (process.platform !== 'linux') return 0
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ')
  return (Number(fields[13]) + Number(fields[14])) * 10
}

function present(runs) {
  return runs.filter((run) => run && typeof run === 'object')
}

function program(variable, name) {
  const named = process.env[variable]
  if (named) return named
  const found = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name)).find((file) => existsSync(file))
  if (!found) console.log(`${name} is not on PATH and ${variable} is not set: left out`)
  return found
}

async function peers() {
  const folder = join(home, 'peers')
  install(folder, [`${PI}@0.73.1`, `${OMP}@18.2.3`])
  // pi finds its programs on PATH.
  for (const file of Object.values(programs)) if (file) process.env.PATH = `${dirname(file)}${delimiter}${process.env.PATH}`
  const inside = (name, path = '') => join(folder, 'node_modules', name, path)
  return {
    pi: await attempt('pi', () => import(pathToFileURL(inside(PI, 'dist/index.js')).href)),
    omp: await attempt('omp', () => {
      const binaries = readdirSync(inside(OMP)).filter((file) => file.endsWith('.node'))
      const binary = binaries.find((file) => file.includes('baseline')) ?? binaries[0]
      return createRequire(import.meta.url)(inside(OMP, binary))
    }),
  }
}

async function attempt(name, load) {
  try {
    return await load()
  } catch (error) {
    console.log(`${name} cannot be loaded (${error.message.split('\n')[0]}): left out`)
    return undefined
  }
}

/** What the registry has, under a name that nobody leaves out. */
function largeTree() {
  const folder = join(home, 'large')
  if (!existsSync(folder)) {
    const packages = join(home, 'content')
    install(packages, CONTENT)
    const made = `${folder}.part`
    mkdirSync(join(made, '.git'), { recursive: true })
    writeFileSync(join(made, '.gitignore'), '*.map\n')
    cpSync(join(packages, 'node_modules'), join(made, 'modules'), { recursive: true })
    renameNested(join(made, 'modules'))
    renameSync(made, folder)
  }
  return folder
}

function renameNested(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue
    const here = join(folder, entry.name)
    const target = entry.name === 'node_modules' ? join(folder, 'modules') : here
    if (target !== here) renameSync(here, target)
    renameNested(target)
  }
}

/** This repository. */
function smallTree() {
  return process.env.BENCH_SMALL ?? fileURLToPath(new URL('../..', import.meta.url))
}

function install(folder, packages) {
  if (existsSync(join(folder, 'node_modules'))) return
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  execFileSync(npm, ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages], { cwd: folder, stdio: 'inherit', env: { ...process.env, HOME: homedir() } })
}
