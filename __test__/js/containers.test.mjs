// Archives and notebooks through the addon: what `write` puts into an archive, `read` finds there.

import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'

import { ReadTool, WriteTool } from '../../src/js/index.js'
import { testSession } from './session.mjs'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'containers-')))
after(() => rmSync(root, { recursive: true }))

const session = testSession({ cwd: root, settings: { readHashLines: false } })
const write = (path, content) => new WriteTool(session).execute('1', { path, content })
const read = async (path) => (await new ReadTool(session).execute('1', { path })).content[0].text

describe('archives', () => {
  for (const archive of ['x.zip', 'x.tar', 'x.tar.gz']) {
    it(`${archive}: members are made, replaced and read`, async () => {
      await write(`${archive}:notes/a.txt`, 'one\ntwo\n')
      await write(`${archive}:notes/b.txt`, 'b')
      const { content } = await write(`${archive}:notes/a.txt`, 'three\nfour\n')
      assert.equal(content[0].text, `Successfully wrote 11 bytes to ${archive}:notes/a.txt`)
      assert.equal(await read(archive), 'notes/')
      assert.equal(await read(`${archive}:notes`), 'a.txt (11B)\nb.txt (1B)')
      assert.equal(await read(`${archive}:notes/a.txt:raw:2-2`), 'four')
      await assert.rejects(read(`${archive}:gone`), { name: 'ToolError', code: 'archive_member_not_found' })
    })
  }

  it('a member outside of the archive is refused and nothing is written', async () => {
    const before = readdirSync(root)
    await assert.rejects(write('new.zip:../x', 'x'), { code: 'archive_bad_path' })
    await assert.rejects(write('new.db:users', '{a: 1}'), { code: 'sqlite_db_not_found' })
    assert.deepEqual(readdirSync(root), before)
  })

  it('what is no archive is an error and stays as it is', async () => {
    writeFileSync(join(root, 'bad.zip'), 'no archive')
    await assert.rejects(read('bad.zip'), { code: 'archive_invalid' })
    await assert.rejects(write('bad.zip:a', 'x'), { code: 'archive_invalid' })
    assert.equal(readFileSync(join(root, 'bad.zip'), 'utf8'), 'no archive')
  })
})

describe('notebooks', () => {
  it('cells are shown as text, raw as they are', async () => {
    const notebook = JSON.stringify({ cells: [{ cell_type: 'code', source: ['x = 1\n', 'y = 2'] }] })
    writeFileSync(join(root, 'n.ipynb'), notebook)
    assert.equal(await read('n.ipynb'), '# %% [code] cell:0\nx = 1\ny = 2')
    assert.equal(await read('n.ipynb:raw'), notebook)
  })
})
