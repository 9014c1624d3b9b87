// Which names of a list this package lacks.

import { readFileSync } from 'node:fs'

const contract = readFileSync(new URL('../../index.d.ts', import.meta.url), 'utf8')
const types = new Set([...contract.matchAll(/^export (?:declare )?(?:abstract )?(?:class|interface|type|function|const) (\w+)/gm)].map(([, name]) => name))

/**
 * The missing ones, in the order of the list.
 * @param {{ values: string[], types: string[] }} names
 */
export async function missingNames(names) {
  const ours = await import('../../src/js/index.js')
  return [...names.values.filter((name) => !(name in ours)), ...names.types.filter((name) => !types.has(name))]
}
