// Runs under Bun, in a copy of the agent whose tool modules are ours: its settings and its session, our tools.

import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as ours from '../../src/js/index.js'

const source = process.argv[2]
const { Settings } = await import(`${source}/config/settings.ts`)
const { createTools } = await import(`${source}/tools/index.ts`)
assert.equal(createTools, ours.createTools)

const directory = mkdtempSync(join(tmpdir(), 'drop-in-'))
writeFileSync(join(directory, 'notes.md'), '# Notes\n\nfirst\n')
try {
  const settings = Settings.isolated({ 'edit.mode': 'replace' })
  // As the agent builds it: an object with accessors and with functions that look at the rest only when they are called.
  const phases = []
  const session = {
    cwd: directory,
    hasUI: false,
    settings,
    get hasEditTool() {
      return true
    },
    getSessionFile: () => null,
    getSessionSpawns: () => '*',
    getActiveModelString: () => 'scripted/model',
    getTodoPhases: () => phases,
    setTodoPhases: (next) => phases.splice(0, phases.length, ...next),
    isToolDiscoveryEnabled: () => false,
    getSelectedDiscoveredToolNames: () => [],
    activateDiscoveredTools: async () => [],
    getArtifactsDir: () => null,
    getArtifactManager: () => null,
    taskDepth: 0,
  }
  const tools = new Map((await createTools(session)).map((tool) => [tool.name, tool]))
  console.log(`tools: ${[...tools.keys()].join(' ')}`)
  const run = async (name, params) => (await tools.get(name).execute('call', params)).content.map(({ text }) => text).join('\n')
  assert.match(await run('read', { path: 'notes.md' }), /first/)
  assert.match(await run('search', { pattern: 'first' }), /notes\.md/)
  assert.match(await run('find', { paths: ['*.md'] }), /notes\.md/)
  await run('edit', { path: 'notes.md', edits: [{ old_text: 'first', new_text: 'second' }] })
  assert.match(readFileSync(join(directory, 'notes.md'), 'utf8'), /second/)
  assert.match(await run('bash', { command: 'cat notes.md' }), /second/)
  await run('write', { path: 'more.md', content: 'more\n' })
  await run('todo_write', { ops: [{ op: 'append', phase: 'Work', items: ['one'] }] })
  assert.equal(phases[0].tasks[0].content, 'one')
  console.log('its settings and its session run our tools')
} finally {
  rmSync(directory, { recursive: true, force: true })
}
process.exit(0)
