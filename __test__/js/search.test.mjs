// `search` through the addon.

import assert from 'node:assert/strict'
import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, describe, it } from 'node:test'

import { SearchTool, ToolError, wrapToolWithMetaNotice } from '../../src/js/index.js'
import { testSession } from './session.mjs'

const roots = []
after(() => roots.forEach((root) => rmSync(root, { recursive: true })))

/** @param {Record<string, string | Buffer>} files */
function tree(files) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'search-')))
  roots.push(root)
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  return root
}

async function search(cwd, params, members = {}, signal) {
  const result = await new SearchTool(testSession({ cwd, ...members })).execute('1', params, signal)
  return { text: result.content[0].text, details: result.details }
}

describe('search', () => {
  it('groups matching lines by file, with anchors that an edit takes', async () => {
    const cwd = tree({ 'a.txt': 'alpha\nneedle\n', 'src/b.ts': 'needle\n' })
    const { text, details } = await search(cwd, { pattern: 'needle' })
    assert.equal(text, '# a.txt\n 1im|alpha\n*2aw|needle\n\n# src/\n## b.ts\n*1aw|needle')
    assert.deepEqual(details.fileMatches, [{ path: 'a.txt', count: 1 }, { path: 'src/b.ts', count: 1 }])
    assert.equal(details.searchPath, cwd)
  })

  it('has no anchors where nothing takes them', async () => {
    const cwd = tree({ f: 'needle\n' })
    for (const members of [{ hasEditTool: false }, { settings: { readHashLines: false } }, { settings: { 'edit.mode': 'replace' } }]) {
      const { text } = await search(cwd, { pattern: 'needle', paths: ['f'] }, members)
      assert.equal(text, '*1|needle', JSON.stringify(members))
    }
  })

  it('finds the same with what the session remembers of files', async () => {
    const cwd = dirname(dirname(import.meta.dirname))
    const [plain, remembering] = [{}, { 'search.cache': true }].map((settings) => new SearchTool(testSession({ cwd, settings })))
    for (const pattern of ['createTools', 'createTools', 'no such thing anywhere', 'INVALID|argument', 'needle']) {
      const [expected, result] = await Promise.all([plain, remembering].map((tool) => tool.execute('1', { pattern, i: pattern === 'needle', paths: ['src/js', '__test__/js'] })))
      assert.deepEqual(result, expected)
    }
  })

  it('lists every omission in the text and in details.notices', async () => {
    const files = Object.fromEntries(Array.from({ length: 25 }, (_, n) => [`f${n}`, 'needle\n']))
    const cwd = tree({ ...files, binary: Buffer.from('needle\0') })
    const { text, details } = await search(cwd, { pattern: 'needle', paths: ['.', 'gone'] })
    assert.deepEqual(details.notices.map((notice) => notice.kind), ['search_page', 'skipped_files', 'missing_paths'])
    for (const notice of details.notices) assert.ok(text.includes(notice.text), notice.text)
    assert.equal(details.notices[0].next_skip, 20)
  })

  it('says through the wrapper that long lines are cut', async () => {
    const cwd = tree({ f: `${'x'.repeat(5000)}needle\n` })
    const tool = wrapToolWithMetaNotice(new SearchTool(testSession({ cwd })))
    const { content, details } = await tool.execute('1', { pattern: 'needle' })
    assert.match(content[0].text, /needle\n\n\[.*1024/)
    assert.equal(details.notices.at(-1).kind, 'column_cap')
  })

  it('rejects with the kind of the error and its facts', async () => {
    const cwd = tree({ f: 'x\n' })
    const error = await search(cwd, { pattern: 'a(?=b)' }).catch((error) => error)
    assert.ok(error instanceof ToolError)
    assert.equal(error.code, 'invalid_regex')
    assert.equal(error.context.pattern, 'a(?=b)')
    await assert.rejects(search(cwd, { pattern: 'x', paths: ['gone'] }), { code: 'path_not_found', path: 'gone' })
    await assert.rejects(search(cwd, { pattern: 'x', path: 'f' }), { code: 'invalid_arguments' })
  })

  it('ends at once when it is aborted, however large the tree', async () => {
    // One text under very many names: seconds of work, and little of the disk.
    const cwd = tree({ f: 'some text without what is sought\n'.repeat(100_000) })
    for (let n = 0; n < 2000; n += 1) linkSync(join(cwd, 'f'), join(cwd, `f${n}`))
    const controller = new AbortController()
    const call = search(cwd, { pattern: 'n(e|o){2,30}[a-z]*dle$' }, {}, controller.signal)
    setTimeout(() => controller.abort(), 2)
    await assert.rejects(call, { name: 'AbortError' })
  })

  it('gives the same answer to calls that run side by side', async () => {
    const files = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`d${n % 7}/f${n}`, 'needle\n'.repeat(n % 30)]))
    const cwd = tree(files)
    const answers = await Promise.all(Array.from({ length: 8 }, () => search(cwd, { pattern: 'needle' })))
    for (const answer of answers) assert.deepEqual(answer, answers[0])
  })
})
