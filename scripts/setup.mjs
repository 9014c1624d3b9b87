// What every command needs first: installed packages and, where asked for, a release build that is current.

import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Runs a command with the terminal attached; a failure ends the script with the same code. */
export function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
    ...options,
  })
  if (error) throw error
  if (status !== 0) {
    console.error(`\nfailed: ${command} ${args.join(' ')}`)
    process.exit(status ?? 1)
  }
}

/** Prints a heading, so that a long log can be read. */
export function step(title) {
  console.log(`\n── ${title}`)
}

/** Whether a module is the script that was started, and not imported by one. */
export function isMain(url) {
  return process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(url)
}

/** Installs the npm packages of a directory unless what is installed is what its lock file names. */
export function install(directory = root) {
  if (matchesLock(directory)) return
  step(directory === root ? 'npm packages' : `npm packages of ${relative(root, directory)}`)
  run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: directory })
}

/** Installs the agents and SDKs of examples/agents, and puts this package among them. */
export function installAgents() {
  const agents = join(root, 'examples/agents')
  install(agents)
  link(root, join(agents, 'node_modules/gajae-tool-core'))
  link(join(agents, 'node_modules'), join(root, '__test__/agents/node_modules'))
}

function link(target, path) {
  rmSync(path, { recursive: true, force: true })
  symlinkSync(target, path, 'junction')
}

function matchesLock(directory) {
  const record = join(directory, 'node_modules/.package-lock.json')
  if (!existsSync(record)) return false
  const [wanted, installed] = [join(directory, 'package-lock.json'), record].map((path) => JSON.parse(readFileSync(path, 'utf8')).packages)
  // Optional packages are those of other platforms.
  const fits = ([path, { version, optional }]) => (installed[path] ? installed[path].version === version : optional)
  return Object.entries(wanted).every(([path, wish]) => path === '' || fits([path, wish]))
}

/** Builds the addon unless the one beside the sources is newer than all of them. */
export function buildRelease() {
  const addon = newestAddon()
  if (addon !== undefined && addon > newestSource()) return
  step('addon (release build)')
  run(process.execPath, [join(root, 'scripts/build.mjs')])
}

/** When the youngest file that the addon is built from was changed. */
export function newestSource() {
  const sources = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(rs|md|json)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
  return Math.max(...[...sources, ...['Cargo.toml', 'Cargo.lock', 'addon/Cargo.toml', 'addon/lib.rs', 'addon/build.rs'].map((name) => join(root, name))].map(changed))
}

function newestAddon() {
  const addons = readdirSync(join(root, 'src/js')).filter((name) => name.endsWith('.node'))
  return addons.length > 0 ? Math.max(...addons.map((name) => changed(join(root, 'src/js', name)))) : undefined
}

function changed(path) {
  return statSync(path).mtimeMs
}
