// `edit` in mode replace, through the addon.

import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'

import { EditTool, ReadTool } from '../../src/js/index.js'
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
    const [callers, edits] = [20, 5]
    const numbers = Array.from({ length: callers * edits }, (_, index) => index)
    put('c.txt', numbers.map((n) => `line ${n} old\n`).join(''))
    const caller = async (/** @type {number} */ first) => {
      for (const n of numbers.slice(first, first + edits)) await edit('c.txt', { old_text: `line ${n} old`, new_text: `line ${n} new` })
    }
    await Promise.all(numbers.filter((n) => n % edits === 0).map(caller))
    assert.equal(text('c.txt'), numbers.map((n) => `line ${n} new\n`).join(''))
  })

  it('shows a file in mode vim, and changes nothing without steps', async () => {
    const other = new EditTool(testSession({ cwd: root, settings: { 'edit.mode': 'vim' } }))
    const before = readFileSync(join(root, 'a.txt'))
    const { content } = await other.execute('1', { file: 'a.txt', steps: [] })
    assert.match(content[0].text, /a\.txt/)
    assert.deepEqual(readFileSync(join(root, 'a.txt')), before)
  })

  it('leaves nothing beside the files', () => {
    assert.deepEqual(readdirSync(root).sort(), ['a.txt', 'b.txt', 'c.txt'])
  })
})

describe('what edit tells beside its result', () => {
  const setUp = (members) => new EditTool(testSession({ cwd: root, settings: { 'edit.mode': 'replace' }, ...members }))
  const change = (tool, path = 'h.txt', from = 'a', to = 'b') => tool.execute('id-1', { path, edits: [{ old_text: from, new_text: to }] })

  it('gives the texts before and after when asked, and leaves them out of copies', async () => {
    put('t.txt', '\ufeffa\r\n')
    const { details } = await change(setUp(), 't.txt')
    assert.equal(details.oldText, 'a\r\n')
    assert.equal(details.newText, 'b\r\n')
    assert.equal(JSON.stringify(details).includes('oldText'), false)
  })

  it('calls the hook after the write and tells what it says', async () => {
    put('h.txt', 'a\n')
    const events = []
    const afterWrite = async (event) => {
      events.push([event, text('h.txt')])
      return { diagnostics: { summary: '1 error', messages: ['h.txt:1 bad'] } }
    }
    const { details } = await change(setUp({ afterWrite }))
    assert.deepEqual(events, [[{ toolName: 'edit', toolCallId: 'id-1', files: [{ path: join(root, 'h.txt'), op: 'update' }] }, 'b\n']])
    assert.deepEqual(details.diagnostics, { summary: '1 error', messages: ['h.txt:1 bad'] })
    assert.deepEqual(details.meta.diagnostics, details.diagnostics)
  })

  it('keeps the edit when the hook fails, or answers nonsense', async () => {
    for (const afterWrite of [() => { throw new Error('no formatter') }, () => ({ diagnostics: { summary: 1 } }), () => 7]) {
      put('h.txt', 'a\n')
      const result = await change(setUp({ afterWrite }))
      assert.equal(text('h.txt'), 'b\n')
      assert.equal(result.isError, undefined)
    }
  })

  it('does not wait for a slow hook; what it says comes with the next result', async () => {
    put('h.txt', 'a\n')
    let answer
    let calls = 0
    const afterWrite = () => (calls++ === 0 ? new Promise((resolve) => (answer = resolve)) : undefined)
    const tool = setUp({ afterWrite, afterWriteTimeoutMs: 20 })
    const first = await change(tool)
    assert.equal(first.details.diagnostics.messages.length, 0)
    answer({ diagnostics: { summary: 'late', messages: ['h.txt:1 late'] } })
    await new Promise((resolve) => setTimeout(resolve))
    const second = await change(tool, 'h.txt', 'b', 'c')
    assert.deepEqual(second.details.lateDiagnostics, [{ summary: 'late', messages: ['h.txt:1 late'] }])
    assert.match(second.content.at(-1).text, /h\.txt:1 late/)
    const third = await change(tool, 'h.txt', 'c', 'd')
    assert.equal(third.details.lateDiagnostics, undefined)
  })

  it('is not called when nothing was written', async () => {
    put('h.txt', 'a\n')
    let calls = 0
    await assert.rejects(change(setUp({ afterWrite: () => calls++ }), 'h.txt', 'zzz'))
    assert.equal(calls, 0)
  })

  it('says that a file changed since it was read, and edits what it holds now', async () => {
    put('o.txt', 'one\ntwo\n')
    const session = testSession({ cwd: root, settings: { 'edit.mode': 'replace' } })
    await new ReadTool(session).execute('1', { path: 'o.txt' })
    put('o.txt', 'one\ntwo\nthree\n')
    const tool = new EditTool(session)
    const first = await change(tool, 'o.txt', 'two', '2')
    assert.deepEqual(first.details.warnings.map(({ kind }) => kind), ['changed_outside'])
    assert.equal(text('o.txt'), 'one\n2\nthree\n')
    const second = await change(tool, 'o.txt', 'one', '1')
    assert.equal(second.details.warnings, undefined, 'its own change is none from outside')
  })

  it('follows the mode with the schema, which stays one object', () => {
    let mode = 'replace'
    const settings = { get: (/** @type {string} */ key) => (key === 'edit.mode' ? mode : undefined) }
    const tool = new EditTool({ ...testSession({ cwd: root }), settings })
    const replace = tool.parameters
    assert.equal(tool.parameters, replace)
    mode = 'patch'
    assert.notEqual(tool.parameters, replace)
    mode = 'replace'
    assert.equal(tool.parameters, replace)
    assert.equal({ ...tool }.parameters, replace)
  })
})
