// examples/agents/pi.mjs: the tools inside pi, as its extension.

import assert from 'node:assert/strict'
import { describe } from 'node:test'

import { AuthStorage, createAgentSession, DefaultResourceLoader, ModelRegistry, SessionManager, SettingsManager } from '@mariozechner/pi-coding-agent'
import { toolExtension } from '../../examples/agents/pi.mjs'
import { testAdapter } from './suite.mjs'
import { completions } from './wires.mjs'

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
  testAdapter('an extension', {
    model: modelAt,
    wire: completions,
    picture: /data:image\/png;base64/,
    async ask(origin, tools, prompt, signal) {
      const pi = await agent(tools.cwd, modelAt(origin), tools)
      signal?.addEventListener('abort', () => pi.abort())
      try {
        await pi.prompt(prompt)
        const { stopReason, content } = pi.messages.at(-1)
        if (stopReason === 'aborted') throw new Error('aborted')
        checkResults(pi.messages.filter(({ role }) => role === 'toolResult'))
        return content[0].text
      } finally {
        pi.dispose()
      }
    },
  })
})

/** pi keeps results with their details; the last two calls of the task fail. */
function checkResults(results) {
  assert.deepEqual(results.map(({ isError }) => isError), [...Array(9).fill(false), true, true])
  assert.ok(results[0].details, 'details arrive')
}
