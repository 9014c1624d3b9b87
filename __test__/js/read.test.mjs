// `read` through the addon: what a caller gets, with and without the wrapper of notices.

import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { ReadTool, wrapToolWithMetaNotice } from '../../src/js/index.js'
import { testSession } from './session.mjs'

describe('read', () => {
  let cwd
  before(() => {
    cwd = realpathSync(mkdtempSync(join(tmpdir(), 'read-')))
    writeFileSync(join(cwd, 'ten.txt'), Array.from({ length: 10 }, (_, index) => `line ${index + 1}\n`).join(''))
    writeFileSync(join(cwd, 'long.txt'), 'x\n'.repeat(500))
    writeFileSync(join(cwd, 'wide.txt'), `${'w'.repeat(2000)}\nend`)
    writeFileSync(join(cwd, 'data.bin'), Buffer.from([1, 0, 2]))
    writeFileSync(join(cwd, 'latin.txt'), Buffer.from([0x63, 0xe9]))
    writeFileSync(join(cwd, 'stray.txt'), Buffer.concat([Buffer.from('é'.repeat(20)), Buffer.from([0xe9])]))
    writeFileSync(join(cwd, 'wide16.txt'), Buffer.from('\ufeff하나\n둘\n', 'utf16le'))
    mkdirSync(join(cwd, 'folder'))
    writeFileSync(join(cwd, 'folder', 'inner.txt'), '')
  })
  after(() => rmSync(cwd, { recursive: true }))

  const tool = (settings = {}) => new ReadTool(testSession({ cwd, settings }))
  const read = async (path, settings) => {
    const { content, details } = await tool(settings).execute('id', { path })
    assert.equal(content.length, 1)
    for (const { text } of details.notices ?? []) assert.ok(content[0].text.includes(text), 'a notice stands in the text')
    return { text: content[0].text, details }
  }

  it('shows anchors that name number and content', async () => {
    const { text, details } = await read('ten.txt:2,9')
    assert.match(text, /^2[a-z]{2}\|line 2\n\n…\n\n9[a-z]{2}\|line 9$/)
    assert.equal(details.resolvedPath, join(cwd, 'ten.txt'))
    assert.deepEqual(details.meta, { source: { type: 'path', value: join(cwd, 'ten.txt') } })
  })

  it('shows no anchors to a session without edit tool', async () => {
    const plain = new ReadTool(testSession({ cwd, hasEditTool: false }))
    const { content } = await plain.execute('id', { path: 'ten.txt:2,9' })
    assert.equal(content[0].text, 'line 2\n\n…\n\nline 9')
  })

  it('is exact when raw', async () => {
    assert.equal((await read('ten.txt:raw:4-5')).text, 'line 4\nline 5')
    assert.equal((await read('wide.txt:raw')).text, `${'w'.repeat(2000)}\nend`)
  })

  it('tells of a cut once, in the body or by the wrapper', async () => {
    const wrapped = wrapToolWithMetaNotice(tool())
    const kinds = async (path) => (await wrapped.execute('id', { path })).details.notices.map(({ kind }) => kind)
    assert.deepEqual(await kinds('long.txt'), ['footer_tail'])
    assert.deepEqual(await kinds('ten.txt:4-5'), ['meta_window'])
    assert.deepEqual(await kinds('wide.txt'), ['column_cap'])
    const { content, details } = await wrapped.execute('id', { path: 'ten.txt:4-5' })
    const { start, end, total, next } = details.notices[0]
    assert.deepEqual({ start, end, total, next }, { start: 3, end: 8, total: 11, next: 9 })
    assert.match(content[0].text, /:9 to continue/)
  })

  it('names binary and lossy text', async () => {
    const binary = await read('data.bin')
    assert.equal(binary.text, binary.details.notices[0].text)
    assert.equal(binary.details.notices[0].size, '3B')
    const stray = (await read('stray.txt')).details
    assert.equal(stray.lossy, true)
    assert.equal(stray.encoding, undefined)
  })

  it('decodes and names what is no UTF-8', async () => {
    const { text, details } = await read('latin.txt:raw')
    assert.equal(text, 'cé')
    assert.equal(details.encoding, 'windows-1252')
    const wide = await read('wide16.txt:raw:2-2')
    assert.equal(wide.text, '둘')
    assert.equal(wide.details.encoding, 'utf-16le')
  })

  it('lists a directory', async () => {
    const { text, details } = await read('.')
    assert.equal(details.isDirectory, true)
    assert.ok(text.startsWith('.\n  - '))
    assert.match(text, /\n {4}- inner\.txt +0B +just now/)
  })

  it('fails with a code and facts', async () => {
    const failure = async (params) => await tool().execute('id', params).then(assert.fail, (error) => error)
    const missing = await failure({ path: 'gone.txt:3' })
    assert.equal(missing.code, 'path_not_found')
    assert.equal(missing.context.path, 'gone.txt:3')
    assert.equal((await failure({ path: 'ten.txt:9-4' })).code, 'invalid_selector')
    assert.equal((await failure({ path: 'ten.txt', offset: 3 })).code, 'invalid_arguments')
  })

  it('rejects a call whose signal has fired', async () => {
    const call = tool().execute('id', { path: 'ten.txt' }, AbortSignal.abort())
    await assert.rejects(call, { name: 'AbortError', code: 'ABORT_ERR' })
  })
})
