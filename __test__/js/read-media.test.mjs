// `read` beyond text files, through the addon: pictures as image blocks, what only the host answers, web pages.

import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { createTools, ReadTool } from '../../src/js/index.js'
import { testSession } from './session.mjs'

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAIAAAADCAIAAAA2iEnWAAAAEElEQVR42mP4z8AARAwoFABE0AX7TM5xDwAAAABJRU5ErkJggg=='

describe('read beyond text', () => {
  let directory
  let server
  let origin
  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'read-media-'))
    writeFileSync(join(directory, 'p.png'), Buffer.from(png, 'base64'))
    writeFileSync(join(directory, 'm.ts'), 'const a = 1\nconst b = 2\nfunction f() {\n  a()\n  b()\n  c()\n}\n')
    server = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<h1>Hi</h1>'))
    await new Promise((done) => server.listen(0, '127.0.0.1', done))
    origin = `http://127.0.0.1:${server.address().port}`
  })
  after(() => {
    server.close()
    rmSync(directory, { recursive: true, force: true })
  })

  const tool = (members = {}) => new ReadTool(testSession({ cwd: directory, settings: { readHashLines: false }, ...members }))
  const read = async (path, members, signal) => {
    const { content, details } = await tool(members).execute('id', { path }, signal)
    return { content, details, text: content[0].text }
  }
  const failure = (path, members, signal) => read(path, members, signal).then(assert.fail, (error) => error)

  it('shows a picture behind its text', async () => {
    const { content } = await read('p.png')
    assert.deepEqual(content, [
      { type: 'text', text: 'Read image file [image/png]' },
      { type: 'image', data: png, mimeType: 'image/png' },
    ])
  })

  it('summarises source', async () => {
    const { text, details } = await read('m.ts')
    assert.ok(text.includes('function f() { .. }'), text)
    assert.deepEqual(details.summary, { lines: 3, elidedSpans: 1, elidedLines: 3 })
  })

  it('asks the host what an internal address stands for', async () => {
    const asked = []
    const resolveInternalUrl = async (url, signal) => {
      asked.push([url, signal?.aborted])
      return url.endsWith('gone') ? undefined : { text: 'one\ntwo\nthree', mimeType: 'text/markdown', immutable: true }
    }
    const { signal } = new AbortController()
    const { text, details } = await read('rule://style:raw:2-2', { resolveInternalUrl }, signal)
    assert.equal(text, 'two')
    assert.equal(details.contentType, 'text/markdown')
    assert.deepEqual(details.meta.source, { type: 'internal', value: 'rule://style' })
    assert.deepEqual(asked, [['rule://style', false]])
    assert.equal((await failure('rule://gone', { resolveInternalUrl })).code, 'path_not_found')
    assert.equal((await failure('rule://style')).code, 'unsupported')
    // A failing host fails the call with its own error.
    const own = new Error('the router is closed')
    assert.equal(await failure('rule://x', { resolveInternalUrl: () => Promise.reject(own) }), own)
    assert.equal((await failure('rule://x', { resolveInternalUrl: () => 5 })).code, 'invalid_arguments')
    assert.equal((await failure('rule://x', { resolveInternalUrl: () => ({ text: 5 }) })).code, 'invalid_arguments')
    const half = await failure('rule://x', { resolveInternalUrl: () => ({ text: '\ud83d' }) })
    assert.equal(half.code, 'invalid_arguments')
    assert.match(half.message, /resolveInternalUrl\.text.*surrogate/)
  })

  it('does not wait for a host that never answers once the call is aborted', async () => {
    const never = () => new Promise(() => {})
    for (const [path, members] of [
      ['rule://x', { resolveInternalUrl: never }],
      ['artifact://3', { artifacts: { save: never, read: never } }],
    ]) {
      const controller = new AbortController()
      const call = read(path, members, controller.signal)
      setTimeout(() => controller.abort(), 5)
      await assert.rejects(call, { code: 'ABORT_ERR' })
    }
  })

  it('never shows anchors of what cannot change', async () => {
    const resolveInternalUrl = () => ({ text: 'one', immutable: true })
    const settings = {}
    assert.equal((await read('agent://1', { resolveInternalUrl, settings })).text, 'one')
    assert.match((await read('local://1', { resolveInternalUrl: () => ({ text: 'one' }), settings })).text, /^1[a-z]{2}\|one$/)
  })

  it('reads back what was kept whole', async () => {
    const folder = join(directory, 'chat')
    mkdirSync(folder)
    writeFileSync(join(folder, '3.bash.log'), 'kept\nwhole\n')
    const members = { getSessionFile: () => join(directory, 'chat.jsonl') }
    assert.equal((await read('artifact://3:raw:2-2', members)).text, 'whole')
    for (const address of ['artifact://4', 'artifact://../p.png', 'artifact://03']) {
      assert.equal((await failure(address, members)).code, 'unsupported', address)
    }
    const artifacts = { save: async () => '1', read: async (id) => (id === '1' ? 'from the store' : undefined) }
    assert.equal((await read('artifact://1', { artifacts })).text, 'from the store')
  })

  it('reads output that was too long, through the session', async () => {
    const session = testSession({ cwd: directory, settings: {}, getSessionFile: () => join(directory, 'long.jsonl') })
    const tools = await createTools(session, ['bash', 'read'])
    const named = (name) => tools.find((one) => one.name === name)
    const long = 'x'.repeat(80) + '\n'
    writeFileSync(join(directory, 'long.txt'), long.repeat(5000))
    const result = await named('read').execute('id', { path: 'long.txt:raw' })
    const id = result.details.meta.truncation.artifactId
    assert.notEqual(id, undefined)
    const back = await named('read').execute('id', { path: `artifact://${id}:raw:4999-4999` })
    assert.equal(back.content[0].text, long.trimEnd())
  })

  it('fetches pages where the session allows it', async () => {
    const fetchPolicy = { allowPrivate: ['127.0.0.1'] }
    const { text, details } = await read(origin, { fetchPolicy })
    assert.ok(text.startsWith(`URL: ${origin}/\nContent-Type: text/html\nMethod: html to markdown\n`), text)
    assert.ok(text.endsWith('\n---\n\n# Hi'), text)
    assert.deepEqual([details.contentType, details.status], ['text/html', 200])
    assert.match((await failure(origin)).message, /not a public address/)
    assert.equal((await failure(origin, { fetchPolicy: 5 })).code, 'invalid_arguments')
    assert.equal((await failure(origin, { fetchPolicy, settings: { 'fetch.enabled': false } })).code, 'url_disabled')
    assert.equal((await failure(origin, { fetchPolicy: { allowPrivate: 'yes' } })).code, 'invalid_arguments')
  })
})
