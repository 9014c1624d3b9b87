// Whether this package takes the place of an agent's tool core: which names are missing, and whether the agent runs on it.
// The agent is a published one whose tool core is TypeScript for Bun; it is installed into a folder of its own. Its tool
// modules are then swapped for ours, export by export, and its sessions, settings and tools go through our code.

import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { missingNames, replaced } from './drop-in/names.mjs'
import { locate, runtimes } from './runtimes.mjs'
import { install, root, run, step } from './setup.mjs'

const AGENT = '@oh-my-pi/pi-coding-agent'
const VERSION = '14.9.9'

/** The modules of its tool core, without the ending. */
const MODULES = [
  'tools/index',
  'tools/output-meta',
  'tools/tool-result',
  'tools/tool-errors',
  'tools/list-limit',
  'tools/path-utils',
  'tools/grouped-file-output',
  'tools/auto-generated-guard',
  'tools/read',
  'tools/search',
  'tools/find',
  'tools/write',
  'tools/bash',
  'tools/resolve',
  'tools/search-tool-bm25',
  'tools/todo-write',
  'tools/review',
  'tools/yield',
  'tool-discovery/tool-index',
  'session/streaming-output',
  'session/tool-choice-queue',
  'utils/tool-choice',
  'utils/edit-mode',
  'utils/file-display-mode',
  'edit/index',
  'edit/notebook',
  'hashline/index',
  'extensibility/custom-tools/index',
  'extensibility/tool-proxy',
  'exec/exec',
]

const place = join(root, 'target/drop-in')
const bun = locate(runtimes.find(({ name }) => name === 'bun'))

install()
const isComplete = await tellSurface()
installAgent()
const exported = exportsOf(join(place, 'node_modules', AGENT, 'src'))
const swapped = await swap(exported)
await tellModules(exported)
step(`${AGENT} ${VERSION} on our tools`)
const runs = ['run-session.mjs', 'run-task.mjs'].map((script) => spawnSync(bun, [join(root, 'scripts/drop-in', script), swapped], { stdio: 'inherit', cwd: place }))
process.exitCode = isComplete && runs.every(({ status }) => status === 0) ? 0 : 1

/** What the lists of names lack: nothing, but for names of second lists that docs/switching.md has another way for. */
async function tellSurface() {
  const { areas, contract } = JSON.parse(readFileSync(join(root, '__test__/fixtures/surface.json'), 'utf8'))
  step('missing names')
  const lists = [['the contract', contract, true], ...areas.flatMap(({ area, imported, beside }) => [[area, imported, true], [`${area}, beside`, beside, false]])]
  let isComplete = true
  for (const [title, names, isRequired] of lists) {
    const absent = await missingNames(names)
    const missing = absent.filter((name) => isRequired || !replaced.has(name))
    if (missing.length > 0) isComplete = false
    console.log(`${title}: ${missing.length === 0 ? 'none' : `${missing.length} of ${names.values.length + names.types.length}: ${missing.join(', ')}`}`)
    const others = absent.filter((name) => !missing.includes(name))
    for (const way of new Set(others.map((name) => replaced.get(name)))) console.log(`  ${others.filter((name) => replaced.get(name) === way).join(', ')} → ${way}`)
  }
  return isComplete
}

function installAgent() {
  const manifest = join(place, 'node_modules', AGENT, 'package.json')
  if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === VERSION) return
  step(`installing ${AGENT} ${VERSION}`)
  mkdirSync(place, { recursive: true })
  writeFileSync(join(place, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-save', `${AGENT}@${VERSION}`], { cwd: place })
}

/**
 * The values that each module exports, as Bun sees them.
 * @param {string} source
 * @returns {Record<string, string[]>}
 */
function exportsOf(source) {
  const script = `const names = {}
for (const module of ${JSON.stringify(MODULES)}) names[module] = Object.keys(await import(${JSON.stringify(source)} + '/' + module + '.ts'))
process.stdout.write('\\n' + JSON.stringify(names), () => process.exit(0))`
  const { stdout, stderr, status } = spawnSync(bun, ['-e', script], { encoding: 'utf8', cwd: place, maxBuffer: 1 << 26 })
  if (status !== 0) throw new Error(`the modules of the agent cannot be loaded: ${stderr}`)
  return JSON.parse(stdout.slice(stdout.lastIndexOf('\n{') + 1))
}

/**
 * A copy of the agent in which each module exports ours in place of its own, as far as we have them.
 * @param {Record<string, string[]>} exported
 */
async function swap(exported) {
  const ours = await import('../src/js/index.js')
  const entry = pathToFileURL(join(root, 'src/js/index.js')).href
  const copy = join(place, 'swapped')
  rmSync(copy, { recursive: true, force: true })
  cpSync(join(place, 'node_modules', AGENT), copy, { recursive: true })
  for (const [module, names] of Object.entries(exported)) {
    const taken = names.filter((name) => name in ours)
    if (taken.length === 0) continue
    const path = join(copy, 'src', `${module}.ts`)
    renameSync(path, path.replace(/\.ts$/, '.original.ts'))
    const base = module.split('/').at(-1)
    writeFileSync(path, `export * from './${base}.original'\nexport { ${taken.join(', ')} } from ${JSON.stringify(entry)}\n`)
  }
  return join(copy, 'src')
}

/** @param {Record<string, string[]>} exported */
async function tellModules(exported) {
  const ours = await import('../src/js/index.js')
  step('modules of the agent')
  for (const [module, names] of Object.entries(exported)) {
    const missing = names.filter((name) => !(name in ours))
    console.log(`${module}: ${names.length - missing.length} of ${names.length} swapped${missing.length > 0 && missing.length <= 12 ? `; its own: ${missing.join(', ')}` : ''}`)
  }
}
