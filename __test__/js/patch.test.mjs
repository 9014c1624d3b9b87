// `edit` in the modes patch and apply_patch, through the addon.

import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'

import { EditTool } from '../../src/js/index.js'
import { testSession } from './session.mjs'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'patch-')))
after(() => rmSync(root, { recursive: true }))

const toolOf = (mode) => new EditTool(testSession({ cwd: root, settings: { 'edit.mode': mode } }))
const [patch, applyPatch] = [toolOf('patch'), toolOf('apply_patch')]
const apply = (...lines) => applyPatch.execute('1', { input: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') })
const put = (path, content) => writeFileSync(join(root, path), content)
const text = (path) => readFileSync(join(root, path), 'utf8')

describe('edit in mode patch', () => {
  it('changes the lines and nothing else, and tells what it did', async () => {
    put('a.txt', '\ufeffone  \r\ntwo\r\nthree')
    const result = await patch.execute('1', { path: 'a.txt', edits: [{ diff: '@@\n one\n-two\n+2\n+2b\n three' }] })
    assert.equal(text('a.txt'), '\ufeffone  \r\n2\r\n2b\r\nthree')
    assert.equal(result.isError, undefined)
    const { diff, firstChangedLine, op, path, entries } = result.details
    assert.deepEqual({ firstChangedLine, op, path, entries }, { firstChangedLine: 2, op: 'update', path: join(root, 'a.txt'), entries: [{ ok: true }] })
    assert.equal(diff, '@@ -1,3 +1,4 @@\n 1|one  \n-2|two\n+2|2\n+3|2b\n 3|three\n\\ No newline at end of file')
  })

  it('tells what it had to guess', async () => {
    put('b.txt', 'a\nx\nb\n')
    const { content, details } = await patch.execute('1', { path: 'b.txt', edits: [{ diff: '@@\n no such line here\n-x\n+y' }] })
    assert.equal(text('b.txt'), 'a\ny\nb\n')
    assert.deepEqual(details.warnings.map(({ kind }) => kind), ['context_ignored'])
    assert.ok(content[0].text.includes(details.warnings[0].text))
  })

  it('rejects with the code and the facts, and changes nothing', async () => {
    put('c.txt', 'go()\nx=1\ngo()\nx=1\n')
    await assert.rejects(patch.execute('1', { path: 'c.txt', edits: [{ diff: '@@ go()\n-x=1\n+x=2' }] }), (error) => {
      assert.equal(error.code, 'context_ambiguous')
      assert.equal(error.context.count, 2)
      assert.deepEqual(error.context.places.map(({ line }) => line), [1, 3])
      return true
    })
    assert.equal(text('c.txt'), 'go()\nx=1\ngo()\nx=1\n')
  })
})

describe('edit in mode apply_patch', () => {
  it('is a tool of free text under a name of its own', () => {
    assert.equal(applyPatch.name, 'edit')
    assert.equal(applyPatch.customWireName, 'apply_patch')
    assert.equal(applyPatch.customFormat.syntax, 'lark')
    assert.match(applyPatch.customFormat.definition, /\*\*\* Begin Patch/)
    assert.deepEqual(Object.keys(applyPatch.parameters.properties), ['input'])
    assert.equal(patch.customFormat, undefined)
    assert.deepEqual(Object.keys(patch.parameters.properties), ['path', 'edits'])
    assert.notEqual(patch.description, applyPatch.description)
  })

  it('does several files at once', async () => {
    put('u.txt', 'a\nb\n')
    put('d.txt', 'bye\n')
    put('m.txt', 'x\ny\n')
    const { details } = await apply('*** Add File: n.txt', '+new', '*** Update File: u.txt', '@@', ' a', '-b', '+B', '*** Delete File: d.txt', '*** Update File: m.txt', '*** Move to: m2.txt', '@@', '-x', '+X', ' y')
    assert.deepEqual([text('n.txt'), text('u.txt'), text('m2.txt')], ['new\n', 'a\nB\n', 'X\ny\n'])
    assert.deepEqual([existsSync(join(root, 'd.txt')), existsSync(join(root, 'm.txt'))], [false, false])
    assert.deepEqual(details.perFileResults.map(({ path, op, move }) => [path, op, move]), [
      ['n.txt', 'create', undefined],
      ['u.txt', 'update', undefined],
      ['d.txt', 'delete', undefined],
      ['m2.txt', 'update', 'm2.txt'],
    ])
  })

  it('does nothing if anything fails, and tells every failure', async () => {
    put('1.txt', 'a\n')
    put('2.txt', 'b\n')
    const { isError, content, details } = await apply('*** Update File: 1.txt', '@@', '-a', '+A', '*** Update File: 2.txt', '@@', '-nope', '+B', '*** Add File: 1.txt', '+x')
    assert.equal(isError, true)
    assert.deepEqual([text('1.txt'), text('2.txt')], ['a\n', 'b\n'])
    assert.match(content[0].text, /2\.txt/)
    assert.deepEqual(details.perFileResults.map(({ ok, applied, code }) => [ok, applied, code]), [
      [true, false, undefined],
      [false, false, 'no_match'],
      [false, false, 'already_exists'],
    ])
    const [{ diff, op, firstChangedLine }, { errorText, isError: failed }] = details.perFileResults
    assert.deepEqual({ diff, op, firstChangedLine }, { diff: '@@ -1,1 +1,1 @@\n-1|a\n+1|A', op: 'update', firstChangedLine: 1 })
    assert.ok(failed && content[0].text.includes(errorText))
    assert.equal(details.diff, '')
  })
})
