// Small trees on disk, as the vectors and the bug cases describe them.

import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  linkSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
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
  else if (node.hardlink !== undefined) linkSync(join(dirname(path), node.hardlink), path)
  else if (node.fifo) makeFifo(path)
  else if (node.git_init) run('git', ['init', '--quiet', dirname(path)])
  else if (!node.dir) writeFileSync(path, bytesOf(node))
  if (node.gen?.sparse_bytes !== undefined) truncateSync(path, node.gen.sparse_bytes)
  if (node.mode !== undefined) chmodSync(path, typeof node.mode === 'string' ? Number.parseInt(node.mode, 8) : node.mode)
}

function bytesOf(node) {
  if (typeof node === 'string') return node
  if (node.base64 !== undefined) return Buffer.from(node.base64, 'base64')
  if (node.gen) return generated(node.gen)
  if (!node.repeat) return node.content ?? ''
  const { text, count } = node.repeat
  return Array.from({ length: count }, (_, index) => text.replaceAll('{i}', index + 1)).join('')
}

/** The text of a rule such as `{prefix, repeat, count, suffix}`. */
export function generated({ prefix = '', repeat = '', count = 0, suffix = '' }) {
  return prefix + repeat.repeat(count) + suffix
}

function makeFifo(path) {
  run('mkfifo', [path])
}

/** Runs a program that must succeed. */
export function run(program, args, options) {
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8', ...options })
  if (status !== 0) throw new Error(`${program}: ${error?.message ?? stderr}`)
}

/** Faults unless files are as described; `null` means that there is none. */
export function fileFaults(root, expected = {}, where = 'files') {
  return Object.entries(expected).flatMap(([path, node]) => nodeFaults(join(root, path), node, `${where}: ${path}`))
}

/** A description is a content, or an object of what is to be compared: `base64`, `content`, `gen`, `mode`, `size`, `symlink`. */
function nodeFaults(at, node, where) {
  if (node?.symlink !== undefined) return subsetFaults(node.symlink, statOf(at)?.isSymbolicLink() ? readlinkSync(at) : '(no link)', where)
  const { size, mode } = node ?? {}
  const stat = size === undefined && mode === undefined ? undefined : statOf(at)
  return [
    ...(size === undefined ? [] : subsetFaults(size, stat?.size, `${where} (size)`)),
    ...(mode === undefined ? [] : subsetFaults(mode, stat && (stat.mode & 0o7777).toString(8).padStart(4, '0'), `${where} (mode)`)),
    ...contentFaults(at, node, where),
  ]
}

function contentFaults(at, node, where) {
  if (node?.base64 !== undefined) return subsetFaults(Buffer.from(node.base64, 'base64').toString('latin1'), contentOf(at, 'latin1'), where)
  if (node?.gen !== undefined) return subsetFaults(generated(node.gen), contentOf(at, 'utf8'), where)
  if (node?.content !== undefined) return subsetFaults(node.content, contentOf(at, 'utf8'), where)
  const saysMore = typeof node === 'object' && node !== null && !node.$long
  return saysMore ? [] : subsetFaults(node, contentOf(at, 'utf8'), where)
}

function statOf(path) {
  return lstatSync(path, { throwIfNoEntry: false })
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
