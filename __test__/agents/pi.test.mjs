// examples/agents/pi.mjs: the tools inside pi, as its extension.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import { AuthStorage, createAgentSession, DefaultResourceLoader, ModelRegistry, SessionManager, SettingsManager } from '@mariozechner/pi-coding-agent'
import { toolExtension } from '../../examples/agents/pi.mjs'
import { scriptedModel } from './server.mjs'
import { check, completions, longSearch, project, script, session } from './task.mjs'

const modelAt = (origin) => ({
  id: 'scripted',
  name: 'Scripted',
  api: 'openai-completions',
  provider: 'scripted',
  baseUrl: `${origin}/v1`,
  reasoning: false,
  input: ['text', 'image'],
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 100_000,
  maxTokens: 1000,
})

/** An agent of pi without anything of its own. */
async function agent(cwd, model, tools) {
  const authStorage = AuthStorage.inMemory()
  authStorage.setRuntimeApiKey('scripted', 'none')
  const settingsManager = SettingsManager.inMemory({ compaction: { enabled: false }, retry: { enabled: false } })
  const nothing = { noExtensions: true, noSkills: true, noPromptTemplates: true, noThemes: true, noContextFiles: true }
  const resourceLoader = new DefaultResourceLoader({ cwd, agentDir: cwd, settingsManager, ...nothing, extensionFactories: [toolExtension(tools)] })
  await resourceLoader.reload()
  const { session } = await createAgentSession({
    cwd,
    agentDir: cwd,
    model,
    authStorage,
    modelRegistry: ModelRegistry.inMemory(authStorage),
    settingsManager,
    sessionManager: SessionManager.inMemory(cwd),
    resourceLoader,
    noTools: 'builtin',
    thinkingLevel: 'off',
  })
  await session.bindExtensions?.({})
  return session
}

describe('pi', () => {
  let directory
  let remove
  before(() => ({ directory, remove } = project()))
  after(() => remove())

  it('runs a task to its end', async () => {
    const steps = []
    const model = await scriptedModel(steps)
    const tools = await session(directory, modelAt(model.origin))
    steps.push(...script(tools, completions))
    const pi = await agent(directory, modelAt(model.origin), tools)
    try {
      await pi.prompt('Make it friendlier.')
      const results = pi.messages.filter(({ role }) => role === 'toolResult')
      assert.equal(results.length, 11)
      assert.deepEqual(results.map(({ isError }) => isError), [...Array(9).fill(false), true, true])
      assert.ok(results[0].details, 'details arrive')
      assert.equal(pi.messages.at(-1).content[0].text, 'finished')
      assert.match(JSON.stringify(model.requests.at(-1).messages), /data:image\/png;base64/)
      check(directory, model.requests)
    } finally {
      pi.dispose()
      model.close()
    }
  })

  it('an abort ends a search', async () => {
    const steps = []
    const model = await scriptedModel(steps)
    const tools = await session(directory, modelAt(model.origin))
    const pi = await agent(directory, modelAt(model.origin), tools)
    const search = longSearch(directory, tools, () => pi.abort())
    steps.push(() => ({ calls: [search.call] }))
    try {
      await pi.prompt('Search.')
      assert.equal(pi.messages.at(-1).stopReason, 'aborted')
      assert.equal(model.requests.length, 1)
      await search.checkAborted()
    } finally {
      pi.dispose()
      model.close()
    }
  })
})
