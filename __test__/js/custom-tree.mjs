// A home and a project on disk for tests of custom tools, and modules to put there.

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { discoverAndLoadCustomTools } from '../../src/js/index.js'

/** The source of a tool. */
export const tool = (name, members = '') =>
  `{ name: ${JSON.stringify(name)}, label: ${JSON.stringify(name)}, description: 'd', parameters: { type: 'object' }, async execute() { return { content: [] } }, ${members} }`

/** The source of a module with a factory of tools. */
export const factory = (...names) => `export default () => [${names.map((name) => tool(name)).join(', ')}]\n`

/** A directory with `home` and `project`, removed after the test. Files are given as `home/…` and `project/…`. */
export function tree(t, files = {}) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'custom-')))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const at = (...path) => join(root, ...path)
  for (const folder of ['home', 'project']) mkdirSync(at(folder))
  const write = (path, content) => {
    mkdirSync(dirname(at(path)), { recursive: true })
    writeFileSync(at(path), typeof content === 'string' || content instanceof Uint8Array ? content : JSON.stringify(content))
  }
  for (const [path, content] of Object.entries(files)) write(path, content)
  return { at, write, home: at('home'), project: at('project') }
}

/** Discovers and loads in such a directory. */
export function discover({ home, project }, { configured = [], builtins = [], push, ...options } = {}) {
  return discoverAndLoadCustomTools(configured, project, builtins, push, { home, ...options })
}

/** The names of loaded tools. */
export const namesOf = ({ tools }) => tools.map(({ tool }) => tool.name)

/** The errors as `[file name, code]`. */
export const codesOf = ({ errors }) => errors.map(({ path, code }) => [path.split(/[\\/]/).at(-1), code])
