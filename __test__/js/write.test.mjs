// `write`, through the addon.

import assert from 'node:assert/strict'
import { linkSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'

import { ReadTool, WriteTool } from '../../src/js/index.js'
import { testSession } from './session.mjs'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'write-')))
after(() => rmSync(root, { recursive: true }))

const write = (path, content, settings = {}) =>
  new WriteTool(testSession({ cwd: root, settings })).execute('1', { path, content, unknown: 'ignored' })
const bytes = (path) => readFileSync(join(root, path))

describe('write', () => {
  it('makes the file and the directories above it', async () => {
    const result = await write('x/y/z.txt', '가🎉\n')
    assert.deepEqual(result, {
      content: [{ type: 'text', text: 'Successfully wrote 8 bytes to x/y/z.txt' }],
      details: {},
    })
    assert.equal(bytes('x/y/z.txt').toString(), '가🎉\n')
  })

  it('keeps a byte-order mark and says so in a notice', async () => {
    writeFileSync(join(root, 'bom.txt'), '\ufeffold\n')
    const { content, details } = await write('bom.txt', 'new\n')
    assert.equal(bytes('bom.txt').toString(), '\ufeffnew\n')
    assert.deepEqual(details.notices.map((notice) => notice.kind), ['bom_kept'])
    assert.ok(content[0].text.includes(details.notices[0].text))
  })

  it('replaces no file that someone else changed since the session read it', async () => {
    writeFileSync(join(root, 'seen.txt'), 'one\n')
    const session = testSession({ cwd: root })
    const [read, tool] = [new ReadTool(session), new WriteTool(session)]
    await read.execute('1', { path: 'seen.txt' })
    writeFileSync(join(root, 'seen.txt'), 'one\nforeign\n')
    await assert.rejects(tool.execute('2', { path: 'seen.txt', content: 'mine\n' }), { code: 'changed_outside' })
    assert.equal(bytes('seen.txt').toString(), 'one\nforeign\n')
    await read.execute('3', { path: 'seen.txt' })
    await tool.execute('4', { path: 'seen.txt', content: 'mine\n' })
    await tool.execute('5', { path: 'seen.txt', content: 'mine again\n' })
    assert.equal(bytes('seen.txt').toString(), 'mine again\n')
    rmSync(join(root, 'seen.txt'))
  })

  it('tells when a file could not be replaced as a whole', async () => {
    writeFileSync(join(root, 'one'), 'old')
    linkSync(join(root, 'one'), join(root, 'two'))
    const tool = new WriteTool(testSession({ cwd: root, stateDir: join(root, 'x', 'state') }))
    const { details } = await tool.execute('1', { path: 'one', content: 'new' })
    assert.deepEqual(readdirSync(join(root, 'x', 'state')), [])
    assert.equal(details.writtenInPlace, 'hard_links')
    assert.equal(bytes('two').toString(), 'new')
  })

  it('writes in plan mode the plan alone', async () => {
    const planFile = join(root, 'plan.md')
    const tool = new WriteTool(testSession({ cwd: root, planFile }))
    await assert.rejects(tool.execute('1', { path: 'one', content: 'x' }), { code: 'plan_mode_denied' })
    await tool.execute('2', { path: 'plan.md', content: '1. think' })
    assert.equal(bytes('plan.md').toString(), '1. think')
    assert.equal(bytes('one').toString(), 'new')
    rmSync(planFile)
    for (const member of ['planFile', 'stateDir']) {
      const odd = new WriteTool(testSession({ cwd: root, [member]: 'relative' }))
      await assert.rejects(odd.execute('3', { path: 'one', content: 'x' }), { code: 'invalid_arguments' })
    }
  })

  it('puts right what a process left half done, and says so', async () => {
    const stateDir = realpathSync(mkdtempSync(join(tmpdir(), 'write-state-')))
    const paths = ['half', 'half-link'].map((name) => join(root, name))
    writeFileSync(paths[0], 'old and long')
    linkSync(paths[0], paths[1])
    const at = statSync(paths[0], { bigint: true })
    // As it looks when a process was killed while it wrote `new content of it` over the file.
    const journal = join(stateDir, 'journal-1-0')
    mkdirSync(journal)
    const path = { Unix: [...Buffer.from(paths[0])] }
    const plan = [{ Overwritten: { path, id: { device: Number(at.dev), inode: Number(at.ino) }, old: '0.old', new: '0.new' } }]
    const files = { lock: '', '0.old': 'old and long', '0.new': 'new content of it', 'plan.json': JSON.stringify(plan) }
    for (const [name, content] of Object.entries(files)) writeFileSync(join(journal, name), content)
    writeFileSync(paths[0], 'new contlong')
    const tool = new WriteTool(testSession({ cwd: root, stateDir }))
    const { content, details } = await tool.execute('1', { path: 'three', content: 'x' })
    assert.equal(details.notices[0].kind, 'interrupted_write')
    assert.equal(details.notices[0].path, 'half')
    assert.ok(content[0].text.includes(details.notices[0].text))
    assert.equal(bytes('half-link').toString(), 'old and long')
    assert.deepEqual(readdirSync(stateDir), [])
    for (const name of ['half', 'half-link', 'three']) rmSync(join(root, name))
    rmSync(stateDir, { recursive: true })
  })

  it('refuses what it must not touch', async () => {
    mkdirSync(join(root, 'directory'))
    writeFileSync(join(root, 'api.pb.go'), 'package x\n')
    await assert.rejects(write('directory', 'x'), { code: 'io_error' })
    await assert.rejects(write('', 'x'), { code: 'io_error' })
    await assert.rejects(write('one:5', 'x'), { code: 'selector_unsupported' })
    await assert.rejects(write('conflict://1', 'x'), { code: 'conflict_not_found' })
    await assert.rejects(write('api.pb.go', 'x'), (error) => {
      assert.equal(error.code, 'auto_generated_file')
      assert.deepEqual(error.context, { path: 'api.pb.go', marker: 'api.pb.go' })
      return true
    })
    const tool = new WriteTool(testSession({ cwd: root }))
    await assert.rejects(tool.execute('1', { path: 'one' }), { code: 'invalid_arguments' })
    assert.equal(bytes('one').toString(), 'new')
  })

  it('leaves nothing beside the files', () => {
    assert.deepEqual(readdirSync(root).sort(), ['api.pb.go', 'bom.txt', 'directory', 'one', 'two', 'x'])
  })
})
