// Runs under Bun, in a copy of the agent whose tool modules are ours: its whole agent, on a scripted model, through a task.

import assert from 'node:assert/strict'
import { ReadTool } from '../../src/js/index.js'
import { scriptedModel } from '../../__test__/agents/server.mjs'
import { check, project, script } from '../../__test__/agents/task.mjs'
import { completions } from '../../__test__/agents/wires.mjs'

const source = process.argv[2]
const { directory, remove } = project()
// What the agent keeps for itself goes where the task is.
process.env.PI_CODING_AGENT_DIR = directory
const { AuthStorage, createAgentSession, ModelRegistry, SessionManager, Settings } = await import(`${source}/index.ts`)

const steps = []
const server = await scriptedModel(steps)
const model = {
  id: 'scripted',
  name: 'Scripted',
  api: 'openai-completions',
  provider: 'scripted',
  baseUrl: `${server.origin}/v1`,
  reasoning: false,
  input: ['text', 'image'],
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 100_000,
  maxTokens: 1000,
}
const authStorage = await AuthStorage.create(`${directory}/agent.db`)
authStorage.setRuntimeApiKey('scripted', 'none')
const settings = Settings.isolated({
  'edit.mode': 'replace',
  'tools.discoveryMode': 'all',
  'tools.essentialOverride': ['read', 'search', 'edit', 'bash'],
  'todo.enabled': false,
  'compaction.enabled': false,
})
const { session } = await createAgentSession({
  cwd: directory,
  agentDir: directory,
  authStorage,
  modelRegistry: new ModelRegistry(authStorage, `${directory}/models.json`),
  model,
  settings,
  sessionManager: SessionManager.inMemory(directory),
  enableMCP: false,
  enableLsp: false,
  disableExtensionDiscovery: true,
  skills: [],
  contextFiles: [],
  promptTemplates: [],
  slashCommands: [],
  systemPrompt: ['You are scripted.'],
})
steps.push(...script({ getToolChoiceQueue: () => session.toolChoiceQueue }, completions))
try {
  await session.prompt('Make it friendlier.')
  const results = session.messages.filter(({ role }) => role === 'toolResult')
  console.log(`calls: ${results.map(({ toolName, isError }) => `${toolName}${isError ? ' (error)' : ''}`).join(', ')}`)
  const last = session.messages.at(-1)
  if (last.errorMessage) throw new Error(last.errorMessage)
  check(directory, server.requests)
  const missing = await new ReadTool({ cwd: directory, settings, getSessionFile: () => null, getSessionSpawns: () => null }).execute('', { path: 'missing.txt' }).catch((error) => error)
  assert.equal(results.at(-2).content[0].text, missing.message, 'the failure is told in our words')
  console.log('its agent runs a task on our tools')
} finally {
  server.close()
  await session.dispose?.()
  remove()
}
process.exit(0)
