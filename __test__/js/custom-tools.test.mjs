// Custom tools at work: what their modules are given, how calls reach them, and a session that has them.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, it } from 'node:test'
import {
  applyToolProxy,
  BUILTIN_TOOLS,
  createNoOpUIContext,
  createToolSession,
  CustomToolAdapter,
  discoverAndLoadCustomTools,
  emitCustomToolSessionEvent,
  executeToolCalls,
  queueResolveHandler,
  runAgentTurns,
} from '../../src/js/index.js'
import { discover, factory, namesOf, tree } from './custom-tree.mjs'

const settings = { get: () => undefined }
const examples = fileURLToPath(new URL('../../examples/custom-tools', import.meta.url))

/** A session with the tools of a folder. */
async function sessionWith(place, options = {}) {
  let session
  const custom = await discover(place, { builtins: Object.keys(BUILTIN_TOOLS), push: (action) => queueResolveHandler(session, action), ...options })
  assert.deepEqual(custom.errors, [])
  session = await createToolSession({ cwd: place.project, settings, customTools: custom.tools, ...options.session })
  return { session, custom }
}

/** The result of one call through the runtime. */
async function call(session, name, args = {}, more = {}) {
  const toolCall = { type: 'toolCall', id: 'call_1', name, arguments: args }
  const { toolResults } = await executeToolCalls({ tools: session.getActiveTools(), assistantMessage: { role: 'assistant', content: [toolCall] }, ...more })
  return toolResults[0]
}

const textOf = ({ content }) => content.map(({ text }) => text).join('\n')

/** A module of one tool whose `execute` has this body. */
const toolWith = (name, body, members = '') =>
  `export default (pi) => ({ name: '${name}', label: '${name}', description: 'd', parameters: { type: 'object', properties: { value: { type: 'number' } } }, ${members} async execute(id, params, onUpdate, ctx, signal) { ${body} } })`

describe('what a module is given', () => {
  const probe = (body) => ({ 'project/.xcsh/tools/probe.mjs': `export default (pi) => { const made = { name: 'probe', parameters: {}, execute() {}, pi }; ${body}; return made }` })

  it('is one object that no module can change for the others', async (t) => {
    const place = tree(t, { ...probe(''), 'project/.xcsh/tools/z.mjs': "export default (pi) => ({ name: 'z', parameters: {}, execute() {}, pi })" })
    const given = { hostThing: 1 }
    const { tools } = await discover(place, { pi: given })
    const [{ pi }, { pi: other }] = tools.map(({ tool }) => tool)
    assert.equal(pi, other)
    assert.ok(Object.isFrozen(pi))
    for (const key of ['exec', 'ui', 'hasUI', 'typebox']) assert.throws(() => { pi[key] = 1 }, TypeError)
    assert.deepEqual([pi.pi, pi.cwd, pi.hasUI], [given, place.project, false])
  })

  it('follows the interface of the host', async (t) => {
    const { tools, setUIContext } = await discover(tree(t, probe('')))
    const { pi } = tools[0].tool
    assert.deepEqual([await pi.ui.confirm('?'), await pi.ui.select('?', []), pi.ui.getEditorText()], [false, undefined, ''])
    setUIContext({ ...createNoOpUIContext(), confirm: async () => true }, true)
    assert.deepEqual([pi.hasUI, await pi.ui.confirm('?')], [true, true])
  })

  it('has libraries that are loaded when they are touched', async (t) => {
    const { tools } = await discover(tree(t, probe('made.schema = pi.typebox.Type.Object({ a: pi.typebox.Type.String() }); made.zodSchema = pi.zod.z.object({ b: pi.zod.z.number() })')))
    const { schema, zodSchema } = tools[0].tool
    assert.deepEqual([schema.type, Object.keys(schema.properties), zodSchema.parse({ b: 1 })], ['object', ['a'], { b: 1 }])
    const script = `
      const { discoverAndLoadCustomTools } = await import(${JSON.stringify(new URL('../../src/js/index.js', import.meta.url).href)})
      await discoverAndLoadCustomTools([], process.cwd(), [], undefined, { home: process.cwd() })
      const { createRequire } = await import('node:module')
      const loaded = Object.keys(createRequire(import.meta.url).cache).filter((path) => /jiti|typebox|zod/.test(path))
      if (loaded.length > 0) throw new Error(loaded.join())`
    const { project } = tree(t)
    const { status, stderr } = spawnSync('node', ['--input-type=module', '-e', script], { cwd: project, encoding: 'utf8' })
    assert.equal(status, 0, stderr)
  })

  it('writes to the logger of the host, and to nobody without one', async (t) => {
    const said = []
    await discover(tree(t, probe("pi.logger.warn('said')")), { logger: { warn: (text) => said.push(text) } })
    assert.deepEqual(said, ['said'])
    // A level that the host's has not is no error.
    assert.deepEqual(namesOf(await discover(tree(t, probe("pi.logger.info('unheard')")), { logger: {} })), ['probe'])
    assert.deepEqual(namesOf(await discover(tree(t, probe("pi.logger.debug('unheard')")))), ['probe'])
  })
})

describe('a call', () => {
  it('comes in the order that authors know, with updates, context and signal', async (t) => {
    const body = "onUpdate({ content: [{ type: 'text', text: 'half' }] }); return { content: [{ type: 'text', text: [id, params.value, typeof ctx.abort, signal.aborted, this.name].join() }], details: { d: 1 } }"
    const { session } = await sessionWith(tree(t, { 'project/.xcsh/tools/a.mjs': toolWith('a', body) }))
    const events = []
    const result = await call(session, 'a', { value: 7 }, { emit: (event) => events.push(event) })
    assert.deepEqual([textOf(result), result.details, result.isError], ['call_1,7,function,false,a', { d: 1 }, false])
    assert.equal(textOf(events.find(({ type }) => type === 'tool_execution_update').partialResult), 'half')
  })

  it('that throws is an error result', async (t) => {
    const { session } = await sessionWith(tree(t, { 'project/.xcsh/tools/a.mjs': toolWith('a', "throw new Error('it broke')"), 'project/.xcsh/tools/b.mjs': toolWith('b', '').replace('async execute', 'execute').replace('{  }', "{ throw 'at once' }") }))
    for (const [name, text] of [['a', 'it broke'], ['b', 'at once']]) {
      const result = await call(session, name)
      assert.equal(result.isError, true)
      assert.match(textOf(result), new RegExp(text))
    }
  })

  it('with wrong arguments does not reach the tool', async (t) => {
    const { session } = await sessionWith(tree(t, { 'project/.xcsh/tools/a.mjs': toolWith('a', "throw new Error('reached')") }))
    const result = await call(session, 'a', { value: 'no number' })
    assert.equal(result.isError, true)
    assert.doesNotMatch(textOf(result), /reached/)
  })

  it('that is aborted ends the program it has started', { skip: process.platform === 'win32' }, async (t) => {
    const body = "const { code, killed } = await pi.exec('sleep', ['30'], { signal }); return { content: [{ type: 'text', text: `${code} ${killed}` }] }"
    const { session } = await sessionWith(tree(t, { 'project/.xcsh/tools/a.mjs': toolWith('a', body) }))
    const started = performance.now()
    assert.equal(textOf(await call(session, 'a', {}, { signal: AbortSignal.timeout(200) })), '130 true')
    assert.ok(performance.now() - started < 10_000)
  })

  it('may end the run, where the host lets it', async (t) => {
    const files = { 'project/.xcsh/tools/a.mjs': toolWith('a', "ctx.abort(); return { content: [{ type: 'text', text: String(ctx.model.id) }] }") }
    let aborted = 0
    const model = { api: 'openai-completions', provider: 'p', baseUrl: '', id: 'm' }
    const { session } = await sessionWith(tree(t, files), { session: { model, abort: () => (aborted += 1) } })
    assert.equal(textOf(await call(session, 'a')), 'm')
    assert.equal(aborted, 1)
    const { session: mute } = await sessionWith(tree(t, files))
    assert.match(textOf(await call(mute, 'a')), /abort/)
  })
})

describe('the adapter', () => {
  class Base {
    inherited() {
      return this.secret
    }
  }
  class Tool extends Base {
    name = 'classy'
    label = 'Classy'
    description = 'd'
    parameters = { type: 'object' }
    secret = 'bound'
    strict = true
    concurrency = 'exclusive'
    get live() {
      return this.secret
    }
    async execute(...args) {
      return { content: [{ type: 'text', text: `${this.secret} ${args.length}` }], details: args }
    }
  }

  it('has every member of the tool, bound and alive, also in a copy', async () => {
    const tool = new Tool()
    const adapter = new CustomToolAdapter(tool, () => 'now')
    assert.deepEqual([adapter.name, adapter.strict, adapter.concurrency, adapter.live], ['classy', true, 'exclusive', 'bound'])
    const { inherited } = adapter
    tool.secret = 'changed'
    assert.deepEqual([adapter.live, inherited(), { ...adapter }.name], ['changed', 'changed', 'classy'])
    const { details } = await { ...adapter }.execute('id', { a: 1 }, 'signal', 'update')
    assert.deepEqual(details, ['id', { a: 1 }, 'update', 'now', 'signal'])
    assert.equal((await adapter.execute('id', {}, undefined, undefined, 'given')).details[3], 'given')
    assert.equal('renderCall' in adapter, false)
  })

  it('leaves a wrapper what it has', () => {
    const wrapper = { name: 'mine' }
    applyToolProxy({ name: 'theirs', more: 1 }, wrapper)
    assert.deepEqual({ ...wrapper }, { name: 'mine', more: 1 })
  })

  it('draws with as many arguments as the author declares, and plainly where that fails', () => {
    const drawing = (members) => CustomToolAdapter.wrap({ name: 't', label: 'T', description: '', parameters: {}, async execute() {}, ...members }, () => ({}))
    const options = { expanded: false, isPartial: false }
    assert.deepEqual(drawing({ renderCall: (args, theme) => [args, theme] }).renderCall('args', options, 'theme'), ['args', 'theme'])
    assert.deepEqual(drawing({ renderCall: (...all) => all }).renderCall('args', options, 'theme'), ['args', options, 'theme'])
    assert.deepEqual(drawing({ renderResult: (...all) => all }).renderResult('result', options, 'theme', 'args'), ['result', options, 'theme', 'args'])
    const broken = () => { throw new Error('no colours') }
    assert.equal(drawing({ renderCall: broken }).renderCall({}, options, {}), 'T')
    assert.equal(drawing({ renderResult: broken }).renderResult({ content: [{ type: 'text', text: 'plain' }, { type: 'image' }] }, options, {}), 'plain')
  })
})

describe('session events', () => {
  it('reach every tool in order, each awaited; errors are told to the logger alone', async (t) => {
    const said = []
    const listening = (name, body) => `export default (pi) => ({ name: '${name}', parameters: {}, execute() {}, onSession(event, ctx) { ${body} } })`
    const place = tree(t, {
      'project/.xcsh/tools/a.mjs': listening('a', "return new Promise((done) => setTimeout(() => { ctx.log.push('a ' + event.reason); done() }, 30))"),
      'project/.xcsh/tools/b.mjs': listening('b', "throw new Error('b failed')"),
      'project/.xcsh/tools/c.mjs': factory('silent'),
      'project/.xcsh/tools/d.mjs': listening('d', "ctx.log.push('d ' + event.reason + this.name)"),
    })
    const { tools } = await discover(place, { logger: { warn: (text) => said.push(text) } })
    const log = []
    await emitCustomToolSessionEvent(tools, { reason: 'start', previousSessionFile: undefined }, { log })
    assert.deepEqual(log, ['a start', 'd startd'])
    assert.equal(said.length, 1)
    assert.match(said[0], /b\.mjs.*start.*b failed/)
  })
})

describe('a session', () => {
  it('runs custom tools in the loop of this package, and their abort ends it', async (t) => {
    const place = tree(t, {
      'project/.xcsh/tools/add.ts': toolWith('add', "return { content: [{ type: 'text', text: String((params.value as number) + 1) }] }").replace('(id, params, onUpdate, ctx, signal)', '(id: string, params: any)'),
      'project/.xcsh/tools/stop.mjs': toolWith('stop', "ctx.abort(); return { content: [{ type: 'text', text: 'stopping' }] }"),
    })
    const controller = new AbortController()
    const { session } = await sessionWith(place, { session: { abort: () => controller.abort() } })
    const calls = [['add', { value: 41 }], ['stop', {}], ['add', { value: 1 }]]
    const ask = async ({ tools }) => {
      assert.ok(['add', 'stop'].every((name) => tools.some((tool) => tool.name === name)))
      const [name, args] = calls.shift()
      return { role: 'assistant', content: [{ type: 'toolCall', id: name, name, arguments: args }], stopReason: 'toolUse', timestamp: 1 }
    }
    const facts = { api: 'openai-completions', provider: 'p', baseUrl: 'https://host.example/v1', id: 'm' }
    const messages = [{ role: 'user', content: [{ type: 'text', text: 'go' }] }]
    const outcome = await runAgentTurns({ model: { facts, ask }, messages, session, signal: controller.signal })
    const results = outcome.messages.filter(({ role }) => role === 'toolResult').map(textOf)
    assert.deepEqual([results, calls.length], [['42', 'stopping'], 1])
  })

  it('shows custom tools from the start, whatever is asked for and hidden', async (t) => {
    const place = tree(t, { 'project/.xcsh/tools/a.mjs': toolWith('MyTool', 'return { content: [] }', "loadMode: 'discoverable',") })
    for (const options of [{ toolNames: ['read'] }, { settings: { get: (key) => (key === 'tools.discoveryMode' ? 'all' : undefined) } }]) {
      const { session } = await sessionWith(place, { session: options })
      assert.ok(session.getActiveToolNames().includes('MyTool'))
      await session.activateDiscoveredTools(['write'])
      assert.ok(session.getActiveToolNames().includes('MyTool'))
    }
  })

  it('refuses a name that is taken, unless it is told to override', async (t) => {
    const place = tree(t, { 'project/.xcsh/tools/a.mjs': toolWith('Read', "return { content: [{ type: 'text', text: 'mine' }] }") })
    const { tools } = await discover(place)
    const options = { cwd: place.project, settings, customTools: tools }
    await assert.rejects(createToolSession(options), /customTools\[0\].*taken/)
    const session = await createToolSession({ ...options, allowOverride: true })
    assert.equal(session.getActiveToolNames().filter((name) => name.toLowerCase() === 'read').length, 1)
    assert.equal(textOf(await call(session, 'Read')), 'mine')
    await assert.rejects(createToolSession({ ...options, customTools: [{}] }), /customTools\[0\]\.tool/)
  })

  it('says that it cannot stage where the host takes nothing', async (t) => {
    const { tools } = await discover(tree(t, { 'project/.xcsh/tools/a.mjs': toolWith('a', "pi.pushPendingAction({ label: 'x', apply: async () => ({ content: [] }) })") }))
    await assert.rejects(tools[0].tool.execute('1', {}), (error) => error.code === 'tool_unavailable')
  })
})

describe('the examples', () => {
  const load = async (place) => {
    let session
    const paths = ['repo-stats.ts', 'shared-notes.ts', 'trim-lines.mjs'].map((name) => `${examples}/${name}`)
    const custom = await discoverAndLoadCustomTools(paths, place.project, Object.keys(BUILTIN_TOOLS), (action) => queueResolveHandler(session, action), { home: place.home })
    assert.deepEqual(custom.errors, [])
    session = await createToolSession({ cwd: place.project, settings, customTools: custom.tools })
    return { session, custom }
  }

  it('repo_stats counts a repository', async (t) => {
    const place = tree(t, { 'project/a.ts': '', 'project/b.ts': '', 'project/LICENSE': '' })
    const { session } = await load(place)
    assert.equal((await call(session, 'repo_stats')).isError, true)
    // Without git that is all there is to see.
    if (spawnSync('git', ['--version']).error) return
    for (const args of [['init', '--quiet'], ['add', '.']]) assert.equal(spawnSync('git', args, { cwd: place.project }).status, 0)
    const result = await call(session, 'repo_stats', {})
    assert.deepEqual([textOf(result), result.details], ['3 files\n.ts 2\n(none) 1', { files: 3, counts: { '.ts': 2, '(none)': 1 } }])
    assert.match(textOf(await call(session, 'repo_stats', {}, { signal: AbortSignal.abort() })), /abort/i)
  })

  it('shared notes share a list, and forget it with the session', async (t) => {
    const { session, custom } = await load(tree(t))
    await call(session, 'note_add', { text: 'first' })
    await call(session, 'note_add', { text: 'second', importance: 'high' })
    assert.equal(textOf(await call(session, 'note_list')), '! second\n- first')
    await emitCustomToolSessionEvent(custom.tools, { reason: 'switch', previousSessionFile: undefined }, session.getCustomToolContext())
    assert.equal(textOf(await call(session, 'note_list')), 'There are no notes.')
  })

  it('trim_lines stages a change that resolve applies, discards, or finds out of date', async (t) => {
    const place = tree(t, { 'project/a.txt': 'one  \ntwo\nthree\t\r\n' })
    const { session } = await load(place)
    const content = () => readFileSync(place.at('project/a.txt'), 'utf8')
    assert.ok(session.getActiveToolNames().includes('resolve'))
    await call(session, 'trim_lines', { path: 'a.txt' })
    assert.equal(content(), 'one  \ntwo\nthree\t\r\n')
    const discarded = await call(session, 'resolve', { action: 'discard', reason: 'not now' })
    assert.deepEqual(discarded.details.sourceResultDetails, { path: 'a.txt', lines: 2 })
    await call(session, 'trim_lines', { path: 'a.txt' })
    const applied = await call(session, 'resolve', { action: 'apply', reason: 'tidy' })
    assert.deepEqual([applied.isError, applied.details.sourceToolName, content()], [false, 'trim_lines', 'one\ntwo\nthree\r\n'])
    assert.equal(textOf(await call(session, 'trim_lines', { path: 'a.txt' })), 'a.txt has nothing to trim.')
  })
})
