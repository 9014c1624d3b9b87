// A session of ours: split at the start, search and activation, tool choice, previews.

import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { describe, it } from 'node:test'

import { clearPendingPreviews, createToolSession, queueResolveHandler, registerToolFactory, SearchToolBm25Tool, ToolChoiceQueue } from '../../src/js/index.js'
import { hostTool, testSession } from './session.mjs'

const model = { api: 'anthropic-messages', provider: 'anthropic', baseUrl: '', id: 'a-model' }
const facts = { platform: 'linux', arch: 'x64', env: {}, pathHas: () => false }
const bridge = (server, name) =>
  hostTool(`mcp__${server}_${name}`, { mcpServerName: server, mcpToolName: name, label: `${server}/${name}`, description: `The ${name} of ${server}` })

function start({ settings = {}, ...options } = {}) {
  const { settings: reader } = testSession({ settings })
  // Where no project is, so that it has no tasks.
  return createToolSession({ cwd: tmpdir(), facts, model, settings: reader, ...options })
}
const run = (session, name, params) => session.registry.get(name).execute('1', params)

registerToolFactory('browser', () => hostTool('browser', { loadMode: 'discoverable', summary: 'Open pages in a browser' }))

describe('createToolSession', () => {
  it('splits its tools at the start', async () => {
    const session = await start({ tools: [hostTool('helper'), bridge('alpha', 'ping')] })
    assert.deepEqual(session.getActiveToolNames(), ['read', 'bash', 'edit', 'search_tool_bm25', 'goal', 'resolve', 'helper'])
    assert.ok(session.registry.has('browser'))
    assert.deepEqual(
      session.getDiscoverableTools().map(({ name }) => name),
      ['ast_grep', 'ast_edit', 'find', 'search', 'browser', 'todo_write', 'write', 'mcp__alpha_ping'],
    )
    assert.deepEqual(session.getDiscoverableTools({ source: 'mcp' }).map(({ name }) => name), ['mcp__alpha_ping'])
  })

  it('hides nothing where discovery is off', async () => {
    const session = await start({ settings: { 'tools.discoveryMode': 'off' }, tools: [bridge('alpha', 'ping')] })
    assert.equal(session.isToolDiscoveryEnabled(), false)
    assert.equal(session.registry.has('search_tool_bm25'), false)
    assert.ok(session.getActiveToolNames().includes('mcp__alpha_ping'))
    assert.deepEqual(await session.activateDiscoveredTools(['browser']), [])
  })

  it('refuses a name that is taken', async () => {
    await assert.rejects(start({ tools: [hostTool('read')] }), { code: 'invalid_arguments', message: /tools\[0\]\.name/ })
    await assert.rejects(start({ tools: [hostTool('a'), hostTool('a')] }), { code: 'invalid_arguments', message: /tools\[1\]\.name/ })
    const session = await start()
    assert.throws(() => session.addTools([hostTool('bash')]), { code: 'invalid_arguments' })
    await assert.rejects(createToolSession(null), { code: 'invalid_arguments' })
    await assert.rejects(createToolSession({ cwd: '/' }), { code: 'invalid_arguments', message: /settings/ })
  })

  it('adds, removes and replaces tools, and says so', async () => {
    const seen = []
    const session = await start({ onActiveToolsChanged: (tools) => seen.push(tools.map(({ name }) => name)) })
    session.addTools([hostTool('MyTool'), bridge('alpha', 'ping')])
    assert.equal(session.getActiveToolNames().at(-1), 'MyTool')
    assert.deepEqual(session.setActiveTools(['mytool', 'READ', 'nope']), ['MyTool', 'read'])
    session.removeTools(['MyTool', 'unknown'])
    assert.deepEqual(session.getActiveToolNames(), ['read'])
    assert.deepEqual(seen.at(-1), ['read'])
    const { length } = seen
    session.setActiveTools(['read'])
    assert.equal(seen.length, length)
  })
})

describe('search_tool_bm25', () => {
  it('finds, activates and reports', async () => {
    const session = await start({ tools: [bridge('alpha', 'ping'), bridge('beta', 'go')] })
    const { content, details } = await run(session, 'search_tool_bm25', { query: ' open a page in the browser ', limit: 1 })
    assert.deepEqual(JSON.parse(content[0].text), { query: 'open a page in the browser', activated_tools: ['browser'], match_count: 1, total_tools: 9 })
    assert.deepEqual(details.active_selected_tools, ['browser'])
    assert.equal(details.tools[0].name, 'browser')
    assert.equal(details.limit, 1)
    assert.equal(session.getActiveToolNames().at(-1), 'browser')

    // What was activated is no longer found, and the index was not rebuilt from nothing.
    const index = session.getDiscoverableToolSearchIndex()
    const again = await run(session, 'search_tool_bm25', { query: 'browser' })
    assert.ok(!JSON.parse(again.content[0].text).activated_tools.includes('browser'))
    assert.equal(session.getDiscoverableToolSearchIndex(), index)
    assert.equal(index.size, index.documents.length)
  })

  it('brings resolve with a tool that stages previews', async () => {
    const session = await start({ toolNames: ['read', 'ast_edit', 'search_tool_bm25'] })
    session.setActiveTools(['read', 'search_tool_bm25'])
    assert.deepEqual(await session.activateDiscoveredTools(['ast_edit']), ['ast_edit'])
    assert.deepEqual(session.getActiveToolNames(), ['read', 'search_tool_bm25', 'ast_edit', 'resolve'])
  })

  it('lists selected MCP tools before builtins, while they are active', async () => {
    const session = await start({ tools: [bridge('alpha', 'ping')] })
    await session.activateDiscoveredTools(['browser', 'mcp__alpha_ping'])
    assert.deepEqual(session.getSelectedDiscoveredToolNames(), ['mcp__alpha_ping', 'browser'])
    session.setActiveTools(['read', 'browser'])
    assert.deepEqual(session.getSelectedDiscoveredToolNames(), ['browser'])
  })

  it('keeps to the allow-list of the session', async () => {
    const session = await start({ discoverableToolAllowedNames: ['BROWSER'] })
    assert.deepEqual(session.getDiscoverableTools().map(({ name }) => name), ['browser'])
    assert.deepEqual(await session.activateDiscoveredTools(['write', 'browser']), ['browser'])
  })

  it('refuses what it cannot answer', async () => {
    const session = await start()
    for (const params of [{}, { query: ' ' }, { query: '!!' }, { query: 'a', limit: 0 }, { query: 'a', limit: 1.5 }, { query: 3 }, null]) {
      await assert.rejects(run(session, 'search_tool_bm25', params), { code: 'invalid_arguments' })
    }
    const foreign = new SearchToolBm25Tool(testSession())
    await assert.rejects(foreign.execute('1', { query: 'a' }), { code: 'tool_unavailable' })
    assert.equal(SearchToolBm25Tool.createIf(testSession()), null)
  })

  it('lives with an index that fails', async () => {
    const hooks = {
      isToolDiscoveryEnabled: () => true,
      getSelectedDiscoveredToolNames: () => [],
      activateDiscoveredTools: async (names) => names,
      getDiscoverableToolSearchIndex: () => { throw new Error('broken') },
    }
    const tool = { name: 'browser', label: 'Browser', description: '', summary: 'Open pages', source: 'builtin', schemaKeys: [] }
    const listed = SearchToolBm25Tool.createIf(testSession({ ...hooks, getDiscoverableTools: () => [tool] }))
    assert.equal(JSON.parse((await listed.execute('1', { query: 'pages' })).content[0].text).match_count, 1)
    const empty = SearchToolBm25Tool.createIf(testSession({ ...hooks, getDiscoverableTools: () => { throw new Error('broken too') } }))
    assert.equal(JSON.parse((await empty.execute('1', { query: 'pages' })).content[0].text).total_tools, 0)
  })
})

describe('a session and its choices', () => {
  it('forces a tool once, then none', async () => {
    const session = await start()
    session.forceTool('read')
    const first = session.planTurn()
    assert.deepEqual(first.resolved.resolvedChoice, { type: 'tool', name: 'read' })
    session.finishTurn('toolUse')
    assert.equal(session.planTurn().resolved.resolvedChoice, 'none')
    session.finishTurn()
    assert.equal(session.planTurn().resolved.resolvedChoice, undefined)
    assert.throws(() => session.forceTool('browser'), { code: 'tool_unavailable' })
  })

  it('forces previews also where the API has no form for a name', async () => {
    const session = await start({ model: { api: 'google-generative-ai', provider: 'google', baseUrl: '', id: 'gemini' } })
    const apply = async () => ({ content: [] })
    queueResolveHandler(session, { label: 'A change', sourceToolName: 'ast_edit', apply })
    const plan = session.planTurn()
    assert.equal(plan.exactNamed, true)
    assert.equal(plan.resolved.targetToolName, 'resolve')
  })

  it('takes what one turn adds', async () => {
    const session = await start()
    assert.deepEqual(session.planTurn({ staticChoice: { type: 'tool', name: 'read' } }).resolved.resolvedChoice, { type: 'tool', name: 'read' })
    assert.equal(session.planTurn({ staticChoice: { type: 'tool', name: 'browser' } }).resolved.resolvedChoice, undefined)
    session.forceTool('read')
    const thinking = session.planTurn({ thinking: 'manual' })
    assert.equal(thinking.exactNamed, false)
    assert.ok(thinking.reminder)
  })

  it('needs a model for that', async () => {
    const session = await start({ model: undefined })
    assert.throws(() => session.forceTool('read'), { code: 'invalid_arguments', message: /options.model/ })
  })

  it('asks for resolve after a preview, and applies it once', async () => {
    const session = await start()
    let applied = 0
    const apply = async () => ({ content: [{ type: 'text', text: `applied ${++applied}` }] })
    queueResolveHandler(session, { label: 'Two changes', sourceToolName: 'ast_edit', apply })
    assert.equal(session.takeReminders().length, 1)
    assert.deepEqual(session.takeReminders(), [])
    assert.deepEqual(session.planTurn().resolved.resolvedChoice, { type: 'tool', name: 'resolve' })
    const result = await run(session, 'resolve', { action: 'apply', reason: 'looks right' })
    assert.equal(result.content[0].text, 'applied 1')
    session.finishTurn()
    await assert.rejects(run(session, 'resolve', { action: 'apply', reason: 'again' }))
    assert.equal(applied, 1)
  })
})

describe('a session under hostile use', () => {
  it('changes nothing when a tool is refused', async () => {
    const session = await start()
    const before = session.getActiveToolNames()
    for (const tools of [[hostTool('bad\ud800')], [hostTool(' ')], [hostTool('fine'), null], [hostTool('READ')], 5, undefined]) {
      assert.throws(() => session.addTools(tools), { code: 'invalid_arguments' })
    }
    assert.deepEqual(session.getActiveToolNames(), before)
    assert.equal(session.registry.has('fine'), false)
    for (const names of [undefined, null, 'read', ['read', 5]]) {
      assert.throws(() => session.removeTools(names), { code: 'invalid_arguments' })
      assert.throws(() => session.setActiveTools(names), { code: 'invalid_arguments' })
      await assert.rejects(session.activateDiscoveredTools(names), { code: 'invalid_arguments' })
    }
    assert.deepEqual(session.getActiveToolNames(), before)
    session.addTools([Object.freeze(hostTool('frozen')), { ...bridge('odd', 'x'), mcpServerName: 'odd\udc00' }])
    assert.ok(session.getActiveToolNames().includes('frozen'))
    assert.equal((await run(session, 'frozen', {})).content[0].text, 'frozen ran')
  })

  it('finds what a server brings under an old name', async () => {
    const session = await start({ tools: [bridge('s', 'x')] })
    session.getDiscoverableToolSearchIndex()
    session.removeTools(['mcp__s_x'])
    session.addTools([{ ...bridge('s', 'x'), description: 'Books flights' }])
    const { details } = await run(session, 'search_tool_bm25', { query: 'book flights' })
    assert.equal(details.tools[0].name, 'mcp__s_x')
  })

  it('uses the queue of the host', async () => {
    const queue = new ToolChoiceQueue()
    const session = await start({ getToolChoiceQueue: () => queue })
    session.forceTool('read')
    assert.deepEqual(queue.inspect(), ['user-force'])
    assert.equal(session.planTurn().resolved.targetToolName, 'read')
    session.finishTurn()
    assert.equal(queue.hasInFlight, false)
  })

  it('never takes a choice without a name for the first tool', async () => {
    const session = await start()
    session.getToolChoiceQueue().push([{ type: 'tool' }])
    let plan
    try {
      plan = session.planTurn()
    } catch (error) {
      assert.equal(error.code, 'invalid_arguments')
    }
    assert.notEqual(typeof plan?.toolChoice, 'object')
  })

  it('takes an empty list of names for none', async () => {
    assert.deepEqual((await start({ toolNames: [] })).getActiveToolNames(), (await start()).getActiveToolNames())
  })

  it('keeps the selection when its listener throws, and activates nothing under a fired signal', async () => {
    const session = await start({ onActiveToolsChanged: () => { throw new Error('listener') } })
    await assert.rejects(session.activateDiscoveredTools(['browser']), /listener/)
    assert.deepEqual(session.getSelectedDiscoveredToolNames(), ['browser'])
    const search = session.registry.get('search_tool_bm25')
    await assert.rejects(search.execute('1', { query: 'write' }, AbortSignal.abort()), { name: 'AbortError' })
    assert.deepEqual(session.getSelectedDiscoveredToolNames(), ['browser'])
  })

  it('forgets a preview that is being settled', async () => {
    const session = await start()
    let fail
    queueResolveHandler(session, { label: 'l', sourceToolName: 'ast_edit', apply: () => new Promise((_, reject) => (fail = reject)) })
    const settling = run(session, 'resolve', { action: 'apply', reason: 'r' })
    clearPendingPreviews(session)
    session.getToolChoiceQueue().clear()
    fail(new Error('too late'))
    await assert.rejects(settling)
    assert.equal(session.planTurn().resolved.targetToolName, undefined)
  })
})
