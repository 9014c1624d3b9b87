// Loading a folder of 200 tool modules, 20 of them broken, against a bare loop with the same loader in the same process.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { compare } from '../js/custom-many.mjs'
import { report } from './harness.mjs'

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
    const times = (way) => results.map((result) => result[way].milliseconds)
    const { tools, errors } = results[0].ours.result
    console.log(`200 .${extension}: ${tools.length} load, ${errors.length} errors; first round × ${(times('ours')[0] / times('bare')[0]).toFixed(2)}`)
    report({ workload: `load 200 modules, .${extension}`, ours: times('ours'), peers: { 'bare loop': times('bare') }, targets: [{ of: 'bare loop', most: 2 }] })
  }
} finally {
  rmSync(root, { recursive: true })
}
