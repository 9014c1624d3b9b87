// Code by its structure through the addon: a search, and an edit that is applied or discarded by `resolve`.

import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'

import { AstEditTool, AstGrepTool, createTools, ReadTool, ResolveTool, WriteTool } from '../../src/js/index.js'
import { testSession } from './session.mjs'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'ast-')))
after(() => rmSync(root, { recursive: true }))

let folders = 0

/** A session over a folder with these files. */
function place(files, members = {}) {
  const cwd = join(root, String(folders++))
  mkdirSync(cwd)
  for (const [name, content] of Object.entries(files)) writeFileSync(join(cwd, name), content)
  const session = testSession({ cwd, stateDir: join(root, 'state'), ...members })
  const tools = { grep: new AstGrepTool(session), edit: new AstEditTool(session), resolve: new ResolveTool(session), read: new ReadTool(session), write: new WriteTool(session) }
  const call = (name, params, signal) => tools[name].execute('1', params, signal)
  return { session, call, text: (name) => readFileSync(join(cwd, name), 'utf8') }
}

const textOf = ({ content }) => content[0].text
const rename = { ops: [{ pat: 'foo($A)', out: 'bar($A)' }], paths: ['.'] }
const apply = { action: 'apply', reason: 'it is right' }

describe('ast_grep', () => {
  it('finds code whatever its spacing, with the captures', async () => {
    const { call } = place({ 'a.ts': 'x;\nfoo( 1 ,2)\n' })
    const result = await call('grep', { pat: 'foo($A, $B)', paths: ['.'] })
    assert.match(textOf(result), /^# a\.ts\n\*2[a-z]{2}\|foo\( 1 ,2\)\n {2}meta: A=1, B=2$/)
    assert.equal(result.details.matchCount, 1)
    assert.equal(result.details.displayContent, '# a.ts\n*2│foo( 1 ,2)\n  meta: A=1, B=2')
  })

  it('rejects with the code, and as an abort', async () => {
    const { call } = place({ 'a.ts': 'f()\n' })
    await assert.rejects(call('grep', { pat: '', paths: ['.'] }), { code: 'empty_pattern' })
    await assert.rejects(call('grep', { pat: 'f()', paths: ['.'] }, AbortSignal.abort()), { name: 'AbortError' })
  })

  it('comes with search, and can be turned off', async () => {
    const names = async (settings) => (await createTools(testSession({ settings }), ['search', 'edit'])).map(({ name }) => name)
    assert.deepEqual(await names({}), ['search', 'edit', 'goal', 'ast_grep', 'ast_edit', 'resolve'])
    assert.deepEqual(await names({ 'astGrep.enabled': false, 'astEdit.enabled': false }), ['search', 'edit', 'goal', 'resolve'])
  })
})

describe('ast_edit', () => {
  it('shows first, and writes when it is applied', async () => {
    const { call, text } = place({ 'a.ts': 'foo(1);\n', 'b.ts': 'foo(2);\r\n' })
    const preview = await call('edit', rename)
    assert.equal(preview.details.applied, false)
    assert.equal(text('a.ts'), 'foo(1);\n')
    const result = await call('resolve', apply)
    assert.equal(textOf(result), 'Applied 2 replacements in 2 files.')
    assert.equal(result.details.sourceResultDetails.applied, true)
    assert.equal(result.details.label, 'AST Edit: 2 replacements in 2 files')
    assert.deepEqual([text('a.ts'), text('b.ts')], ['bar(1);\n', 'bar(2);\r\n'])
    await assert.rejects(call('resolve', apply), { code: 'no_pending_action' })
  })

  it('asks for resolve only where there is something to resolve', async () => {
    const steered = []
    const { call } = place({ 'a.ts': 'foo(1);\n' }, { steer: (message) => steered.push(message) })
    await call('edit', { ...rename, ops: [{ pat: 'none($A)', out: '$A' }] })
    assert.equal(steered.length, 0)
    await call('edit', rename)
    assert.equal(steered.length, 1)
    assert.equal(steered[0].details.toolName, 'ast_edit')
  })

  it('drops what is discarded', async () => {
    const { call, text } = place({ 'a.ts': 'foo(1);\n' })
    await call('edit', rename)
    const result = await call('resolve', { action: 'discard', reason: 'no need' })
    assert.equal(textOf(result), 'Discarded: AST Edit: 1 replacement in 1 file. Reason: no need')
    assert.equal(text('a.ts'), 'foo(1);\n')
  })

  it('answers a stale preview once, and writes none of its files', async () => {
    const { call, text } = place({ 'a.ts': 'foo(1);\n', 'b.ts': 'foo(2);\n' })
    await call('edit', rename)
    await call('edit', { ops: [{ pat: 'foo(2)', out: 'foo(3)' }], paths: ['.'] })
    assert.equal((await call('resolve', apply)).isError, undefined)
    const stale = await call('resolve', apply)
    assert.equal(stale.isError, true)
    assert.deepEqual(stale.details.notices.map(({ kind, paths }) => ({ kind, paths })), [{ kind: 'stale_preview', paths: ['b.ts'] }])
    assert.equal(textOf(stale), stale.details.notices[0].text)
    assert.deepEqual([text('a.ts'), text('b.ts')], ['foo(1);\n', 'foo(3);\n'])
    await assert.rejects(call('resolve', apply), { code: 'no_pending_action' })
  })

  it('stays pending where applying fails', async () => {
    const members = {}
    const { session, call, text } = place({ 'a.ts': 'foo(1);\n' }, members)
    await call('edit', rename)
    session.planFile = join(root, 'plan.md')
    await assert.rejects(call('resolve', apply), { code: 'plan_mode_denied' })
    delete session.planFile
    await call('resolve', apply)
    assert.equal(text('a.ts'), 'bar(1);\n')
  })

  it('lets a file that was read be written again', async () => {
    const { call, text } = place({ 'a.ts': 'foo(1);\n' })
    await call('read', { path: 'a.ts' })
    await call('edit', rename)
    await call('resolve', apply)
    await call('write', { path: 'a.ts', content: 'baz(1);\n' })
    assert.equal(text('a.ts'), 'baz(1);\n')
  })
})
