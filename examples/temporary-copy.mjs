// A copy of a directory that an agent may change as it likes.

import { cp, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'

const LEFT_OUT = new Set(['.git', 'node_modules', 'target', '.venv', 'dist', 'build'])

/** Copies `source` without version control, packages and build output. */
export async function temporaryCopy(source) {
  const from = resolve(source)
  const found = await stat(from).catch(() => undefined)
  if (!found?.isDirectory()) {
    console.error(`${source} is not a directory`)
    process.exit(2)
  }
  const directory = await mkdtemp(join(tmpdir(), 'agent-'))
  const keep = async (path) => {
    if (path !== from && LEFT_OUT.has(basename(path))) return false
    const entry = await stat(path).catch(() => undefined)
    return Boolean(entry?.isDirectory() || (entry?.isFile() && entry.size < 4 * 1024 * 1024))
  }
  await cp(from, directory, { recursive: true, filter: keep })
  return { directory, remove: () => rm(directory, { recursive: true, force: true }) }
}
