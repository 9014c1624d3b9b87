// The fuzzy matcher and the diff of another agent as published, in TypeScript, in a process of Bun: one request a line in,
// milliseconds of the bare function and its CPU out. Of the package only the three files that match and diff are loaded; what else
// they import is absent, and not asked for on the way.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'

/** The package's folder, and one beside the jsdiff it asks for. */
const [, , folder, place] = process.argv
const FILES = ['normalize.ts', 'diff.ts', 'modes/replace.ts']
const KEPT = new Set(['diff', './normalize', './modes/replace', '../normalize', '../diff'])

for (const file of FILES) {
  const target = join(place, 'matcher', file)
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, alone(readFileSync(join(folder, 'src/edit', file), 'utf8')))
}
const { findMatch } = await import(pathToFileURL(join(place, 'matcher/modes/replace.ts')).href)
const { generateDiffString } = await import(pathToFileURL(join(place, 'matcher/diff.ts')).href)

const work = {
  match: ({ content, searched }) => findMatch(content, searched, { allowFuzzy: true, threshold: 0.95 }),
  diff: ({ old, changed }) => generateDiffString(old, changed),
}

for await (const request of createInterface({ input: process.stdin })) {
  const [name, file] = JSON.parse(request)
  const given = JSON.parse(readFileSync(file, 'utf8'))
  const [started, spent] = [performance.now(), process.cpuUsage()]
  work[name](given)
  const { user, system } = process.cpuUsage(spent)
  console.log(JSON.stringify([performance.now() - started, (user + system) / 1000]))
}

/** The text of a module with the imports that are not among {@link KEPT} absent. */
function alone(text) {
  const absent = 'const absent: any = new Proxy(() => absent, { get: () => absent, apply: () => absent })\n'
  const body = text.replace(/^import (type )?(?:\{([^}]*)\}|\* as \w+) from "([^"]+)";$/gm, (whole, isType, names, from) => {
    if (KEPT.has(from)) return whole
    const values = isType ? [] : names.split(',').map((name) => name.trim()).filter((name) => name && !name.startsWith('type '))
    return values.map((name) => `const ${name}: any = absent`).join('\n')
  })
  return absent + body
}
