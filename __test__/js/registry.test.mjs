// The registry as callers see it: order, slots, conditions, essential names, eval backends.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'

import * as core from '../../src/js/index.js'
import { hostTool, testSession } from './session.mjs'

const HOST_SLOTS = [
  'render_mermaid', 'ask', 'debug', 'bisect', 'eval', 'ssh', 'github', 'lsp', 'browser', 'computer', 'checkpoint', 'rewind',
  'task', 'subagent', 'job', 'monitor', 'cron', 'irc', 'web_search', 'skill_discovery', 'telegram_send',
]

describe('registry', () => {
  it('has 35 builtin and 3 hidden names with own keys only', () => {
    assert.equal(Object.keys(core.BUILTIN_TOOLS).length, process.platform === 'win32' ? 34 : 35)
    assert.deepEqual(Object.keys(core.HIDDEN_TOOLS), ['yield', 'report_finding', 'resolve'])
    assert.equal('constructor' in core.BUILTIN_TOOLS, false)
    assert.ok(Object.isFrozen(core.BUILTIN_TOOLS))
  })

  it('lists every builtin in the catalogue with a place in the documents', () => {
    const documents = readFileSync(new URL('../../docs/tools.md', import.meta.url), 'utf8')
    for (const { name, label, docsPath } of core.BUILTIN_CAPABILITY_CATALOG) {
      assert.ok(label)
      assert.equal(docsPath, `docs/tools.md#${name}`)
      assert.ok(documents.includes(`### ${name}\n`), `docs/tools.md has no section ${name}`)
    }
  })

  it('returns null for a slot nobody filled', async () => {
    const session = testSession({ hasUI: true })
    for (const name of HOST_SLOTS) {
      if (name in core.BUILTIN_TOOLS) assert.equal(await core.BUILTIN_TOOLS[name](session), null, name)
    }
  })

  it('asks a host factory only where the condition holds', async () => {
    const sessions = []
    core.registerToolFactory('ask', (session) => {
      sessions.push(session)
      return hostTool('ask')
    })
    assert.equal(await core.BUILTIN_TOOLS.ask(testSession()), null)
    assert.equal(sessions.length, 0)
    const session = testSession({ hasUI: true })
    assert.equal((await core.BUILTIN_TOOLS.ask(session)).name, 'ask')
    assert.deepEqual(sessions, [session])
  })

  it('refuses a slot that is none', () => {
    const factory = () => null
    assert.throws(() => core.registerToolFactory('zap', factory), { code: 'unknown_tool' })
    assert.throws(() => core.registerToolFactory('read', factory), { code: 'invalid_arguments', message: /`read` is implemented/ })
    assert.throws(() => core.registerToolFactory(3, factory), { code: 'invalid_arguments', message: /`name`/ })
    assert.throws(() => core.registerToolFactory('ask', {}), { code: 'invalid_arguments', message: /`factory`/ })
  })

  it('builds plain tools whose copies still work', async () => {
    for (const name of ['read', 'search', 'find', 'write', 'edit', 'bash']) {
      const tool = await core.BUILTIN_TOOLS[name](testSession())
      const copy = { ...tool }
      assert.equal(copy.name, name)
      assert.equal(copy.parameters.type, 'object')
      assert.ok(copy.description.length > 100)
      await assert.rejects(copy.execute('1', 'not an object'), { code: 'invalid_arguments', message: /`params`/ })
    }
  })
})

describe('essential names', () => {
  const names = (value) => core.computeEssentialBuiltinNames({ get: (key) => (key === 'tools.essentialOverride' ? value : undefined) })

  it('are read, bash, edit by default', () => {
    assert.deepEqual(names(undefined), ['read', 'bash', 'edit'])
    assert.deepEqual([...core.DEFAULT_ESSENTIAL_TOOL_NAMES], ['read', 'bash', 'edit'])
  })

  it('know no prototype members', () => assert.deepEqual(names(['constructor', 'find']), ['find']))

  it('need settings', () => {
    assert.throws(() => core.computeEssentialBuiltinNames({}), { code: 'invalid_arguments', message: /`settings.get`/ })
    assert.throws(() => core.computeEssentialBuiltinNames(undefined), { code: 'invalid_arguments' })
  })
})

describe('eval backends', () => {
  it('parses GJC_PY', () => {
    assert.deepEqual(core.parseGjcPy({ GJC_PY: 'both' }), { py: true, js: true })
    assert.equal(core.parseGjcPy({ GJC_PY: undefined, PI_PY: '1' }), null)
  })

  it('asks the environment, then the settings', () => {
    assert.deepEqual(core.resolveEvalBackendsFromEnv({ PI_JS: 'no' }), { python: true, js: false })
    assert.equal(core.resolveEvalBackendsFromEnv({}), null)
    const session = testSession({ settings: { 'eval.py': false } })
    assert.deepEqual(core.resolveEvalBackends(session), { python: false, js: true })
    assert.deepEqual(core.readEvalBackendsAllowance(session), { python: false, js: true })
  })
})
