// A folder of 200 modules, 20 of them broken in ways of their own, and two ways to load it: a bare loop and ours.

import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { factory, tool } from './custom-tree.mjs'
import { discoverAndLoadCustomTools } from '../../src/js/index.js'

/** Each ends by itself: a bare loop has no limit of time. */
const broken = [
  "throw new Error('on import')",
  "throw 'only text'",
  'throw undefined',
  'null.field',
  'await Promise.reject(new Error("awaited"))',
  "import './nowhere.mjs'",
  "import { nothing } from 'node:path'; nothing()",
  'export default ( => {',
  'const twice = 1\nconst twice = 2',
  '',
  'export default class Tool {}',
  `export const named = () => (${tool('named')})`,
  "export default 'text'",
  "export default () => { throw new Error('in the factory') }",
  "export default async () => { throw new Error('later') }",
  'export default () => undefined',
  'export default () => [[]]',
  'export default () => ({ parameters: {}, execute() {} })',
  "export default () => ({ name: 'no_execute', parameters: {} })",
  "export default () => ({ get name() { throw new Error('get out') } })",
]

/** The modules by name; every tenth is broken, with an extension of its own. */
export function manyModules(extension) {
  const source = (at) => (at % 10 === 3 ? broken[(at - 3) / 10] : factory(`tool_${at}`))
  return Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`m${String(at).padStart(3, '0')}.${extension}`, source(at)]))
}

const { createJiti } = createRequire(import.meta.url)('jiti')
const jiti = createJiti(import.meta.url, { fsCache: false, interopDefault: false })

/** Loads one after the other with the loader that ours has, and counts what looks like a tool. */
export async function bareLoop(paths) {
  let count = 0
  for (const path of paths) {
    try {
      const isTranslated = /\.[cm]?ts$/.test(path) && !process.versions.bun
      const module = await (isTranslated ? jiti.import(path) : import(pathToFileURL(path).href))
      const tools = await module.default({})
      for (const { name, execute } of [tools].flat()) if (name && execute) count += 1
    } catch {
      // Not this one.
    }
  }
  return count
}

/** Milliseconds that work takes, and what it comes to. */
export async function timed(work) {
  const start = performance.now()
  const result = await work()
  return { milliseconds: performance.now() - start, result }
}

/** Both ways over fresh copies of the folder; `place` is a tree with `home` and `project`. */
export async function compare(place, extension, round) {
  const name = `${extension}-${round}`
  const bare = () => {
    const paths = copy(place, `bare-${name}`, extension)
    return timed(() => bareLoop(paths))
  }
  const ours = () => {
    copy(place, `ours-${name}/.xcsh/tools`, extension)
    return timed(() => discoverAndLoadCustomTools([], place.at(`ours-${name}`), ['read'], undefined, { home: place.home }))
  }
  // Each goes first as often as the other.
  if (round % 2 === 0) return { bare: await bare(), ours: await ours() }
  const first = await ours()
  return { bare: await bare(), ours: first }
}

function copy(place, folder, extension) {
  return Object.entries(manyModules(extension)).map(([name, source]) => {
    place.write(`${folder}/${name}`, source)
    return place.at(...`${folder}/${name}`.split('/'))
  })
}
