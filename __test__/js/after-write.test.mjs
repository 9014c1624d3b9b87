// What a host's hook makes of a file after it was written is the session's own work, and told.

import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'

import { computeLineHash, EditTool, executeToolCalls, formatHashLine, ReadTool, WriteTool } from '../../src/js/index.js'
import { testSession } from './session.mjs'

const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'after-write-')))
after(() => rmSync(cwd, { recursive: true }))

const put = (/** @type {string} */ path, /** @type {string} */ content) => writeFileSync(join(cwd, path), content)
const text = (/** @type {string} */ path) => readFileSync(join(cwd, path), 'utf8')
/** A formatter: indents by two what was indented by one, and puts a line on top. */
const format = (/** @type {string} */ path) => put(path, `// formatted\n${text(path).replaceAll(/^ (?! )/gm, '  ')}`)

function toolsFor(mode, members) {
  const session = testSession({ cwd, settings: { 'edit.mode': mode }, ...members })
  const [read, edit, write] = [ReadTool, EditTool, WriteTool].map((Tool) => new Tool(session))
  return {
    read: (path) => read.execute('1', { path }),
    edit: (params) => edit.execute('1', params),
    replace: (path, from, to) => edit.execute('1', { path, edits: [{ old_text: from, new_text: to }] }),
    write: (path, content) => write.execute('1', { path, content }),
  }
}

/** The kinds of the notices of a result, each of which stands in the text. */
function kinds({ content, details: { notices = [] } }) {
  const told = content.map(({ text }) => text).join('\n')
  for (const { text } of notices) assert.ok(told.includes(text), text)
  return notices.map(({ kind }) => kind)
}

describe('what a hook does to a file that was written', () => {
  it('is told with the anchors that the next edit takes', async () => {
    put('a.ts', 'f {\n one\n}\n')
    const { read, edit } = toolsFor('hashline', { afterWrite: ({ files }) => (text('a.ts').startsWith('//') ? undefined : format(files[0].path.slice(cwd.length + 1))) })
    await read('a.ts')
    const result = await edit({ input: `§a.ts\n≔2${computeLineHash(2, ' one')}\n two\n` })
    assert.deepEqual(kinds(result), ['formatted'])
    const [{ path, preview, firstChangedLine, diff }] = result.details.formatted
    assert.deepEqual({ path, firstChangedLine }, { path: 'a.ts', firstChangedLine: 1 })
    assert.ok(preview.includes(`+${formatHashLine(3, '  two')}`), preview)
    assert.ok(diff.includes('+3|  two'), diff)
    assert.ok(result.content.at(-1).text.includes(preview))
    const next = await edit({ input: `§a.ts\n»3${computeLineHash(3, '  two')}\n  three\n` })
    assert.deepEqual(kinds(next), [])
    assert.equal(text('a.ts'), '// formatted\nf {\n  two\n  three\n}\n')
  })

  it('is no change by somebody else, in any mode and after any write', async () => {
    for (const mode of ['replace', 'hashline']) {
      put('b.ts', 'f {\n one\n}\n')
      const { read, replace, write, edit } = toolsFor(mode, { afterWrite: () => format('b.ts') })
      await read('b.ts')
      const change = mode === 'replace' ? replace('b.ts', 'one', 'two') : edit({ input: `§b.ts\n≔2${computeLineHash(2, ' one')}\n two\n` })
      assert.deepEqual(kinds(await change), ['formatted'])
      const written = await write('b.ts', 'g {\n one\n}\n')
      assert.deepEqual(kinds(written), ['formatted'])
      assert.equal(written.details.formatted[0].diff.includes('+1|// formatted'), true)
    }
    const { write, replace } = toolsFor('replace', { afterWrite: () => format('b.ts') })
    await write('b.ts', 'g {\n one\n}\n')
    assert.deepEqual(kinds(await replace('b.ts', 'one', 'two')), ['formatted'])
  })

  it('is known although the hook throws', async () => {
    put('c.ts', ' one\n')
    const { replace } = toolsFor('replace', {
      afterWrite: () => {
        if (text('c.ts').includes('formatted')) return
        format('c.ts')
        throw new Error('no diagnostics')
      },
    })
    const first = await replace('c.ts', 'one', 'two')
    assert.deepEqual(kinds(first), ['formatted'])
    assert.match(first.details.diagnostics.summary, /no diagnostics/)
    assert.deepEqual(kinds(await replace('c.ts', 'two', 'three')), [])
  })

  it('is told with the next result where the hook comes late', async () => {
    put('d.ts', ' one\n')
    let finish = () => {}
    let calls = 0
    const late = new Promise((resolve) => (finish = () => resolve(undefined)))
    const { replace } = toolsFor('replace', { afterWrite: () => (calls++ === 0 ? late : undefined), afterWriteTimeoutMs: 5 })
    assert.deepEqual(kinds(await replace('d.ts', 'one', 'two')), [])
    // While the hook is busy.
    format('d.ts')
    const second = await replace('d.ts', 'two', 'three')
    assert.deepEqual(kinds(second), ['formatted'])
    // At the moment it ends.
    put('d.ts', `// more\n${text('d.ts')}`)
    finish()
    const third = await replace('d.ts', 'three', 'four')
    assert.deepEqual(kinds(third), ['formatted'])
    assert.match(third.details.formatted[0].diff, /\+1\|\/\/ more/)
    assert.deepEqual(kinds(await replace('d.ts', 'four', 'five')), [])
    assert.equal(text('d.ts'), '// more\n// formatted\n  five\n')
  })

  it('hides nothing that somebody else does: later, or to other files', async () => {
    put('e.ts', ' one\n')
    put('other.ts', ' one\n')
    const { read, replace, write } = toolsFor('replace', { afterWrite: () => put('other.ts', ' one more\n') })
    await read('other.ts')
    assert.deepEqual(kinds(await replace('e.ts', 'one', 'two')), [])
    put('e.ts', ' two by another\n')
    assert.deepEqual(kinds(await replace('e.ts', 'two', 'three')), ['changed_outside'])
    await assert.rejects(write('other.ts', 'x\n'), { code: 'changed_outside' })
    assert.equal(text('other.ts'), ' one more\n')
  })

  it('is told in short where it is large, and where no line shows it', async () => {
    put('f.ts', 'one\n')
    const { write } = toolsFor('hashline', { afterWrite: ({ files }) => put(files[0].path.slice(cwd.length + 1), text('f.ts').replaceAll('\n', '!\r\n')) })
    const large = await write('f.ts', 'line\n'.repeat(5000))
    assert.deepEqual(kinds(large), ['formatted'])
    assert.ok(large.content.at(-1).text.length < 300)
    const endings = toolsFor('hashline', { afterWrite: () => put('f.ts', text('f.ts').replaceAll('\n', '\r\n')) })
    const same = await endings.write('f.ts', 'line\n')
    assert.deepEqual(kinds(same), ['formatted'])
    assert.equal(same.details.formatted[0].diff, '')
  })

  it('may be to remove it, or to make something of it that is no text', async () => {
    put('g.ts', 'one\n')
    const removed = await toolsFor('replace', { afterWrite: () => rmSync(join(cwd, 'g.ts')) }).replace('g.ts', 'one', 'two')
    assert.deepEqual(kinds(removed), ['removed_after_write'])
    const { write } = toolsFor('replace', { afterWrite: () => writeFileSync(join(cwd, 'h.ts'), Buffer.from([0, 1, 2, 0xff, 0])) })
    assert.deepEqual(kinds(await write('h.ts', 'one\n')), ['formatted'])
  })

  it('is known in mode vim as well, which goes on with what the file holds then', async () => {
    put('v.ts', 'one\ntwo\n')
    const events = []
    const afterWrite = (event) => {
      events.push(event.files)
      if (events.length === 1) format('v.ts')
    }
    const { edit } = toolsFor('vim', { afterWrite })
    const result = await edit({ file: 'v.ts', steps: [{ kbd: ['x'] }] })
    assert.deepEqual(events, [[{ path: join(cwd, 'v.ts'), op: 'update' }]])
    assert.deepEqual(kinds(result), ['formatted'])
    assert.equal(result.details.oldText, 'one\ntwo\n')
    assert.deepEqual(kinds(await edit({ file: 'v.ts', steps: [{ kbd: ['Gdd'] }] })), [])
    assert.equal(text('v.ts'), '// formatted\nne\n')
    await edit({ file: 'v.ts', steps: [] })
    assert.equal(events.length, 2, 'looking writes nothing')
    put('v.ts', 'by another\n')
    const outside = await edit({ file: 'v.ts', steps: [{ kbd: ['x'] }] })
    assert.deepEqual([kinds(outside), outside.details.warnings.map(({ kind }) => kind)], [['changed_outside'], ['changed_outside']])
  })

  it('may wait for the last call of a message that writes', async () => {
    put('j.ts', 'a\nb\nc\n')
    const batches = []
    const session = testSession({ cwd, settings: { 'edit.mode': 'replace' }, afterWrite: ({ batch }) => void batches.push(batch) })
    const tools = [new EditTool(session), new ReadTool(session)]
    const edit = (id, from) => ({ type: 'toolCall', id, name: 'edit', arguments: { path: 'j.ts', edits: [{ old_text: from, new_text: from.toUpperCase() }] } })
    const read = { type: 'toolCall', id: '3', name: 'read', arguments: { path: 'j.ts' } }
    await executeToolCalls({ tools, assistantMessage: { role: 'assistant', content: [edit('1', 'a'), edit('2', 'b'), read] } })
    assert.deepEqual(batches.map(({ isLast }) => isLast), [false, true])
    assert.equal(batches[0].id, batches[1].id)
    const toolCalls = [{ id: '5', name: 'edit' }, { id: '6', name: 'write' }]
    await tools[0].execute('5', edit('5', 'c').arguments, undefined, undefined, { toolCall: { batchId: 'b', toolCalls } })
    assert.equal(batches[2].isLast, false)
  })

  it('is not looked for where nothing was written any more', async () => {
    put('i.ts', 'one\n')
    const { edit } = toolsFor('patch', { afterWrite: () => undefined })
    const result = await edit({ path: 'i.ts', edits: [{ op: 'delete' }] })
    assert.deepEqual(kinds(result), [])
    assert.equal(result.details.formatted, undefined)
  })
})
