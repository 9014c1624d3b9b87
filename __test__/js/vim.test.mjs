// `edit` in mode vim, through the addon: what stays as it is in the file, and what lasts from call to call.

import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'

import { EditTool } from '../../src/js/index.js'
import { testSession } from './session.mjs'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'vim-')))
after(() => rmSync(root, { recursive: true }))

const tool = new EditTool(testSession({ cwd: root, settings: { 'edit.mode': 'vim' } }))
const press = (file, ...kbd) => tool.execute('1', { file, steps: [{ kbd }] })
const put = (path, content) => writeFileSync(join(root, path), content)
const bytes = (path) => readFileSync(join(root, path))
const text = (path) => bytes(path).toString()

describe('edit in mode vim', () => {
  it('keeps byte-order mark and line endings', async () => {
    put('crlf.txt', '\ufeffone\r\ntwo\r\n')
    await press('crlf.txt', 'A!<Esc>othree<Esc>')
    assert.equal(text('crlf.txt'), '\ufeffone!\r\nthree\r\ntwo\r\n')
    put('mixed.txt', 'a\r\nb\nc\r\n')
    await press('mixed.txt', '2Gx')
    assert.equal(text('mixed.txt'), 'a\r\n\nc\r\n')
  })

  it('keeps the encoding, and refuses what it does not have', async () => {
    const latin = Buffer.from('Caf\xe9 cr\xe8me br\xfbl\xe9e d\xe9j\xe0 vu na\xefve fa\xe7ade\nzwei\n', 'latin1')
    put('latin.txt', latin)
    await press('latin.txt', '2Gx')
    assert.deepEqual(bytes('latin.txt'), Buffer.concat([latin.subarray(0, -5), Buffer.from('wei\n')]))
  })

  it('rolls a failed call back as a whole', async () => {
    put('failed.txt', 'a\nb\nc\n')
    await assert.rejects(press('failed.txt', '2Gdd:w<CR>q'), (error) => {
      assert.equal(error.code, 'vim_unsupported_command')
      assert.deepEqual(error.context.location, { step: 0, sequence: 0, offset: 10 })
      return true
    })
    const { details } = await press('failed.txt', 'gg')
    assert.equal(text('failed.txt'), 'a\nb\nc\n')
    assert.equal(details.totalLines, 3)
  })

  it('writes what an undo brings back', async () => {
    put('undo.txt', 'a\nb\n')
    await press('undo.txt', 'dd')
    assert.equal(text('undo.txt'), 'b\n')
    await press('undo.txt', 'u')
    assert.equal(text('undo.txt'), 'a\nb\n')
  })

  it('keeps the changes that are made behind `:e!`', async () => {
    put('reload.txt', 'a\nb\nc\n')
    await press('reload.txt', 'x:e!<CR>dd')
    assert.equal(text('reload.txt'), 'b\nc\n')
    await tool.execute('1', { file: 'reload.txt', steps: [{ kbd: ['ix<Esc>:e!<CR>'] }, { kbd: ['Gdd'] }] })
    assert.equal(text('reload.txt'), 'b\n')
    // What was written a moment ago is what is loaded.
    await press('reload.txt', 'ix<Esc>:w<CR>iy<Esc>:e!<CR>A!<Esc>')
    assert.equal(text('reload.txt'), 'xb!\n')
    await press('reload.txt', 'x:w<CR>x:e!<CR>')
    assert.equal(text('reload.txt'), 'xb\n')
  })

  it('loads what somebody else wrote, and goes on there', async () => {
    put('theirs.txt', 'a\nb\n')
    await tool.execute('1', { file: 'theirs.txt', steps: [{ kbd: ['x'] }], pause: true })
    put('theirs.txt', 'other\nb\n')
    await assert.rejects(press('theirs.txt', 'x'), { code: 'vim_disk_changed' })
    await press('theirs.txt', ':e!<CR>Gdd')
    assert.equal(text('theirs.txt'), 'other\n')
  })

  it('takes over what somebody else wrote, and does not overwrite it', async () => {
    put('outside.txt', 'a\nb\n')
    await press('outside.txt', 'G')
    put('outside.txt', 'brand\nnew\ntext\n')
    await press('outside.txt', 'x')
    assert.equal(text('outside.txt'), 'brand\new\ntext\n')
    await tool.execute('1', { file: 'outside.txt', steps: [{ kbd: ['x'] }], pause: true })
    put('outside.txt', 'other\n')
    await assert.rejects(press('outside.txt', 'x'), { code: 'vim_disk_changed' })
    assert.equal(text('outside.txt'), 'other\n')
  })

  it('writes nothing where nothing changed', async () => {
    put('same.txt', 'abc')
    const before = statSync(join(root, 'same.txt'), { bigint: true })
    for (const keys of ['p', 'ix<Esc>u', ':g/zzz/d<CR>', '9rz']) await press('same.txt', keys)
    const after = statSync(join(root, 'same.txt'), { bigint: true })
    assert.equal(after.mtimeNs, before.mtimeNs)
    assert.equal(after.ino, before.ino)
  })

  it('shows a file without making it', async () => {
    const { details } = await tool.execute('1', { file: 'missing.txt' })
    assert.deepEqual(details.cursor, { line: 1, col: 1 })
    assert.equal(existsSync(join(root, 'missing.txt')), false)
  })

  it('says that a count repeats an insert', async () => {
    put('count.txt', 'a\n')
    const { details, content } = await tool.execute('1', { file: 'count.txt', steps: [{ kbd: ['3i'], insert: 'x' }] })
    assert.equal(text('count.txt'), 'xxxa\n')
    const [notice] = details.notices
    assert.equal(notice.kind, 'vim_count_repeats')
    assert.equal(notice.count, 3)
    assert.ok(content[0].text.includes(notice.text))
  })

  it('keeps what was typed before a pause', async () => {
    put('pause.txt', 'a\n')
    await tool.execute('1', { file: 'pause.txt', steps: [{ kbd: ['o'], insert: 'half' }], pause: true })
    assert.equal(text('pause.txt'), 'a\n')
    await press('pause.txt', '<Esc>')
    assert.equal(text('pause.txt'), 'a\nhalf\n')
  })

  it('edits the file that is named, not another one', async () => {
    put('one.txt', '1\n')
    put('two.txt', '2\n')
    await assert.rejects(press('one.txt', ':e two.txt<CR>dd'), { code: 'vim_ex_unsupported' })
    assert.equal(text('two.txt'), '2\n')
  })
})
