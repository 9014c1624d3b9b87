// Paths through the addon: what a session allows, and conflicts that a session numbers.

import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createTools } from '../../src/js/index.js'
import { testSession } from './session.mjs'

const base = realpathSync(mkdtempSync(join(tmpdir(), 'paths-test-')))
after(() => rmSync(base, { recursive: true, force: true }))
const inside = join(base, 'inside')
mkdirSync(join(inside, 'sub'), { recursive: true })
mkdirSync(join(base, 'outside'))
writeFileSync(join(inside, 'sub/a.txt'), 'allowed\n')
writeFileSync(join(base, 'outside/secret.txt'), 'secret\n')
const linked = process.platform !== 'win32'
if (linked) symlinkSync(join(base, 'outside'), join(inside, 'link'))

/** @param {Record<string, unknown>} [members] */
async function toolsOf(members) {
  const settings = { readHashLines: false, 'edit.mode': 'replace' }
  const session = testSession({ settings, cwd: inside, ...members })
  const tools = await createTools(session, ['read', 'search', 'find', 'write', 'edit', 'bash'])
  return (name, params) => tools.find((tool) => tool.name === name).execute('call', params)
}

test('no tool leaves the allowed roots, and each says so with one code', async () => {
  const call = await toolsOf({ allowedRoots: [inside] })
  const outside = ['../outside/secret.txt', join(base, 'outside/secret.txt'), ...(linked ? ['link/secret.txt'] : [])]
  const edits = [{ old_text: 'secret', new_text: 'mine' }]
  for (const path of outside) {
    const calls = [
      ['read', { path }],
      ['search', { pattern: 'secret', paths: [path] }],
      ['find', { paths: [path] }],
      ['write', { path, content: 'mine' }],
      ['edit', { path, edits }],
    ]
    for (const [name, params] of calls) {
      await assert.rejects(call(name, params), { code: 'outside_allowed_roots' }, `${name} ${path}`)
    }
  }
  await assert.rejects(call('bash', { command: 'pwd', cwd: '..' }), { code: 'outside_allowed_roots' })
  assert.equal(readFileSync(join(base, 'outside/secret.txt'), 'utf8'), 'secret\n')
  const { content } = await call('read', { path: 'sub/a.txt' })
  assert.match(content[0].text, /^allowed\n/)
})

test('without allowed roots paths lead anywhere', async () => {
  const call = await toolsOf()
  const { content } = await call('read', { path: '../outside/secret.txt' })
  assert.match(content[0].text, /^secret\n/)
})

test('roots that are no list of absolute paths are refused, never taken for absence', async () => {
  for (const allowedRoots of ['/tmp', [7], ['relative'], {}, true]) {
    await assert.rejects(toolsOf({ allowedRoots }), ({ code, context }) => {
      assert.equal(code, 'invalid_arguments')
      assert.match(context.issues[0].path, /^session\.allowedRoots/)
      return true
    })
  }
})

test('roots are looked at with each call', async () => {
  const members = { allowedRoots: [inside] }
  const session = testSession({ settings: { readHashLines: false }, cwd: inside, ...members })
  const read = (await createTools(session, ['read'])).find(({ name }) => name === 'read')
  await assert.rejects(read.execute('1', { path: '../outside/secret.txt' }), { code: 'outside_allowed_roots' })
  session.allowedRoots = [base]
  assert.match((await read.execute('2', { path: '../outside/secret.txt' })).content[0].text, /^secret/)
})

test('a conflict is resolved by the number that the same session gave it', async () => {
  const file = join(inside, 'c.txt')
  const merged = 'top\n<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> other\nend\n'
  writeFileSync(file, merged)
  const [first, second] = [await toolsOf(), await toolsOf()]
  const { content, details } = await first('read', { path: 'c.txt' })
  assert.equal(details.conflictCount, 1)
  assert.ok(details.notices.every(({ text }) => content[0].text.includes(text)))
  assert.equal((await first('read', { path: 'conflict://1/theirs' })).content[0].text, 'theirs')
  await assert.rejects(second('write', { path: 'conflict://1', content: 'x' }), { code: 'conflict_not_found' })
  assert.equal(readFileSync(file, 'utf8'), merged)
  await first('write', { path: 'conflict://1', content: '@both' })
  assert.equal(readFileSync(file, 'utf8'), 'top\nours\ntheirs\nend\n')
})

test('a failure of many conflicts names the files', async () => {
  const conflict = '<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n'
  for (const name of ['one.txt', 'two.txt']) writeFileSync(join(inside, name), conflict)
  const call = await toolsOf()
  for (const path of ['one.txt', 'two.txt']) await call('read', { path })
  writeFileSync(join(inside, 'two.txt'), 'changed\n')
  await assert.rejects(call('write', { path: 'conflict://*', content: '@ours' }), ({ code, context }) => {
    assert.equal(code, 'conflict_bulk_failed')
    assert.deepEqual(context.resolved, ['one.txt'])
    assert.equal(context.failed[0].path, 'two.txt')
    return true
  })
})
