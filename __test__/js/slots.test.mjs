// The example adapters of host slots: github over a program, eval in a worker and a process, lsp over a server, task.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'

import { evalTool } from '../../examples/slots/eval.mjs'
import { githubTool } from '../../examples/slots/github.mjs'
import { lspTool } from '../../examples/slots/lsp.mjs'
import { taskTool } from '../../examples/slots/task.mjs'
import * as core from '../../src/js/index.js'
import { testSession } from './session.mjs'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'slots-')))
after(() => rmSync(root, { recursive: true }))
const session = testSession({ cwd: root })
const text = ({ content }) => content[0].text

function script(name, source) {
  const path = join(root, name)
  writeFileSync(path, `#!/usr/bin/env node\n${source}`)
  chmodSync(path, 0o755)
  return path
}

const onPosix = process.platform === 'win32' ? (words) => it(`${words} (a script cannot be a program on Windows)`, () => {}) : it

describe('github', () => {
  onPosix('passes arguments on as they are', async () => {
    const program = script('gh', 'console.log(JSON.stringify(process.argv.slice(2)))')
    const tool = githubTool({ program })(session)
    const call = async (args) => JSON.parse(text(await tool.execute('1', args)))
    assert.deepEqual(await call({ op: 'pr_view', pr: 7, repo: 'o/r' }), ['pr', 'view', '7', '--comments', '--repo=o/r'])
    assert.deepEqual(await call({ op: 'pr_create', title: '--web; rm', draft: true, label: ['a', 'b'] }), ['pr', 'create', '--title=--web; rm', '--draft', '--label=a', '--label=b'])
    assert.deepEqual(await call({ op: 'search_issues', query: '-x $(y)', limit: 3 }), ['search', 'issues', '--limit', '3', '--', '-x $(y)'])
  })

  onPosix('tells what the program says when it fails', async () => {
    const program = script('failing', 'console.error("not logged in"); process.exit(4)')
    await assert.rejects(githubTool({ program })(session).execute('1', { op: 'repo_view' }), { code: 'nonzero_exit', message: 'not logged in' })
  })

  it('says that the program is missing, and which operations there are', async () => {
    await assert.rejects(githubTool({ program: join(root, 'none') })(session).execute('1', { op: 'repo_view' }), { code: 'tool_unavailable' })
    await assert.rejects(githubTool()(session).execute('1', { op: 'constructor' }), { code: 'invalid_arguments' })
  })
})

describe('eval', () => {
  const called = []
  const callTool = async (name, args) => {
    called.push([name, args])
    if (name === 'broken') throw new Error('no such luck')
    return { sum: args.a + 1 }
  }
  const tool = evalTool({ callTool })(session)
  after(() => tool.dispose())
  const run = async (language, ...codes) => tool.execute('1', { cells: codes.map((code) => ({ language, code })) })

  it('keeps variables of JavaScript, and calls tools', async () => {
    assert.equal(text(await run('js', 'const x = 40', 'x + 2')), '(no output)\n\n42')
    assert.equal(text(await run('js', "const r = await tool('add', { a: 1 })\nr.sum")), '2')
    assert.equal(text(await run('js', 'r.sum + x')), '42')
    assert.deepEqual(called, [['add', { a: 1 }]])
  })

  it('stops at the first cell that fails', async () => {
    const result = await run('js', "await tool('broken')", '1')
    assert.equal(result.isError, true)
    assert.match(text(result), /no such luck/)
    assert.deepEqual(result.details, { ran: 1, of: 2 })
  })

  it('ends a kernel that takes too long, and goes on with a fresh one', async () => {
    await assert.rejects(tool.execute('1', { cells: [{ language: 'js', code: 'for (;;);', timeout: 1 }] }), { code: 'timeout' })
    assert.equal(text(await run('js', 'typeof x')), 'undefined')
    const controller = new AbortController()
    const call = tool.execute('1', { cells: [{ language: 'js', code: 'for (;;);' }] }, controller.signal)
    setTimeout(() => controller.abort(), 50)
    await assert.rejects(call, { name: 'AbortError' })
  })

  it('does the same with Python, or says that there is none', async () => {
    if (spawnSync('python3', ['--version']).status !== 0) {
      await assert.rejects(run('py', '1'), { message: /kernel has ended/ })
      return
    }
    assert.equal(text(await run('py', 'x = 40', "print('한글')\nx + tool('add', a=1)['sum']")), "(no output)\n\n한글\n42")
    const result = await run('py', '1 / 0')
    assert.equal(result.isError, true)
    assert.match(text(result), /ZeroDivisionError/)
    assert.equal(text(await run('py', 'x')), '40')
  })
})

/** A language server that knows one definition and one fault. */
const server = `
let buffer = ''
const send = (message) => { const body = JSON.stringify({ jsonrpc: '2.0', ...message }); process.stdout.write('Content-Length: ' + Buffer.byteLength(body) + '\\r\\n\\r\\n' + body) }
const range = { start: { line: 1, character: 2 }, end: { line: 1, character: 5 } }
process.stdin.on('data', (chunk) => {
  buffer += chunk
  for (let match; (match = /^Content-Length: (\\d+)\\r\\n\\r\\n/.exec(buffer)) && buffer.length >= match[0].length + Number(match[1]); ) {
    const { id, method, params } = JSON.parse(buffer.slice(match[0].length, match[0].length + Number(match[1])))
    buffer = buffer.slice(match[0].length + Number(match[1]))
    if (method === 'initialize') send({ id, result: { capabilities: {} } })
    if (/didOpen|didChange/.test(method)) send({ method: 'textDocument/publishDiagnostics', params: { uri: params.textDocument.uri, diagnostics: [{ range, message: 'unused' }] } })
    if (method === 'textDocument/definition') send({ id, result: [{ uri: params.textDocument.uri, range: { start: params.position, end: params.position } }] })
    if (method === 'textDocument/hover') send({ id, error: { code: 1, message: 'nothing here' } })
    if (method === 'textDocument/references') process.exit(3)
  }
})`

describe('lsp', () => {
  writeFileSync(join(root, 'a.xx'), 'one\ntwo three\n')
  writeFileSync(join(root, 'server.mjs'), server)
  const tool = lspTool({ servers: { xx: ['node', join(root, 'server.mjs')] } })(session)
  after(() => tool.dispose())
  const ask = async (args) => tool.execute('1', { file: 'a.xx', ...args })

  it('asks about a symbol of a line', async () => {
    assert.equal(text(await ask({ action: 'definition', line: 2, symbol: 'three' })), 'a.xx:2:5')
    assert.equal(text(await ask({ action: 'diagnostics' })), '2:3 unused')
    assert.equal(text(await ask({ action: 'diagnostics' })), '2:3 unused')
  })

  it('tells what goes wrong, and starts a server that has ended anew', async () => {
    await assert.rejects(ask({ action: 'hover', line: 1, symbol: 'one' }), { message: 'nothing here' })
    await assert.rejects(ask({ action: 'definition', line: 1, symbol: 'three' }), { code: 'invalid_arguments' })
    await assert.rejects(tool.execute('1', { action: 'hover', file: 'server.mjs' }), { code: 'unsupported' })
    await assert.rejects(ask({ action: 'references', line: 1, symbol: 'one' }), { message: /exit code 3/ })
    assert.equal(text(await ask({ action: 'definition', line: 1, symbol: 'one' })), 'a.xx:1:1')
  })
})

describe('task', () => {
  it('gives each task a session of its own that ends with yield', async () => {
    // The sessions are made side by side: which of them is ready first is open.
    const seen = new Map()
    const runAgent = async ({ session, prompt }) => {
      seen.set(prompt, [session.taskDepth, session.getActiveToolNames().includes('yield')])
      if (prompt.includes('silent')) return
      if (prompt.includes('broken')) throw new Error('the model is away')
      await session.registry.get('yield').execute('1', { result: { data: { n: prompt.length } } })
    }
    const tool = taskTool({ runAgent })(session)
    const tasks = ['count', 'silent', 'broken'].map((assignment, index) => ({ id: `t${index}`, assignment }))
    const { details } = await tool.execute('1', { agent: 'a', context: 'Here.', tasks })
    assert.deepEqual(details.results.map(({ status }) => status), ['success', 'failed', 'failed'])
    assert.deepEqual(details.results[0].data, { n: 12 })
    assert.match(details.results[2].error, /away/)
    assert.equal(seen.size, 3)
    assert.deepEqual(seen.get('Here.\n\ncount'), [1, true])
  })

  it('holds results to the schema that the call asks for', async () => {
    const runAgent = async ({ session }) => {
      const hand = session.registry.get('yield')
      await assert.rejects(hand.execute('1', { result: { data: 1 } }), { code: 'yield_schema_mismatch' })
      await hand.execute('2', { result: { data: 'text' } })
    }
    const { details } = await taskTool({ runAgent })(session).execute('1', { agent: 'a', schema: { type: 'string' }, tasks: [{ id: 'x', assignment: 'y' }] })
    assert.deepEqual(details.results, [{ id: 'x', status: 'success', data: 'text' }])
  })
})

it('the adapters fill their slots', async () => {
  core.registerToolFactory('eval', evalTool({ callTool: async () => {} }))
  core.registerToolFactory('task', taskTool({ runAgent: async () => {} }))
  core.registerToolFactory('lsp', lspTool({ servers: {} }))
  const names = (await core.createTools(testSession())).map(({ name }) => name)
  for (const name of ['eval', 'task', 'lsp']) assert.ok(names.includes(name), name)
})
