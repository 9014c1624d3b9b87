// `edit` in mode hashline, through the addon: from what `read` prints to the bytes on the disk.

import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'

import { computeLineHash, createTools, EditTool, executeToolCalls, formatHashLine, formatHashLines, HL_BODY_SEP, normalizeTools, previewEdit } from '../../src/js/index.js'
import { testSession } from './session.mjs'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'hashline-')))
after(() => rmSync(root, { recursive: true }))

const put = (path, content) => writeFileSync(join(root, path), content)
const bytes = (path) => readFileSync(join(root, path))
const text = (path) => readFileSync(join(root, path), 'utf8')
const session = (settings = {}) => testSession({ cwd: root, settings: { 'edit.mode': 'hashline', ...settings } })
const anchor = (number, line) => `${number}${computeLineHash(number, line)}`

async function toolsOf(one = session()) {
  const tools = await createTools(one, ['read', 'edit', 'search', 'write'])
  return (name, params) => tools.find((tool) => tool.name === name).execute('1', params)
}

/** The anchor that a text shows for a line. */
function shownAnchor(result, line) {
  const found = result.content[0].text.split('\n').find((shown) => shown.endsWith(`|${line}`))
  return found.slice(0, found.indexOf('|')).replace(/^[ +*]/, '')
}

describe('hashline', () => {
  it('takes the anchors that read prints, and prints those of the next call', async () => {
    put('a.txt', 'one\ntwo\nthree\n')
    const call = await toolsOf()
    const read = await call('read', { path: 'a.txt' })
    const first = await call('edit', { input: `§a.txt\n≔${shownAnchor(read, 'two')}\n2\n2b\n` })
    assert.equal(text('a.txt'), 'one\n2\n2b\nthree\n')
    const preview = ` ${anchor(1, 'one')}|one\n-2--|two\n+${anchor(2, '2')}|2\n+${anchor(3, '2b')}|2b\n ${anchor(4, 'three')}|three`
    assert.equal(first.content[0].text, `a.txt:\n${preview}`)
    assert.deepEqual(first.details, {
      diff: ' 1|one\n-2|two\n+2|2\n+3|2b\n 3|three',
      firstChangedLine: 2,
      preview,
      path: join(root, 'a.txt'),
      op: 'update',
      entries: [{ ok: true }],
    })
    await call('edit', { input: `§a.txt\n»${shownAnchor(first, 'three')}\nfour\n` })
    assert.equal(text('a.txt'), 'one\n2\n2b\nthree\nfour\n')
  })

  it('changes all files or none', async () => {
    put('b1.txt', 'a\n')
    put('b2.txt', 'b\n')
    const call = await toolsOf()
    const input = `§b1.txt\n≔${anchor(1, 'a')}\nA\n\n§b2.txt\n≔1aa\nB\n\n§b3.txt\n»EOF\nnew\n`
    await assert.rejects(call('edit', { input }), (error) => {
      assert.equal(error.code, 'stale_anchor')
      assert.deepEqual(error.context.mismatches, [{ line: 1, expected: 'aa', actual: computeLineHash(1, 'b') }])
      const [first, second, third] = error.context.perFileResults
      assert.deepEqual(first, { path: 'b1.txt', diff: '-1|a\n+1|A', firstChangedLine: 1, op: 'update', ok: true, applied: false })
      assert.deepEqual([second.path, second.isError, second.code, second.error.mismatches.length], ['b2.txt', true, 'stale_anchor', 1])
      assert.ok(second.errorText.startsWith(second.displayErrorText) && !second.displayErrorText.includes('\n'))
      assert.deepEqual([third.path, third.op, third.diff, third.applied], ['b3.txt', 'create', '+1|new', false])
      return true
    })
    assert.equal(text('b1.txt') + text('b2.txt'), 'a\nb\n')
    const { details } = await call('edit', { input: input.replace('1aa', anchor(1, 'b')) })
    assert.equal(text('b1.txt') + text('b2.txt') + text('b3.txt'), 'A\nB\nnew\n')
    assert.deepEqual(details.perFileResults.map(({ path, op }) => [path, op]), [['b1.txt', 'update'], ['b2.txt', 'update'], ['b3.txt', 'create']])
  })

  it('tells every file that fails, also in the results of a batch', async () => {
    put('k1.txt', 'a\n')
    put('k2.txt', 'b\n')
    const input = `§k1.txt\n≔1aa\nA\n§gone.txt\n≔1aa\nx\n§k2.txt\n≔${anchor(1, 'b')}\nb\n`
    const message = { role: 'assistant', content: [{ type: 'toolCall', id: '1', name: 'edit', arguments: { input } }] }
    const { toolResults: [result] } = await executeToolCalls({ tools: [new EditTool(session())], assistantMessage: message })
    const files = result.details.perFileResults
    assert.deepEqual(files.map(({ path, code }) => [path, code]), [['k1.txt', 'stale_anchor'], ['gone.txt', 'path_not_found'], ['k2.txt', 'no_change']])
    for (const { errorText } of files) assert.ok(result.content[0].text.includes(errorText), errorText)
    assert.equal(result.details.failureKind, 'execution')
    assert.equal(text('k1.txt') + text('k2.txt'), 'a\nb\n')
  })

  it('takes two names of one file for one file', async (t) => {
    if (process.platform === 'win32') return t.skip('links need rights there')
    put('c.txt', 'a\nb\n')
    symlinkSync('c.txt', join(root, 'c-link.txt'))
    const call = await toolsOf()
    await call('edit', { input: `§c.txt\n«${anchor(1, 'a')}\nx\n§c-link.txt\n≔${anchor(2, 'b')}\nB\n§./c.txt\n»EOF\nz\n` })
    assert.equal(text('c.txt'), 'x\na\nB\nz\n')
  })

  it('leaves every byte that no operation names', async () => {
    const call = await toolsOf()
    const before = Buffer.from('\ufeffone\r\ntwo\nthree\r\nlast', 'utf8')
    put('d.txt', before)
    chmodSync(join(root, 'd.txt'), 0o755)
    await call('edit', { input: `§d.txt\n≔${anchor(3, 'three')}\n3\n` })
    assert.equal(bytes('d.txt').toString('utf8'), '\ufeffone\r\ntwo\n3\r\nlast')
    if (process.platform !== 'win32') assert.equal(statSync(join(root, 'd.txt')).mode & 0o777, 0o755)
    put('e.txt', Buffer.from('caf\xe9 au lait, d\xe9j\xe0 vu, \xe9t\xe9, na\xefve\nplain\n', 'latin1'))
    const read = await call('read', { path: 'e.txt' })
    await call('edit', { input: `§e.txt\n≔${shownAnchor(read, 'plain')}\nPLAIN\n` })
    assert.equal(bytes('e.txt').toString('latin1'), 'caf\xe9 au lait, d\xe9j\xe0 vu, \xe9t\xe9, na\xefve\nPLAIN\n')
  })

  it('follows lines that moved since they were shown, and says so', async () => {
    put('f.txt', 'a\n}\nb\n}\nc\n')
    const call = await toolsOf()
    const read = await call('read', { path: 'f.txt' })
    put('f.txt', 'new\na\n}\nb\n}\nc\n')
    const { details, content } = await call('edit', { input: `§f.txt\n»${shownAnchor(read, 'b')}\nb2\n` })
    assert.equal(text('f.txt'), 'new\na\n}\nb\nb2\n}\nc\n')
    assert.deepEqual(details.warnings.map(({ kind }) => kind), ['recovered_stale'])
    assert.ok(content[0].text.includes(details.warnings[0].text))
    assert.deepEqual(details.notices.map(({ kind }) => kind), ['recovered_stale'])
  })

  it('changes nothing that a program generates, nor with nothing to change', async () => {
    put('g.ts', '// @generated\nx\n')
    put('h.txt', 'x\n')
    const call = await toolsOf()
    await assert.rejects(call('edit', { input: `§g.ts\n≔${anchor(2, 'x')}\ny\n` }), { code: 'auto_generated_file' })
    await assert.rejects(call('edit', { input: `§h.txt\n≔${anchor(1, 'x')}\nx\n` }), { code: 'no_change' })
    await assert.rejects(call('edit', { input: `§i.txt\n≔1ab\nx\n` }), { code: 'path_not_found' })
  })

  it('loses nothing when twenty callers edit one file', async () => {
    const lines = Array.from({ length: 2000 }, (_, index) => `line ${index}`)
    put('j.txt', lines.join('\n') + '\n')
    const callers = await Promise.all(Array.from({ length: 20 }, () => toolsOf()))
    await Promise.all(
      callers.map((call, caller) => {
        const own = lines.map((line, index) => [index + 1, line]).filter(([number]) => number % 20 === caller)
        const input = own.map(([number, line]) => `≔${anchor(number, line)}\n${line} by ${caller}\n`).join('')
        return call('edit', { input: `§j.txt\n${input}` })
      }),
    )
    assert.equal(text('j.txt'), lines.map((line, index) => `${line} by ${(index + 1) % 20}\n`).join(''))
  })
})

describe('what models are told of edit', () => {
  it('follows the mode that is set', () => {
    const settings = { 'edit.mode': 'hashline' }
    const tool = new EditTool(testSession({ cwd: root, settings }))
    assert.deepEqual(Object.keys(tool.parameters.properties), ['input', 'path'])
    assert.equal(tool.customFormat.syntax, 'lark')
    assert.equal(tool.parameters, tool.parameters)
    const [wire] = normalizeTools([tool], false)
    assert.match(wire.description, /≔/)
    settings['edit.mode'] = 'replace'
    assert.deepEqual(Object.keys(tool.parameters.properties), ['path', 'edits'])
    assert.equal(tool.customFormat, undefined)
    assert.doesNotMatch({ ...tool }.description, /≔/)
  })

  it('follows the environment first, which must name a mode', () => {
    process.env.PI_EDIT_VARIANT = 'hashline'
    try {
      assert.match(new EditTool(session({ 'edit.mode': 'replace' })).description, /≔/)
      process.env.GJC_EDIT_VARIANT = 'shiny'
      assert.throws(() => new EditTool(session()), { code: 'invalid_arguments', message: /GJC_EDIT_VARIANT/ })
    } finally {
      delete process.env.PI_EDIT_VARIANT
      delete process.env.GJC_EDIT_VARIANT
    }
  })
})

describe('previewEdit', () => {
  const one = session()

  it('shows the new lines of each file while they arrive', async () => {
    const whole = JSON.stringify({ input: '§a.txt\n≔2ab\nnew “line”\n\\» more\nunfin' })
    const upTo = (end) => previewEdit(one, whole.slice(0, whole.indexOf(end)))
    assert.deepEqual(await upTo('\\n≔'), [])
    assert.deepEqual(await upTo(' more'), [{ path: 'a.txt', diff: '+new “line”' }])
    assert.deepEqual(await upTo('nfin'), [{ path: 'a.txt', diff: '+new “line”\n+» more' }])
    for (let end = 0; end < whole.length; end += 1) await previewEdit(one, whole.slice(0, end))
  })

  it('shows the whole edit once it is there, and what is wrong with it', async () => {
    put('p.txt', 'a\nb\n')
    const input = `§p.txt\n≔${anchor(2, 'b')}\nB\n§q.txt\n»EOF\nnew\n§p2.txt\n≔1ab\nx\n`
    const [p, q, missing] = await previewEdit(one, JSON.stringify({ input }))
    assert.deepEqual(p, { path: 'p.txt', diff: ' 1|a\n-2|b\n+2|B', firstChangedLine: 2 })
    assert.deepEqual(q, { path: 'q.txt', diff: '+1|new', firstChangedLine: 1 })
    assert.match(missing.error, /p2\.txt/)
    assert.equal(text('p.txt'), 'a\nb\n')
    const [bad] = await previewEdit(one, JSON.stringify({ input: '§p.txt\n»zz\nx\n' }))
    assert.equal(bad.path, 'p.txt')
    assert.match(bad.error, /zz/)
  })

  it('shows the first replacement once its end is there', async () => {
    put('r.txt', 'a\nb\nc\n')
    const replace = session({ 'edit.mode': 'replace' })
    const whole = JSON.stringify({ path: 'r.txt', edits: [{ old_text: 'b', new_text: 'B' }, { old_text: 'c', new_text: 'C' }] })
    const first = whole.indexOf('}')
    const expected = [{ path: 'r.txt', diff: ' 1|a\n-2|b\n+2|B\n 3|c', firstChangedLine: 2 }]
    assert.deepEqual(await previewEdit(replace, whole.slice(0, first)), [])
    assert.deepEqual(await previewEdit(replace, whole.slice(0, first + 1)), expected)
    assert.deepEqual(await previewEdit(replace, whole), expected)
    assert.equal(text('r.txt'), 'a\nb\nc\n')
  })
})

describe('anchors', () => {
  it('are those of read', async () => {
    put('s.txt', 'x \r\n\ny')
    const { content } = await (await toolsOf())('read', { path: 's.txt' })
    assert.equal(content[0].text, formatHashLines('x \r\n\ny'))
    assert.equal(formatHashLines('y', 3), formatHashLine(3, 'y'))
    assert.equal(formatHashLine(1, ''), `1yy${HL_BODY_SEP}`)
    assert.throws(() => formatHashLines('x', 0), { code: 'invalid_arguments' })
    assert.throws(() => computeLineHash(1, undefined), { code: 'invalid_arguments' })
  })
})
