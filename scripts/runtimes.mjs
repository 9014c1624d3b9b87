// Where Bun and Deno are, and how each runtime runs test files.

import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './setup.mjs'
import { testFiles } from './tests.mjs'

const modules = join(root, 'node_modules')
const suffix = process.platform === 'win32' ? '.exe' : ''

/**
 * The runtimes that tests run under; Node is last, so that its summary stands at the end of a log. The npm packages of
 * Bun and Deno put the binary in place with an install script; where npm did not run it, the binary still lies in the
 * package of the platform.
 */
export const runtimes = [
  {
    name: 'bun',
    candidates: () => [join(modules, 'bun/bin/bun.exe'), ...inside('@oven', `bin/bun${suffix}`), 'bun'],
    // Each file in a global object of its own, as the others do it. One test may take longer than Bun's own 5 s on a
    // busy machine. A bare name would be a filter, not a path.
    arguments: () => ['test', '--isolate', '--timeout', '120000', ...everywhere().map((file) => `./${file}`)],
    counts: (output) => ({ passed: sum(output, /^\s*(\d+) pass$/gm), failed: sum(output, /^\s*(\d+) fail$/gm) }),
  },
  {
    name: 'deno',
    candidates: () => [join(modules, `deno/deno${suffix}`), ...inside('@deno', `deno${suffix}`), 'deno'],
    arguments: () => ['test', '--allow-all', '--no-check', ...everywhere()],
    counts: (output) => ({ passed: sum(output, /\| (\d+) passed/g), failed: sum(output, /\| (\d+) failed/g) }),
  },
  {
    name: 'node',
    candidates: () => [process.execPath],
    arguments: () => ['--test', '--test-reporter=spec', ...everywhere(), ...testFiles('package')],
    counts: (output) => ({ passed: sum(output, /^ℹ pass (\d+)/gm), failed: sum(output, /^ℹ fail (\d+)/gm) }),
  },
]

/** What runs under every runtime; the tests of the published package need Node alone. */
function everywhere() {
  return testFiles('js', 'runtime', 'agents')
}

/** The first binary of a runtime that works here. */
export function locate({ name, candidates }) {
  const tried = candidates().filter((path) => path === name || existsSync(path))
  const found = tried.find((path) => spawnSync(path, ['--version'], { stdio: 'ignore' }).status === 0)
  if (found) return found
  throw new Error(`no ${name} that runs here; tried ${tried.join(', ')}. \`npm ci\` brings it with the optional dependencies.`)
}

/** `file` in each package of a scope, such as `@oven/bun-linux-x64`. */
function inside(scope, file) {
  const directory = join(modules, scope)
  return existsSync(directory) ? readdirSync(directory).map((entry) => join(directory, entry, file)) : []
}

/** The sum of the first group over all matches. */
export function sum(text, pattern) {
  return [...text.matchAll(pattern)].reduce((total, [, count]) => total + Number(count), 0)
}
