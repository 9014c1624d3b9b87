// index.d.ts promises exactly what the package has.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { errorsPage } from '../../scripts/errors.mjs'
import { settingsPage } from '../../scripts/settings.mjs'
import * as core from '../../src/js/index.js'
import native from '../../src/js/native.cjs'

const contract = readFileSync(new URL('../../index.d.ts', import.meta.url), 'utf8')

test('the values of index.d.ts are the exports of index.js', () => {
  const declared = [...contract.matchAll(/^export declare (?:const|function|class) (\w+)/gm)].map(([, name]) => name)
  assert.deepEqual([...new Set(declared)].sort(), Object.keys(core).sort())
})

test('classes are declared as classes, functions as functions', () => {
  for (const [, kind, name] of contract.matchAll(/^export declare (const|function|class) (\w+)/gm)) {
    const value = core[name]
    const isClass = typeof value === 'function' && /^class\b/.test(Function.prototype.toString.call(value))
    assert.equal(isClass ? 'class' : typeof value === 'function' ? 'function' : 'const', kind, name)
  }
})

test('ToolErrorCode lists the codes of the engine', () => {
  const union = contract.match(/^export type ToolErrorCode =\n((?: +(?:\||\/\/) .*\n)+)/m)
  const codes = [...union[1].matchAll(/\| '(\w+)'/g)].map(([, code]) => code)
  assert.deepEqual(codes.toSorted(), [...new Set(native.errorCodes())].sort())
})

test('every tool has the identity that its class declares', () => {
  const session = { cwd: process.cwd(), hasUI: false, settings: { get() {} }, getSessionFile: () => null, getSessionSpawns: () => null }
  const classes = [...contract.matchAll(/^export declare class (\w+Tool) implements [^{]*\{\n([\s\S]*?)^\}/gm)]
  assert.equal(classes.length, 17)
  for (const [, name, body] of classes) {
    const tool = new core[name](session)
    const declared = [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??: /gm)].map(([, field]) => field)
    assert.deepEqual(Object.keys(tool).sort(), declared.sort(), name)
    for (const [, field, literal] of body.matchAll(/^ {2}readonly (\w+): ('\w+'|true)$/gm)) {
      assert.equal(tool[field], literal === 'true' ? true : literal.slice(1, -1), `${name}.${field}`)
    }
  }
})

test('docs/errors.md has every code of the engine', () => {
  const page = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8')
  assert.equal(page, errorsPage(), 'run `node scripts/errors.mjs`')
  const codes = new Set([...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, code]) => code))
  for (const code of native.errorCodes()) assert.ok(codes.has(code), code)
})

test('every export of index.d.ts says what it is', () => {
  const lines = contract.split('\n')
  const exports = lines.flatMap((line, at) => {
    const name = line.match(/^export (?:declare )?(?:const|function|class|interface|type) (\w+)/)?.[1]
    return name ? [{ name, isTold: lines[at - 1].endsWith('*/') }] : []
  })
  // An overload follows the comment of the first.
  const told = new Set(exports.filter(({ isTold }) => isTold).map(({ name }) => name))
  assert.deepEqual(exports.filter(({ name }) => !told.has(name)), [])
  assert.ok(exports.length > 300)
})

test('docs/settings.md has every setting of the engine', () => {
  const page = readFileSync(new URL('../../docs/settings.md', import.meta.url), 'utf8')
  assert.equal(page, settingsPage(), 'run `node scripts/settings.mjs`')
  const keys = new Set([...page.matchAll(/^\| `([\w.]+)` \|/gm)].map(([, key]) => key))
  for (const group of ['select', 'read', 'search', 'find', 'write', 'edit', 'ast_grep', 'ast_edit', 'bash', 'spill', 'yield']) {
    for (const key of native.settingKeys(group)) assert.ok(keys.has(key), key)
  }
})
