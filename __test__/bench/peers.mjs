// Other agents' packages, installed from npm into the folder of harness.mjs.

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { home } from './harness.mjs'

/** The package of an agent whose tools are written in TypeScript. */
export const PI = '@mariozechner/pi-coding-agent@0.73.1'
/**
 * The natives of another; its own entry needs Bun, the binary beside it loads everywhere. Not every registry has every
 * version of every platform.
 */
export const OMP = `@oh-my-pi/pi-natives-${process.platform}-${process.arch}@~18.2.10`

/**
 * Installs packages, if these very ones are not there yet. The folder that holds them.
 * @param {string} name of a folder of {@link home}
 * @param {string[]} packages
 */
export function install(name, packages) {
  const folder = join(home, name)
  const modules = join(folder, 'node_modules')
  const note = join(folder, 'installed.json')
  const wanted = JSON.stringify(packages)
  if (existsSync(note) && readFileSync(note, 'utf8') === wanted) return modules
  // What an earlier run left, whole or not, is of no use.
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  npm(['install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages], folder)
  // Last, so that half of an installation never counts as a whole one.
  writeFileSync(note, wanted)
  return modules
}

/**
 * What npm says on its standard output.
 * @param {string[]} words
 * @param {string} cwd
 */
export function npm(words, cwd) {
  const command = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  return execFileSync(command, words, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, HOME: homedir() } })
}

/** The module of {@link PI}; absent, with a word, where it cannot be had. */
export function pi() {
  return attempt('pi', () => import(pathToFileURL(join(install('pi', [PI]), nameOf(PI), 'dist/index.js')).href))
}

/** The module of {@link OMP}; absent, with a word, where it cannot be had. */
export function omp() {
  return attempt('oh-my-pi', () => {
    const folder = join(install('omp', [OMP]), nameOf(OMP))
    console.log(`oh-my-pi ${JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version}`)
    const binary = `pi_natives.${process.platform}-${process.arch}-${knowsAvx2() ? 'modern' : 'baseline'}.node`
    const plain = `pi_natives.${process.platform}-${process.arch}.node`
    return createRequire(import.meta.url)(join(folder, existsSync(join(folder, binary)) ? binary : plain))
  })
}

/** What `load` comes to; absent, with a word, where it fails. */
export async function attempt(name, load) {
  try {
    return await load()
  } catch (error) {
    console.log(`${name} cannot be had (${error.message.split('\n')[0]}): left out`)
    return undefined
  }
}

function nameOf(package_) {
  return package_.slice(0, package_.lastIndexOf('@'))
}

/** Which of two builds the other agent would load here. */
function knowsAvx2() {
  return process.platform === 'linux' && readFileSync('/proc/cpuinfo', 'utf8').includes(' avx2 ')
}

/** CPU of this process in ms. */
export function cpuTime() {
  const { userCPUTime, systemCPUTime } = process.resourceUsage()
  return (userCPUTime + systemCPUTime) / 1000
}
