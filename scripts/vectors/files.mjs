// Finds vector files, recognises what they are and applies the expectations that were changed on purpose.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join, relative, sep } from 'node:path'
import { root } from '../setup.mjs'

/** Where changed expectations live: one file for each vector file of the same name, keyed by case id. */
const changedFolder = join(root, '__test__/fixtures/changed')

/** Every vector file of a folder, in order of path; or the one file. */
export function findFiles(target) {
  if (!statSync(target).isDirectory()) return load(target, basename(target))
  return readdirSync(target, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !relative(target, path).split(sep).includes('changed'))
    .sort()
    .flatMap((path) => load(path, relative(target, path)))
}

/** A file as `{path, title, name, kind, meta, cases}`; none if it holds no cases. */
function load(path, title) {
  const content = JSON.parse(readFileSync(path, 'utf8'))
  const cases = Array.isArray(content) ? content : content?.cases
  // A list of what better rules overrule speaks about vectors, it holds none.
  if (!Array.isArray(cases) || cases.some((one) => one?.new_expectation !== undefined)) return []
  const name = basename(path, '.json')
  const quirks = path.split(sep).includes('quirks') || cases.some((one) => one?.quirk !== undefined)
  return [{ path, title, name, kind: quirks ? 'quirks' : kindOf(name, cases[0]), meta: content.meta, cases: cases.map(withId) }]
}

/** The shape of a case says what it is; the file name only where the shape does not. */
function kindOf(name, one) {
  if (typeof one !== 'object' || one === null) return name
  if (typeof one.tool === 'string' && one.tree) return 'exec'
  if (typeof one.mode === 'string' && one.files && one.params !== undefined) return 'edit'
  if (one.tools?.length > 0 && one.tools.every((tool) => typeof tool === 'string')) return 'create_tools'
  if (one.essentialOverride) return 'essential_names'
  if (Array.isArray(one.expected?.active) && one.expected.registry) return 'initial_partition'
  if (typeof one.built === 'boolean' && typeof one.hidden === 'boolean') return 'registry'
  return name
}

function withId(one, index) {
  if (typeof one !== 'object' || one === null || Array.isArray(one)) return { id: `#${index}`, index }
  return { ...one, id: String(one.id ?? one.name ?? `#${index}`), index }
}

/**
 * The changed expectations for files of a name. All keys of an entry but `why` replace those of the case:
 * `expected` or `expect`, and where needed `then`, `files_after` and the like.
 */
export function changedFor(name) {
  const path = join(changedFolder, `${name}.json`)
  const changed = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
  for (const [id, entry] of Object.entries(changed)) {
    if (!entry.why || Object.keys(entry).length < 2) throw new Error(`${path}: ${id} needs a new expectation and a why`)
  }
  return changed
}
