// Which names of a list this package lacks.

import { readFileSync } from 'node:fs'

const contract = readFileSync(new URL('../../index.d.ts', import.meta.url), 'utf8')
const types = new Set([...contract.matchAll(/^export (?:declare )?(?:abstract )?(?:class|interface|type|function|const) (\w+)/gm)].map(([, name]) => name))

/**
 * Names that are not to be here, each with what stands in its place: the table of docs/switching.md.
 * @type {ReadonlyMap<string, string>}
 */
export const replaced = new Map(
  readFileSync(new URL('../../docs/switching.md', import.meta.url), 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, names, instead] = line.match(/^\| (`.*`) \| (.*) \|$/) ?? []
      return names === undefined ? [] : [...names.matchAll(/`(\w+)`/g)].map(([, name]) => [name, instead])
    }),
)

/**
 * The missing ones, in the order of the list.
 * @param {{ values: string[], types: string[] }} names
 */
export async function missingNames(names) {
  const ours = await import('../../src/js/index.js')
  return [...names.values.filter((name) => !(name in ours)), ...names.types.filter((name) => !types.has(name))]
}
