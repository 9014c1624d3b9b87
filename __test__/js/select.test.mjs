// createTools and the initial split through the public API.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'

import { createTools, partitionInitialTools, registerToolFactory, resolveDiscoveryMode } from '../../src/js/index.js'
import { hostTool, testSession } from './session.mjs'

const facts = { platform: 'linux', arch: 'x64', env: {}, pathHas: () => false }
const names = (tools) => tools.map(({ name }) => name)

describe('createTools', () => {
  it('offers what this package implements', async () => {
    const offered = async (cwd) => names(await createTools(testSession({ cwd }), undefined, facts))
    assert.deepEqual(await offered(tmpdir()), ['read', 'bash', 'edit', 'ast_grep', 'ast_edit', 'find', 'search', 'todo_write', 'write', 'goal', 'resolve'])
    const project = mkdtempSync(join(tmpdir(), 'select-'))
    after(() => rmSync(project, { recursive: true, force: true }))
    writeFileSync(join(project, 'package.json'), '{"scripts":{"test":"true"}}')
    assert.deepEqual(await offered(project), ['read', 'bash', 'edit', 'ast_grep', 'ast_edit', 'find', 'search', 'recipe', 'todo_write', 'write', 'goal', 'resolve'])
    assert.deepEqual(names(await createTools(testSession(), ['WRITE ', 'read', 'zap'], facts)), ['write', 'read', 'goal', 'resolve'])
  })

  it('puts resolve last, and every tool through the notice wrapper once', async () => {
    const bridge = hostTool('ssh')
    registerToolFactory('ssh', () => bridge)
    const tools = await createTools(testSession(), ['resolve', 'ssh'], facts)
    assert.deepEqual(names(tools), ['ssh', 'goal', 'resolve'])
    const { execute } = bridge
    await createTools(testSession(), ['ssh'], facts)
    assert.equal(bridge.execute, execute)
  })

  it('awaits factories together and keeps their order', async () => {
    const log = []
    for (const [name, delay] of [['job', 20], ['cron', 1]]) {
      registerToolFactory(name, async () => {
        log.push(`start ${name}`)
        await new Promise((resolve) => setTimeout(resolve, delay))
        log.push(`end ${name}`)
        return hostTool(name)
      })
    }
    const tools = await createTools(testSession(), ['job', 'cron'], facts)
    assert.deepEqual(names(tools).slice(0, 2), ['job', 'cron'])
    assert.deepEqual(log, ['start job', 'start cron', 'end cron', 'end job'])
  })

  it('fails whole when a factory fails, and says whose result is no tool', async () => {
    registerToolFactory('irc', () => { throw new Error('no network') })
    const agents = { agentRegistry: {}, getAgentId: () => 'me' }
    await assert.rejects(createTools(testSession(agents), ['irc'], facts), /no network/)
    registerToolFactory('irc', () => ({ name: 'irc' }))
    await assert.rejects(createTools(testSession(agents), ['irc'], facts), { code: 'invalid_arguments', message: /irc\(\)\.execute/ })
  })

  it('reads each setting once', async () => {
    const read = []
    const settings = { get: (key) => void read.push(key) }
    await createTools({ ...testSession(), settings }, ['calc'], facts)
    assert.ok(read.includes('calc.enabled'))
    assert.equal(read.length, new Set(read).size)
  })

  it('treats a setting of undefined as its default', async () => {
    const tools = await createTools(testSession({ settings: { 'find.enabled': undefined, 'search.enabled': false } }), undefined, facts)
    assert.ok(names(tools).includes('find'))
    assert.ok(!names(tools).includes('search'))
  })

  it('fails on unknown names where names are strict', async () => {
    await assert.rejects(createTools(testSession({ strictToolNames: true }), ['zap', 'read', 'pow'], facts), {
      name: 'ToolError',
      code: 'unknown_tool',
      context: { names: ['zap', 'pow'] },
    })
  })

  it('names the member of a session that is missing', async () => {
    const cases = [
      [undefined, /`session`/],
      [testSession({ cwd: 3 }), /`session.cwd`/],
      [testSession({ cwd: 'relative' }), /`session.cwd`/],
      [{ ...testSession(), settings: {} }, /`session.settings.get`/],
      [testSession({ getSessionFile: undefined }), /`session.getSessionFile`/],
    ]
    for (const [session, message] of cases) {
      await assert.rejects(createTools(session), { code: 'invalid_arguments', message })
    }
    await assert.rejects(createTools(testSession(), 'read'), { code: 'invalid_arguments', message: /`toolNames`/ })
    await assert.rejects(createTools(testSession(), ['read', 3]), { code: 'invalid_arguments', message: /`toolNames\[1\]`/ })
    await assert.rejects(createTools(testSession(), ['read'], 'linux'), { code: 'invalid_arguments', message: /`facts`/ })
  })
})

describe('partitionInitialTools', () => {
  const registry = new Map([
    ['read', hostTool('read', { loadMode: 'essential' })],
    ['browser', hostTool('browser', { loadMode: 'discoverable' })],
    ['MyTool', hostTool('MyTool')],
    ['mcp__a_one', hostTool('mcp__a_one', { mcpServerName: 'a', mcpToolName: 'one' })],
    ['mcp__odd', hostTool('mcp__odd')],
  ])
  const settings = { get: () => undefined }

  it('hides discoverable tools and bridges, and nothing else', () => {
    assert.deepEqual(partitionInitialTools({ registry, settings }), {
      mode: 'all',
      active: ['read', 'MyTool', 'mcp__odd'],
      selectedMcp: [],
      selectedBuiltins: [],
      baselineBuiltins: ['read'],
    })
  })

  it('reads load modes through accessors', () => {
    class Tool {
      get loadMode() {
        return 'discoverable'
      }
    }
    const { active } = partitionInitialTools({ registry: new Map([['find', new Tool()]]), settings })
    assert.deepEqual(active, [])
  })

  it('names facts, settings and entries that are none', async () => {
    const invalid = (message) => ({ name: 'ToolError', code: 'invalid_arguments', message })
    assert.throws(() => partitionInitialTools({ registry: new Map([['x', null]]), settings }), invalid(/get\('x'\)/))
    assert.throws(() => partitionInitialTools({ registry: new Map([[5, {}]]), settings }), invalid(/input\.registry/))
    await assert.rejects(createTools(testSession(), ['read'], { platform: 5 }), invalid(/`facts\.platform`/))
    await assert.rejects(createTools(testSession({ taskDepth: 'x' })), invalid(/`session\.taskDepth`/))
    await assert.rejects(createTools(testSession({ settings: { 'calc.enabled': 1n } })), invalid(/calc\.enabled/))
    registerToolFactory('bisect', () => hostTool('read'))
    await assert.rejects(createTools(testSession(), ['bisect'], facts), invalid(/bisect\(\)\.name/))
    registerToolFactory('bisect', () => null)
  })

  it('names what is wrong with its input', () => {
    assert.throws(() => partitionInitialTools(undefined), { message: /`input`/ })
    assert.throws(() => partitionInitialTools({ registry: [], settings: 1 }), { code: 'invalid_arguments' })
    assert.throws(() => partitionInitialTools({ registry: {}, settings }), { message: /`input.registry`/ })
    assert.throws(() => partitionInitialTools({ registry, settings, toolNames: [3] }), { message: /`input.toolNames\[0\]`/ })
  })

  it('resolves the mode', () => {
    const mode = (values, exact) => resolveDiscoveryMode({ get: (key) => values[key] }, exact)
    assert.equal(mode({}), 'all')
    assert.equal(mode({ 'tools.discoveryMode': 'off' }), 'off')
    assert.equal(mode({ 'tools.discoveryMode': 'off' }, true), 'mcp-only')
    assert.equal(mode({ 'tools.discoveryMode': 'off', 'mcp.discoveryMode': true }), 'mcp-only')
  })
})
