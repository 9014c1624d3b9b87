// Small trees on disk, as the vectors describe them.

import { spawnSync } from 'node:child_process'
import { chmodSync, lutimesSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, sep } from 'node:path'
import { subsetFaults } from './compare.mjs'

/** Age of everything that names none. */
const defaultAge = 7200

/** Runs `use` in a fresh directory, given by its real path, and removes it afterwards. */
export async function withDirectory(use) {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'vectors-')))
  try {
    return await use(directory)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Builds a tree below `root`. Ages are set last, from the leaves up: creating a file makes its directory young. */
export function buildTree(root, tree = {}) {
  const now = Date.now() / 1000
  const ages = new Map([[root, defaultAge]])
  for (const [path, node] of Object.entries(tree)) {
    const at = join(root, path)
    for (let parent = dirname(at); parent.startsWith(root + sep); parent = dirname(parent)) {
      if (!ages.has(parent)) ages.set(parent, defaultAge)
    }
    build(at, node)
    ages.set(at, node.mtime_ago_s ?? defaultAge)
  }
  const deepestFirst = [...ages].sort(([a], [b]) => b.length - a.length)
  for (const [path, age] of deepestFirst) {
    const setTimes = tree[path.slice(root.length + 1)]?.symlink === undefined ? utimesSync : lutimesSync
    setTimes(path, now - age, now - age)
  }
}

function build(path, node) {
  mkdirSync(node.dir ? path : dirname(path), { recursive: true })
  if (node.symlink !== undefined) symlinkSync(node.symlink, path)
  else if (node.fifo) makeFifo(path)
  else if (!node.dir) writeFileSync(path, bytesOf(node))
  if (node.mode !== undefined) chmodSync(path, typeof node.mode === 'string' ? Number.parseInt(node.mode, 8) : node.mode)
}

function bytesOf(node) {
  if (typeof node === 'string') return node
  if (node.base64 !== undefined) return Buffer.from(node.base64, 'base64')
  if (!node.repeat) return node.content ?? ''
  const { text, count } = node.repeat
  return Array.from({ length: count }, (_, index) => text.replaceAll('{i}', index + 1)).join('')
}

function makeFifo(path) {
  const { status, stderr } = spawnSync('mkfifo', [path])
  if (status !== 0) throw new Error(`mkfifo: ${stderr}`)
}

/** Faults unless files have the given contents; `null` means that there is none. */
export function fileFaults(root, expected = {}, where = 'files') {
  return Object.entries(expected).flatMap(([path, content]) => {
    const wanted = content?.base64 === undefined ? content : Buffer.from(content.base64, 'base64').toString('latin1')
    const actual = contentOf(join(root, path), content?.base64 === undefined ? 'utf8' : 'latin1')
    return subsetFaults(wanted, actual, `${where}: ${path}`)
  })
}

/** Faults for files that nothing allows to be there. */
export function strayFaults(root, allowed, where = 'files') {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1).split(sep).join('/'))
    .filter((path) => !allowed.has(path))
    .map((path) => ({ where: `${where}: ${path}`, message: 'should not be there' }))
}

function contentOf(path, encoding) {
  try {
    return readFileSync(path, encoding)
  } catch (error) {
    return error.code === 'ENOENT' || error.code === 'ENOTDIR' ? undefined : `(${error.code})`
  }
}
