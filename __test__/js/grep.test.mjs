// `grep` and `glob`, the primitives without caps.

import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'

import { glob, grep } from '../../src/js/index.js'
import { COUNT, makeTree, pair } from '../fixtures/grep/pairs.mjs'

const roots = []
const kept = process.env.XDG_CONFIG_HOME
before(() => {
  // Nobody's own git rules count here.
  process.env.XDG_CONFIG_HOME = directory()
})
after(() => {
  if (kept === undefined) delete process.env.XDG_CONFIG_HOME
  else process.env.XDG_CONFIG_HOME = kept
  roots.forEach((root) => rmSync(root, { recursive: true }))
})

function directory() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'grep-')))
  roots.push(root)
  return root
}

/** @param {Record<string, string | Buffer>} files */
function tree(files) {
  const root = directory()
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  return root
}

describe('grep', () => {
  it('finds what ripgrep finds, in 200 pairs of pattern and tree', async () => {
    const { answers } = JSON.parse(readFileSync(new URL('../fixtures/grep/ripgrep.json', import.meta.url), 'utf8'))
    assert.equal(answers.length, COUNT)
    for (const [number, expected] of answers.entries()) {
      const cwd = directory()
      const { pattern, ignoreCase, ...files } = pair(number)
      makeTree(cwd, files)
      const found = await grep({ pattern, ignoreCase, cwd })
      const lines = found.files.flatMap(({ path, lines }) => lines.map(({ number, text, ranges }) => [path, number, text, ...ranges]))
      assert.deepEqual(lines, expected, `pair ${number}: ${pattern}`)
    }
  })

  it('has no caps', async () => {
    const many = 'needle\n'.repeat(3000)
    const cwd = tree({ a: many, b: many, 'large.txt': `${'line of a large file\n'.repeat(300_000)}needle\n` })
    const { files } = await grep({ pattern: 'needle', cwd })
    assert.deepEqual(files.map(({ path, lines }) => [path, lines.length]), [['a', 3000], ['b', 3000], ['large.txt', 1]])
    assert.equal(files[2].lines[0].number, 300_001)
  })

  it('tells context from matches, and parts of a match across lines', async () => {
    const cwd = tree({ f: 'one\ntwo 🙂 x\r\nthree\nfour\n' })
    const lines = async (options) => (await grep({ cwd, ...options })).files[0].lines
    assert.deepEqual(await lines({ pattern: 'x', before: 1, after: 1 }), [
      { number: 1, text: 'one', ranges: [], isMatch: false },
      { number: 2, text: 'two 🙂 x', ranges: [[7, 8]], isMatch: true },
      { number: 3, text: 'three', ranges: [], isMatch: false },
    ])
    assert.deepEqual(await lines({ pattern: 'x\\nthr' }), [
      { number: 2, text: 'two 🙂 x', ranges: [[7, 8]], isMatch: true },
      { number: 3, text: 'three', ranges: [[0, 3]], isMatch: true },
    ])
    assert.deepEqual((await lines({ pattern: 'o.', literal: false })).length, 3)
    assert.deepEqual((await grep({ cwd, pattern: 'o.', literal: true })).files, [])
  })

  it('costs what there is to tell, in however long a line or match', async () => {
    const cwd = tree({ wide: `${'é x '.repeat(100_000)}\n`, high: 'begin\n'.repeat(100_000) })
    const started = performance.now()
    const [{ lines: [{ ranges }] }] = (await grep({ cwd, pattern: 'x', paths: ['wide'] })).files
    assert.deepEqual([ranges.length, ranges[0], ranges.at(-1)], [100_000, [2, 3], [399_998, 399_999]])
    const [{ lines }] = (await grep({ cwd, pattern: 'begin\\nb', paths: ['high'] })).files
    assert.deepEqual([lines.length, lines[0].ranges, lines[1].ranges, lines[2].ranges], [100_000, [[0, 5]], [[0, 1]], [[0, 5]]])
    assert(performance.now() - started < 30_000)
  })

  it('says what it left out', async () => {
    const cwd = tree({ a: 'needle\n', b: Buffer.from('needle\0') })
    const found = await grep({ pattern: 'needle', cwd, paths: ['.', 'gone'] })
    assert.deepEqual(found.skipped, [{ path: 'b', reason: 'binary' }])
    assert.deepEqual(found.missing, ['gone'])
    assert.deepEqual(found.unreadable, [])
  })

  it('gives paths as they are', async () => {
    const cwd = tree({ 'a\nb': 'needle\n', 'c\u0085d': 'needle\n' })
    assert.deepEqual((await grep({ pattern: 'needle', cwd })).files.map(({ path }) => path), ['a\nb', 'c\u0085d'])
    assert.deepEqual((await glob({ paths: ['*'], cwd, sort: 'path' })).paths, ['a\nb', 'c\u0085d'])
  })

  it('names what is wrong in the words of JavaScript, and does not repeat all of it', async () => {
    const message = (options) => grep(/** @type {any} */ (options)).then(assert.fail, (error) => error.message)
    assert.match(await message({ pattern: 'e', before: 'x' }), /`before`.*expected a whole number of 0 or more/)
    assert.match(await message({ pattern: 'e', paths: 5 }), /`paths`.*expected an array/)
    assert.match(await message({ pattern: 'e', cwd: join(directory(), 'gone') }), /gone` does not exist/)
    assert.match(await message({ pattern: 'e', paths: ['no\nsuch'] }), /`no\\nsuch` does not exist/)
    assert.ok((await message({ pattern: `(${'z'.repeat(1e6)}` })).length < 20_000)
  })

  it('refuses what it cannot take, by name', async () => {
    await assert.rejects(grep({ pattern: 'a(?=b)' }), { code: 'invalid_regex' })
    await assert.rejects(grep({ pattern: 'foo(' }), { code: 'invalid_regex' })
    await assert.rejects(grep({ pattern: '' }), { code: 'empty_pattern' })
    await assert.rejects(grep({ pattern: 'x', cwd: 'relative' }), { code: 'invalid_arguments' })
    await assert.rejects(grep({ pattern: 'x', caseInsensitive: true }), { code: 'invalid_arguments' })
    await assert.rejects(grep({ pattern: 'x', before: -1 }), { code: 'invalid_arguments' })
    await assert.rejects(grep(/** @type {any} */ (undefined)), { code: 'invalid_arguments' })
    await assert.rejects(grep({ pattern: 'x', signal: AbortSignal.abort() }), { name: 'AbortError' })
  })
})

describe('glob', () => {
  it('finds paths by the one glob rule, in order', async () => {
    const cwd = tree({ 'a.ts': '', 'src/b.ts': '', 'src/deep/c.ts': '', '.h/d.ts': '', 'e.md': '' })
    const paths = async (options) => (await glob({ cwd, ...options })).paths
    assert.deepEqual(await paths({ paths: ['*.ts'] }), ['.h/d.ts', 'a.ts', 'src/b.ts', 'src/deep/c.ts'])
    assert.deepEqual(await paths({ paths: ['src/*.ts'] }), ['src/b.ts'])
    assert.deepEqual(await paths({ paths: ['*.ts'], hidden: false }), ['a.ts', 'src/b.ts', 'src/deep/c.ts'])
    assert.deepEqual(await paths({ paths: ['.'], type: 'directory' }), ['.h/', 'src/', 'src/deep/'])
    assert.deepEqual(await paths({ paths: ['src', 'src/b.ts'] }), ['src/b.ts', 'src/deep/c.ts'])
    utimesSync(join(cwd, 'src/b.ts'), 1, 2_000_000_000)
    assert.equal((await paths({ paths: ['*.ts'], sort: 'modified' }))[0], 'src/b.ts')
  })

  it('orders directories by the paths it gives, with their slashes', async () => {
    const cwd = tree({ 'a/x': '', 'a-b': '', 'a.ts': '', 'a0': '' })
    assert.deepEqual((await glob({ cwd, paths: ['.'], type: 'any' })).paths, ['a-b', 'a.ts', 'a/', 'a/x', 'a0'])
  })

  it('names the working directory where that is what is missing', async () => {
    const cwd = join(tree({}), 'gone')
    const names = (error) => error.code === 'path_not_found' && error.message.includes(cwd)
    for (const paths of [['.'], ['*.ts'], ['a', 'b']]) await assert.rejects(glob({ cwd, paths }), names)
    await assert.rejects(grep({ cwd, pattern: 'x' }), names)
    await assert.rejects(glob({ cwd, paths: ['/no/such/place'] }), (error) => !error.message.includes(cwd))
  })

  it('refuses what it cannot take, by name', async () => {
    await assert.rejects(glob({ paths: [] }), { code: 'invalid_arguments' })
    await assert.rejects(glob({ paths: ['gone'] }), { code: 'path_not_found' })
    await assert.rejects(glob({ paths: ['['] }), { code: 'invalid_glob' })
  })
})
