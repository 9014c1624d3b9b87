// Writes seeds: for the edit targets from the recorded cases, for archives small ones of each format. A target has its own in
// corpus/NAME: `node fuzz/seeds.mjs`.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'

import { archives } from './archives.mjs'

const fixtures = new URL('../__test__/fixtures/vectors/edit/', import.meta.url)
const corpus = new URL('corpus/', import.meta.url)

/** Parts of a seed, NUL between them; undefined where the case has no use for the target. */
const parts = {
  hashline: ([file], { input }) => [file, input],
  patch: ([file], { edits }) => edits?.[0]?.diff && [file, edits[0].diff],
  apply_patch: ([one, two = ''], { input }, names) => [one, two, names.slice(0, 2).reduce((text, name, at) => text.replaceAll(name, 'ab'[at]), input)],
  vim: ([file], { steps = [] }) => Array.isArray(steps) && steps.length > 0 && [file, ...steps.flatMap(({ kbd, insert }) => [kbd?.join?.('') ?? '', insert ?? ''])],
  replace: ([file], { edits }) => Array.isArray(edits) && [file, ...edits.flatMap(({ old_text: old, new_text: new_ }) => [old, new_])],
}

for (const [name, bytes] of Object.entries(archives)) writeFileSync(new URL(name, directoryOf('archive')), bytes)

for (const [target, of] of Object.entries(parts)) {
  const directory = directoryOf(target)
  for (const { id, files, params } of JSON.parse(readFileSync(new URL(`${target}.json`, fixtures), 'utf8'))) {
    const texts = Object.values(files ?? {}).filter((text) => typeof text === 'string')
    const seed = texts.length > 0 && of(texts, params ?? {}, Object.keys(files))
    if (seed && seed.every((part) => typeof part === 'string')) writeFileSync(new URL(id, directory), seed.join('\0'))
  }
}

/** @param {string} target */
function directoryOf(target) {
  const directory = new URL(`${target}/`, corpus)
  mkdirSync(directory, { recursive: true })
  return directory
}
