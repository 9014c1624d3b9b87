// Child processes of the runtime that runs the test, and copies of the package to break on purpose.

import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** What comes before a script's path on the command line. */
const arguments_ = 'Deno' in globalThis ? ['run', '--allow-all', '--no-check'] : []

/**
 * Runs a script with this runtime in a process of its own.
 * @param {string} file
 * @returns {Promise<{ code: number, stdout: string, stderr: string }>}
 */
export function runFile(file) {
  return new Promise((resolve) => {
    const options = { cwd: dirname(file), timeout: 60_000, env: { ...process.env, NO_COLOR: '1' } }
    execFile(process.execPath, [...arguments_, file], options, (error, stdout, stderr) => {
      resolve({ code: error ? (error.code ?? error.signal) : 0, stdout, stderr })
    })
  })
}

/** A directory that goes away with the test. */
export function temporaryDirectory(t) {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'gajae-tool-core-')))
  t.after(() => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }))
  return directory
}

/** Copies what the package needs to run into `directory`. */
export function copyPackage(directory, { withAddon = true } = {}) {
  for (const path of ['package.json', 'index.cjs', 'src/js']) {
    cpSync(join(root, path), join(directory, path), { recursive: true, filter: (source) => withAddon || !source.endsWith('.node') })
  }
  return directory
}

/**
 * Runs `source` as a file of `directory`.
 * @param {string} directory
 * @param {string} source
 * @param {string} [name]
 */
export function runSource(directory, source, name = 'main.mjs') {
  const file = join(directory, name)
  writeFileSync(file, source)
  return runFile(file)
}
