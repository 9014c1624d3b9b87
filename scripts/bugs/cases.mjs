// Bug cases as they lie on disk: one JSON file each.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../setup.mjs'

/** Where the project's own copy is. */
export const fixtures = join(root, '__test__/fixtures/bugs')

/**
 * The cases of a folder in order of their file names.
 * @param {string} folder
 * @param {string} [only] an id, the beginning of ids followed by `*`, or a kind
 */
export function readCases(folder, only) {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
  const cases = names.sort().map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')))
  return cases.filter(isSelected(only))
}

function isSelected(only) {
  if (only === undefined) return () => true
  return only.endsWith('*') ? ({ id }) => id.startsWith(only.slice(0, -1)) : ({ id, kind }) => id === only || kind === only
}
