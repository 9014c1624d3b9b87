// Loading a folder of 200 tool modules, 20 of them broken, against a bare loop with the same loader in the same process.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { compare } from '../js/custom-many.mjs'

const rounds = 6
const root = mkdtempSync(join(tmpdir(), 'custom-bench-'))
const at = (...path) => join(root, ...path)
const write = (path, content) => {
  mkdirSync(dirname(at(path)), { recursive: true })
  writeFileSync(at(path), content)
}

try {
  for (const extension of ['mjs', 'ts']) {
    const results = []
    for (let round = 0; round < rounds; round++) results.push(await compare({ at, write, home: at('home') }, extension, round))
    const median = (way) => results.map((result) => result[way].milliseconds).sort((one, other) => one - other)[rounds / 2]
    const [bare, ours] = [median('bare'), median('ours')]
    const { tools, errors } = results[0].ours.result
    console.log(`200 .${extension}: ${tools.length} load, ${errors.length} errors; bare loop ${bare.toFixed(0)} ms, ours ${ours.toFixed(0)} ms (× ${(ours / bare).toFixed(2)}), first round × ${(results[0].ours.milliseconds / results[0].bare.milliseconds).toFixed(2)}`)
  }
} finally {
  rmSync(root, { recursive: true })
}
