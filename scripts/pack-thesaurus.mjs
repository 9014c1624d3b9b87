// Packs a thesaurus (JSON: word → [[neighbour, similarity], …]) into src/engine/discover/agent/thesaurus.bin.
// usage: node scripts/pack-thesaurus.mjs thesaurus.json
//
// Little endian: number of words; for each word and the end, where its text starts; likewise, where its neighbours
// start; the texts, sorted by bytes; the neighbours, each word number (2 bytes) and similarity in 255ths (1 byte).

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './setup.mjs'

const neighbours = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const known = new Set([...Object.keys(neighbours), ...Object.values(neighbours).flatMap((list) => list.map(([word]) => word))])
const words = [...known].sort((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)))
const numbers = new Map(words.map((word, number) => [word, number]))
if (words.length > 0xffff) throw new Error('more words than two bytes can number')

const texts = []
const links = []
for (const word of words) {
  texts.push(Buffer.from(word))
  const list = Object.hasOwn(neighbours, word) ? neighbours[word] : []
  links.push(Buffer.from(list.flatMap(([other, similarity]) => [numbers.get(other) & 0xff, numbers.get(other) >> 8, Math.round(similarity * 255)])))
}
writeFileSync(
  join(root, 'src/engine/discover/agent/thesaurus.bin'),
  Buffer.concat([integers([words.length]), integers(starts(texts, 1)), integers(starts(links, 3)), ...texts, ...links]),
)

function starts(parts, unit) {
  const all = [0]
  for (const part of parts) all.push(all.at(-1) + part.length / unit)
  return all
}

function integers(values) {
  return Buffer.from(Uint32Array.from(values).buffer)
}
