// What a folder must hold, and a record of it on the disk that outlives whoever is ended in the middle of a call.
//
// The record has a line for what is there at first, one for every change that is about to be tried (with each state it may
// lead to) and one for how it ended. A change without an end was under way when its thread was ended: then one of its
// states is there, or the one before it, and never a mixture.

import { createHash } from 'node:crypto'
import { appendFileSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** @typedef {Record<string, string | null>} State texts by path; null: no file */

export class Tree {
  /** @type {Map<string, string>} */
  files = new Map()
  /** @type {Set<string>} */
  #locked = new Set()
  /** What has changed under each call that is looking. @type {Set<Set<string>>} */
  #watches = new Set()
  #changes = 0

  /**
   * Starts from what is there.
   * @param {string} root
   * @param {string} record
   */
  constructor(root, record) {
    this.root = root
    this.record = record
    for (const path of pathsBelow(root)) this.files.set(path, this.onDisk(path) ?? '')
    this.#note({ first: hashes(Object.fromEntries(this.files)) })
  }

  /** @param {string} path */
  onDisk(path) {
    return textAt(join(this.root, path))
  }

  /** Paths that no change is about to touch. */
  free() {
    return [...this.files.keys()].filter((path) => !this.#locked.has(path))
  }

  /** @param {string} path */
  isFree(path) {
    return !this.#locked.has(path)
  }

  /** Begins to look; `touched` names what changed meanwhile, and so may be seen either way. */
  watch() {
    const touched = new Set(this.#locked)
    this.#watches.add(touched)
    return { touched, end: () => this.#watches.delete(touched) }
  }

  /**
   * Announces a change.
   * @param {State[]} outcomes what it may lead to, each a state of the same paths
   */
  begin(outcomes) {
    const id = this.#changes++
    const paths = Object.keys(outcomes[0])
    for (const path of paths) {
      this.#locked.add(path)
      for (const watch of this.#watches) watch.add(path)
    }
    const before = Object.fromEntries(paths.map((path) => [path, this.files.get(path) ?? null]))
    this.#note({ id, outcomes: outcomes.map(hashes) })
    return { id, paths, before, outcomes }
  }

  /**
   * Ends a change: what is there now is what counts, and has to be one of the states that are allowed.
   * @param {ReturnType<Tree['begin']>} change
   * @param {State[]} allowed
   */
  end({ id, paths, before }, allowed) {
    const now = Object.fromEntries(paths.map((path) => [path, this.onDisk(path)]))
    for (const [path, text] of Object.entries(now)) {
      if (text === null) this.files.delete(path)
      else this.files.set(path, text)
      this.#locked.delete(path)
    }
    this.#note({ id, is: hashes(now) })
    const found = allowed.find((state) => paths.every((path) => state[path] === now[path]))
    return { found, now, before }
  }

  /**
   * A change by somebody else, whole at every moment.
   * @param {string} path
   * @param {string} text
   */
  writeOutside(path, text) {
    const file = join(this.root, path)
    const draft = `${this.record}.draft`
    writeFileSync(draft, text)
    mkdirSync(dirname(file), { recursive: true })
    renameSync(draft, file)
  }

  #note(line) {
    appendFileSync(this.record, `${JSON.stringify(line)}\n`)
  }
}

/**
 * What is wrong with a folder, by its record.
 * @param {string} root
 * @param {string} record
 * @returns {string[]}
 */
export function differences(root, record) {
  const settled = new Map()
  const open = new Map()
  for (const line of readFileSync(record, 'utf8').split('\n').slice(0, -1)) {
    const { id, first, outcomes, is } = JSON.parse(line)
    for (const [path, hash] of Object.entries(first ?? is ?? {})) settled.set(path, hash)
    if (first) open.clear()
    if (outcomes) open.set(id, outcomes)
    if (is) open.delete(id)
  }
  const found = new Map(pathsBelow(root).map((path) => [path, hashOf(textAt(join(root, path)))]))
  const at = (/** @type {string} */ path) => found.get(path) ?? null
  const wrong = []
  for (const outcomes of open.values()) {
    const paths = Object.keys(outcomes[0])
    const before = Object.fromEntries(paths.map((path) => [path, settled.get(path) ?? null]))
    if (![before, ...outcomes].some((state) => paths.every((path) => state[path] === at(path)))) wrong.push(`neither before nor after: ${paths}`)
    for (const path of paths) settled.set(path, at(path))
  }
  for (const [path, hash] of settled) if (hash !== at(path)) wrong.push(`${at(path) === null ? 'missing' : hash === null ? 'not deleted' : 'other text'}: ${path}`)
  for (const path of found.keys()) if (!settled.has(path)) wrong.push(`nobody made ${path}`)
  return wrong
}

/** @param {string} root @returns {string[]} files, with `/` */
export function pathsBelow(root) {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(root.length + 1).replaceAll('\\', '/'))
}

/** @param {string} file */
function textAt(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
    throw error
  }
}

/** @param {State} state */
function hashes(state) {
  return Object.fromEntries(Object.entries(state).map(([path, text]) => [path, hashOf(text)]))
}

/** @param {string | null} text */
function hashOf(text) {
  return text === null ? null : createHash('sha1').update(text).digest('base64')
}
