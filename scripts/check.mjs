// Everything that can be said about the sources without running them: one line for each check, and the whole output of
// those that failed. Names of checks as arguments: only these.

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { buildArguments } from './addon.mjs'
import { readManifest } from './platforms.mjs'
import { install, newestSource, root } from './setup.mjs'
import { typescript } from './types.mjs'

/** Each check gives back its complaints; none means that all is well. */
const checks = {
  format: () => command('cargo', ['fmt', '--check']),
  lints: () => command('cargo', ['clippy', '--quiet', '--workspace', '--all-targets', '--', '-D', 'warnings']),
  // Nothing else compiles them, so that a change of the engine would leave them behind.
  'fuzz targets': () => command('cargo', ['check', '--quiet', '--manifest-path', 'fuzz/Cargo.toml', '--target-dir', 'target', '--bins']),
  layers,
  types: () => command(process.execPath, [typescript, '--project', '.']),
  'documented exports': documentedExports,
  'generated files': generatedFiles,
  'unused crates': unusedCrates,
  'unused packages': unusedPackages,
  'file names': fileNames,
}

// ── Checks ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/** What the layers must not know, as they are laid out in src/lib.rs; that the engine has no napi to name, cargo sees to. */
function layers() {
  const rules = [
    { files: /^src\/engine\/.*\.rs$/, never: /\bnapi(?:_derive)?\s*::|#\[napi|\bextern crate napi/, why: 'the engine never names napi' },
    { files: /^src\/engine\/.*\.rs$/, never: /\bcrate::binding\b/, why: 'the engine never uses the binding' },
    { files: /^(?:src|addon)\/lib\.rs$/, never: /\bnapi(?:_derive)?\s*::|#\[napi/, why: 'only src/binding names napi' },
    { files: /^src\/js\/(?!native\.cjs$|binding\.cjs$).*\.c?js$/, never: /(?:from|require\() ?'[./]*binding\.cjs'/, why: 'only native.cjs reaches the addon' },
  ]
  return rules.flatMap(({ files, never, why }) =>
    tracked(files).flatMap((path) =>
      read(path)
        .split('\n')
        .flatMap((line, index) => (never.test(withoutComment(line)) ? [`${path}:${index + 1}: ${why}: ${line.trim()}`] : [])),
    ),
  )
}

/** Every export of the contract has a comment before it; overloads share one. */
function documentedExports() {
  const lines = read('index.d.ts').split('\n')
  const nameOf = (line) => line?.match(/^export (?:declare )?(?:abstract )?\w+ (\w+)/)?.[1]
  const isTold = (index) => lines[index - 1].endsWith('*/') || nameOf(lines[index - 1]) === nameOf(lines[index])
  return lines.flatMap((line, index) => (nameOf(line) === undefined || isTold(index) ? [] : [`index.d.ts:${index + 1}: ${nameOf(line)} has no comment`]))
}

/** Builds loader and types of the addon aside, and compares them and the copy of the contract with what is committed. */
function generatedFiles() {
  const aside = 'target/generated'
  mkdirSync(join(root, aside), { recursive: true })
  // A release build that is up to date saves compiling again; what is generated is the same.
  const profile = isFresh('target/release') ? ['--release'] : []
  const complaints = command(process.execPath, [...buildArguments(aside), ...profile])
  if (complaints.length > 0) return complaints
  const pairs = [
    ['src/js/binding.cjs', `${aside}/binding.cjs`, '`npm run build`'],
    ['src/js/binding.d.ts', `${aside}/binding.d.ts`, '`npm run build`'],
    ['index.d.cts', 'index.d.ts', '`npm run types`'],
  ]
  return pairs
    .filter(([committed, fresh]) => read(committed) !== read(fresh))
    .map(([committed, , how]) => `${committed} is not what the sources give; run ${how} and commit it`)
}

/** Every dependency of a Cargo.toml is named somewhere in the sources of its crate. */
function unusedCrates() {
  const manifests = { 'Cargo.toml': /^(?:src\/engine|__test__|benches)\/.*\.rs$/, 'addon/Cargo.toml': /^(?:addon|src\/binding)\/.*\.rs$/ }
  return Object.entries(manifests).flatMap(([manifest, files]) => {
    const sources = tracked(files).map((path) => withoutComments(read(path))).join('\n')
    return crates(manifest).filter((name) => !new RegExp(`\\b${name.replaceAll('-', '_')}\\b`).test(sources)).map((name) => `${manifest}: ${name} is used nowhere`)
  })
}

/** Every npm dependency is named in a script, a test or a configuration. */
function unusedPackages() {
  const { dependencies, devDependencies, scripts } = readManifest()
  const files = tracked(/^(?:scripts|__test__|src\/js|examples)\/.*\.[cm]?[jt]s$/).filter((path) => path !== 'scripts/check.mjs')
  const sources = [...files.map(read), JSON.stringify(scripts)].join('\n')
  const { types = [] } = JSON.parse(read('tsconfig.json').replaceAll(/^\s*\/\/.*$/gm, '')).compilerOptions
  const isUsed = (name) => (name.startsWith('@types/') ? types.includes(name.slice('@types/'.length)) : new RegExp(`['/ "]${name}['/ "]`).test(sources))
  return Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !isUsed(name)).map((name) => `${name} is used nowhere`)
}

/** Rust files are snake_case, the others kebab-case; no two names differ only in case. */
function fileNames() {
  // Fixtures keep their names, texts have the names of their tools.
  const paths = tracked(/./).filter((path) => !/^(?:__test__\/fixtures|src\/engine\/registry\/texts)\//.test(path))
  const conventional = /^(?:[A-Z]+(?:-[A-Z]+)*(?:\.md)?|Cargo\.(?:toml|lock)|\..*)$/
  const wrong = paths.filter((path) => {
    const name = basename(path)
    if (conventional.test(name)) return false
    return !(name.endsWith('.rs') ? /^[a-z0-9_]+\.rs$/ : /^[a-z0-9]+(?:[.-][a-z0-9]+)*$/).test(name)
  })
  const seen = new Map()
  const twins = paths.filter((path) => {
    const known = seen.get(path.toLowerCase())
    seen.set(path.toLowerCase(), path)
    return known !== undefined
  })
  return [...wrong.map((path) => `${path}: not the naming of its kind`), ...twins.map((path) => `${path}: differs from another only in case`)]
}

// ── Helpers ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Runs a command; its output is the complaint if it fails. */
function command(name, arguments_) {
  const { status, stdout, stderr, error } = spawnSync(name, arguments_, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 })
  if (error) return [`cannot run ${name}: ${error.message}`]
  return status === 0 ? [] : [`${stdout}${stderr}`.trim() || `${name} ended with ${status}`]
}

/** Files that git knows or would know, by pattern. */
function tracked(pattern) {
  const { stdout, status, stderr } = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(`git ls-files: ${stderr}`)
  return [...new Set(stdout.split('\0'))].filter((path) => path !== '' && pattern.test(path) && existsSync(join(root, path)))
}

/** The names under every `[dependencies]`-like table of a manifest. */
function crates(manifest) {
  const names = new Set()
  let inside = false
  for (const line of read(manifest).split('\n')) {
    if (line.startsWith('[')) inside = /dependencies\]$/.test(line)
    else if (inside) names.add(line.match(/^([\w-]+)\s*=/)?.[1])
  }
  names.delete(undefined)
  return [...names]
}

/** Whether a build directory holds a library newer than all sources. */
function isFresh(directory) {
  const library = ['libgajae_tool_core_addon.so', 'libgajae_tool_core_addon.dylib', 'gajae_tool_core_addon.dll']
    .map((name) => join(root, directory, name))
    .find(existsSync)
  return library !== undefined && statSync(library).mtimeMs >= newestSource()
}

function read(path) {
  return readFileSync(join(root, path), 'utf8')
}

function withoutComment(line) {
  return line.replace(/\/\/.*/, '')
}

function withoutComments(text) {
  return text.split('\n').map(withoutComment).join('\n')
}

// ── Run ──────────────────────────────────────────────────────────────────────────────────────────────────────────────

install()
const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !(name in checks))
if (unknown.length > 0) throw new Error(`no such check: ${unknown.join(', ')}; there are ${Object.keys(checks).join(', ')}`)

let failures = 0
for (const [name, check] of Object.entries(checks)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const start = performance.now()
  const complaints = check()
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  console.log(`${complaints.length === 0 ? 'ok  ' : 'FAIL'} ${name.padEnd(16)} ${seconds.padStart(6)} s`)
  for (const complaint of complaints) console.log(complaint.replaceAll(/^/gm, '     '))
  if (complaints.length > 0) failures += 1
}
console.log(failures === 0 ? '\nall checks passed' : `\n${failures} failed`)
process.exitCode = failures === 0 ? 0 : 1
