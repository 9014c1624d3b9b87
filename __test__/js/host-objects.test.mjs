// Sessions, settings and options as agents have them: instances of classes with private fields, accessors and methods that
// need their `this`, and settings that know their own keys only.

import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'

import { BashTool, computeEssentialBuiltinNames, createTools, createToolSession, EditTool, ReadTool, SkillTool } from '../../src/js/index.js'
import { hostTool } from './session.mjs'

/** Like the settings of agents: a schema with defaults; a key that is not in it is a fault of whoever asks. */
class SchemaSettings {
  static #schema = { 'tools.essentialOverride': { default: [] }, 'edit.mode': { default: 'replace' }, 'tools.artifactSpillThreshold': { default: 1 }, 'bash.enabled': { default: true } }
  #values

  constructor(values = {}) {
    this.#values = values
  }

  get(path) {
    return this.#values[path] ?? SchemaSettings.#schema[path].default
  }
}

class HostSession {
  #directory
  #settings
  #todo = []
  asked = 0

  constructor(directory, settings = new SchemaSettings()) {
    this.#directory = directory
    this.#settings = settings
  }

  get cwd() {
    return this.#directory
  }
  get settings() {
    return this.#settings
  }
  get hasUI() {
    return false
  }
  get model() {
    this.asked += 1
    return { api: 'openai-completions', provider: 'p', baseUrl: '', id: `model-${this.asked}` }
  }
  get skills() {
    return [{ name: 'tidy', description: '', filePath: join(this.#directory, 'tidy.md'), baseDir: this.#directory }]
  }
  getSessionFile() {
    return join(this.#directory, 'session.jsonl')
  }
  getSessionSpawns() {
    return this.#todo.length > 0 ? '*' : null
  }
  getActiveSkill() {
    return this.#todo.at(-1)
  }
  async sendCustomMessage(message) {
    this.#todo.push(message)
  }
  getTodoPhases() {
    return this.#todo
  }
  setTodoPhases(phases) {
    this.#todo = phases
  }
}

describe('objects of a host', () => {
  let directory
  before(() => {
    directory = mkdtempSync(join(tmpdir(), 'host-'))
    writeFileSync(join(directory, 'notes.txt'), 'one\ntwo\n')
    writeFileSync(join(directory, 'tidy.md'), 'Tidy up.\n')
  })
  after(() => rmSync(directory, { recursive: true }))

  it('a session may be an instance with accessors and methods', async () => {
    const session = new HostSession(directory)
    const tools = new Map((await createTools(session)).map((tool) => [tool.name, tool]))
    const run = (name, params) => tools.get(name).execute('1', params)
    assert.match((await run('read', { path: 'notes.txt' })).content[0].text, /one/)
    await run('edit', { path: 'notes.txt', edits: [{ old_text: 'two', new_text: 'three' }] })
    assert.match((await run('search', { pattern: 'three' })).content[0].text, /notes\.txt/)
    await run('todo_write', { ops: [{ op: 'append', phase: 'Work', items: ['first'] }] })
    assert.equal(session.getTodoPhases()[0].tasks[0].content, 'first')
    session.setTodoPhases([])
    assert.match((await new SkillTool(session).execute('1', { name: 'tidy' })).content[0].text, /tidy/)
    assert.equal((await new BashTool(session).execute('1', { command: 'echo hi' })).content[0].text.trim(), 'hi')
  })

  it('the options of a session may be one, too, and what its accessors say is asked for anew', async () => {
    const host = new HostSession(directory)
    const session = await createToolSession(host)
    assert.equal(session.cwd, directory)
    assert.ok(session.getActiveToolNames().includes('read'))
    assert.match((await session.registry.get('read').execute('1', { path: 'notes.txt' })).content[0].text, /one/)
    await session.registry.get('todo_write').execute('1', { ops: [{ op: 'append', phase: 'Work', items: ['first'] }] })
    assert.equal(host.getTodoPhases().length, 1)
    const before = host.asked
    assert.equal(session.model.id, `model-${before + 1}`)
    assert.equal(session.model.id, `model-${before + 2}`)
    session.model = { api: 'a', provider: 'b', baseUrl: '', id: 'mine' }
    assert.equal(session.model.id, 'mine')
    assert.notEqual(host.model.id, 'mine')
  })

  it('own accessors of options are asked anew, and options that are open count as absent', async () => {
    let model = { api: 'openai-completions', provider: 'p', baseUrl: '', id: 'first' }
    const session = await createToolSession({
      cwd: directory,
      settings: new SchemaSettings(),
      get model() {
        return model
      },
      getSessionFile: undefined,
      start: () => assert.fail('the start of the host is its own'),
      tools: [hostTool('helper')],
    })
    assert.equal(session.getSessionFile(), null)
    model = { ...model, id: 'second' }
    assert.equal(session.model.id, 'second')
    assert.ok(session.registry.has('helper'))
  })

  it('settings may throw for keys they do not know', () => {
    assert.deepEqual(computeEssentialBuiltinNames(new SchemaSettings()), ['read', 'bash', 'edit'])
    assert.deepEqual(computeEssentialBuiltinNames(new SchemaSettings({ 'tools.essentialOverride': ['read'] })), ['read'])
  })

  it('settings that answer nothing at all are a fault that is told', async () => {
    const broken = { get: () => { throw new Error('not loaded yet') } }
    assert.throws(() => computeEssentialBuiltinNames(broken), /not loaded yet/)
    await assert.rejects(createTools({ ...plain(), settings: broken }), /not loaded yet/)
  })

  it('the model of an agent that names it only decides the mode of edits', () => {
    const named = (name) => ({ ...plain({ 'edit.modelVariants': { special: 'vim' } }), getActiveModelString: () => name })
    const argumentsOf = (name) => Object.keys(new EditTool(named(name)).parameters.properties)
    assert.ok(argumentsOf('p/special-1').includes('steps'))
    assert.ok(!argumentsOf('p/other').includes('steps'))
  })

  it('the artifact store of an agent is used', async () => {
    const saved = []
    const manager = new (class {
      #next = 7
      async save(text, tool) {
        const id = String(this.#next++)
        saved.push({ id, tool, text })
        writeFileSync(join(directory, `${id}.${tool}.log`), text)
        return id
      }
    })()
    const session = { ...plain({ 'tools.artifactSpillThreshold': 1 }), getArtifactManager: () => manager, getArtifactsDir: () => directory }
    const [bash] = await createTools(session, ['bash'])
    const result = await bash.execute('1', { command: 'seq 1 60000' })
    assert.equal(result.details.meta.truncation.artifactId, '7')
    assert.equal(saved.length, 1)
    assert.match(saved[0].text, /\n59999\n/)
    const kept = await new ReadTool(session).execute('1', { path: 'artifact://7:30000-30001' })
    assert.match(kept.content[0].text, /30000/)
    assert.deepEqual(readdirSync(directory).filter((name) => name.endsWith('.log')), ['7.bash.log'])
  })

  function plain(values = {}) {
    return { cwd: directory, hasUI: false, settings: { get: (key) => values[key] }, getSessionFile: () => null, getSessionSpawns: () => null }
  }
})
