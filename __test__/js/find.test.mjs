// `find` through the addon.

import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, describe, it } from 'node:test'

import { FindTool, wrapToolWithMetaNotice } from '../../src/js/index.js'
import { testSession } from './session.mjs'

const roots = []
after(() => roots.forEach((root) => rmSync(root, { recursive: true })))

/** @param {Record<string, number>} files path → age in seconds */
function tree(files) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'find-')))
  roots.push(root)
  for (const [path, age] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), 'x')
    utimesSync(join(root, path), 1_700_000_000 - age, 1_700_000_000 - age)
  }
  return root
}

async function find(cwd, params) {
  const tool = wrapToolWithMetaNotice(new FindTool(testSession({ cwd })))
  const { content, details } = await tool.execute('1', params)
  return { text: content[0].text, details }
}

describe('find', () => {
  it('lists the newest first', async () => {
    const cwd = tree({ 'old.ts': 900, 'src/new.ts': 10, 'mid.ts': 300, 'src/x.md': 1 })
    const { text, details } = await find(cwd, { paths: ['*.ts'] })
    assert.equal(text, 'src/new.ts\nmid.ts\nold.ts')
    assert.deepEqual(details, { scopePath: '.', fileCount: 3, files: text.split('\n'), truncated: false, cwd })
  })

  it('states a limit only when it left something out', async () => {
    const cwd = tree({ a: 1, b: 2 })
    const all = await find(cwd, { paths: ['*'], limit: 2 })
    assert.equal(all.text, 'a\nb')
    const { text, details } = await find(cwd, { paths: ['*'], limit: 1 })
    assert.ok(text.startsWith('a\n\n['), text)
    assert.deepEqual(details.notices.map(({ kind, reached, suggestion }) => ({ kind, reached, suggestion })), [
      { kind: 'result_limit', reached: 1, suggestion: 2 },
    ])
  })

  it('lists directories when asked', async () => {
    const { text } = await find(tree({ 'a/b/c': 1 }), { paths: ['**/b'], type: 'directory' })
    assert.equal(text, 'a/b/')
  })

  it('names what is wrong', async () => {
    const cwd = tree({ a: 1 })
    await assert.rejects(find(cwd, { paths: ['*'], limit: 0 }), { code: 'invalid_limit' })
    await assert.rejects(find(cwd, { paths: ['gone'] }), { code: 'path_not_found', path: 'gone' })
    await assert.rejects(find(cwd, { paths: ['a.ts,b.js'] }), { code: 'packed_paths' })
    await assert.rejects(find(cwd, { paths: ['*'], timeout: 0.1 }), { code: 'invalid_arguments' })
  })
})
