// Loading the package: both module kinds, several copies, silence, and a chain that bundlers can follow.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import * as core from '../../src/js/index.js'
import { copyPackage, root, runSource, temporaryDirectory } from './process.mjs'

const require = createRequire(import.meta.url)

/** A session with nothing in it. */
const session = { cwd: root, hasUI: false, settings: { get() {} }, getSessionFile: () => null, getSessionSpawns: () => null }

test('CommonJS and ES modules share one set of classes', () => {
  const required = require('../../index.cjs')
  assert.deepEqual(Object.keys(required).filter((name) => name !== '__esModule').sort(), Object.keys(core).sort())
  for (const [name, value] of Object.entries(core)) assert.equal(required[name], value, name)
})

test('two copies of the package work side by side in one process', async (t) => {
  const load = async () => {
    const directory = copyPackage(temporaryDirectory(t))
    return import(pathToFileURL(join(directory, 'src/js/index.js')).href)
  }
  const copies = [await load(), await load(), core]
  assert.notEqual(copies[0].ToolError, copies[1].ToolError)
  for (const { createTools, ReadTool, ToolError } of copies) {
    assert.ok((await createTools(session, ['read'])).some(({ name }) => name === 'read'))
    // An error of the engine is the error of the copy that made the call.
    await assert.rejects(new ReadTool(session).execute('1', { path: 'a', nothing: 1 }), ToolError)
    assert.throws(() => new ReadTool({}), ToolError)
  }
})

for (const [kind, name, source] of [
  ['an import', 'main.mjs', (entry) => `import ${JSON.stringify(pathToFileURL(entry('src/js/index.js')).href)}; console.log('loaded')`],
  ['a require', 'main.cjs', (entry) => `require(${JSON.stringify(entry('index.cjs'))}); console.log('loaded')`],
]) {
  test(`${kind} prints nothing`, async (t) => {
    const script = source((path) => join(root, path))
    const { code, stdout, stderr } = await runSource(temporaryDirectory(t), script, name)
    assert.deepEqual({ code, stdout: stdout.trim(), stderr }, { code: 0, stdout: 'loaded', stderr: '' })
  })
}

test('bundlers reach the addon by plain requires', () => {
  const read = (path) => readFileSync(join(root, 'src/js', path), 'utf8')
  assert.match(read('native.cjs'), /require\('\.\/binding\.cjs'\)/)
  assert.match(read('binding.cjs'), /require\('\.\/binding\.linux-x64-gnu\.node'\)/)
  for (const path of readdirSync(join(root, 'src/js'), { recursive: true }).filter((path) => /\.(js|cjs)$/.test(path))) {
    assert.doesNotMatch(read(path), /createRequire|^(?:const .*= )?await /m, path)
  }
})
