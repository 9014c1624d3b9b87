// `edit` in mode replace, through the addon.

import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'

import { EditTool } from '../../src/js/index.js'
import { testSession } from './session.mjs'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'edit-')))
after(() => rmSync(root, { recursive: true }))

const tool = new EditTool(testSession({ cwd: root, settings: { 'edit.mode': 'replace' } }))
const edit = (path, ...edits) => tool.execute('1', { path, edits })
const put = (path, content) => writeFileSync(join(root, path), content)
const text = (path) => readFileSync(join(root, path), 'utf8')

describe('edit', () => {
  it('replaces the text and tells what changed', async () => {
    put('a.txt', '\ufeffone\r\ntwo\r\nthree')
    const result = await edit('a.txt', { old_text: 'one\ntwo', new_text: 'one\n2\n2b' })
    assert.equal(text('a.txt'), '\ufeffone\r\n2\r\n2b\r\nthree')
    assert.equal(result.isError, undefined)
    assert.equal(result.content.length, 1)
    assert.match(result.content[0].text, /^[^\n]*a\.txt[^\n]*$/)
    assert.deepEqual(result.details, {
      diff: ' 1|one\n-2|two\n+2|2\n+3|2b\n 3|three',
      firstChangedLine: 2,
      path: join(root, 'a.txt'),
      entries: [{ ok: true }],
    })
  })

  it('rejects with the code and the facts, and changes nothing', async () => {
    put('b.txt', 'x();\ny();\nx();\n')
    const twice = edit('b.txt', { old_text: 'y', new_text: 'Y' }, { old_text: 'x();', new_text: 'z();' })
    await assert.rejects(twice, (error) => {
      assert.equal(error.name, 'ToolError')
      assert.equal(error.code, 'ambiguous_match')
      const { path, edit: index, count, lines } = error.context
      assert.deepEqual({ path, index, count, lines }, { path: 'b.txt', index: 1, count: 2, lines: [1, 3] })
      return true
    })
    assert.equal(text('b.txt'), 'x();\ny();\nx();\n')
    await assert.rejects(edit('b.txt', { old_text: 'x', new_text: 'y', every: true }), { code: 'invalid_arguments' })
    await assert.rejects(edit('none/b.txt', { old_text: 'x', new_text: 'y' }), { code: 'path_not_found' })
  })

  it('loses nothing when calls on one file run side by side', async () => {
    const numbers = Array.from({ length: 40 }, (_, index) => index)
    put('c.txt', numbers.map((n) => `line ${n} old\n`).join(''))
    await Promise.all(numbers.map((n) => edit('c.txt', { old_text: `line ${n} old`, new_text: `line ${n} new` })))
    assert.equal(text('c.txt'), numbers.map((n) => `line ${n} new\n`).join(''))
  })

  it('says so when a mode is not there yet', async () => {
    const other = new EditTool(testSession({ cwd: root, settings: { 'edit.mode': 'vim' } }))
    await assert.rejects(other.execute('1', { file: 'a.txt', steps: [] }), { code: 'unsupported' })
  })

  it('leaves nothing beside the files', () => {
    assert.deepEqual(readdirSync(root).sort(), ['a.txt', 'b.txt', 'c.txt'])
  })
})
