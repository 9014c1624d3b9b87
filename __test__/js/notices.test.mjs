// The notice wrapper: where the closing notice goes, and what happens to errors.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createTools, registerToolFactory, renderError, ToolAbortError, ToolError, wrapToolWithMetaNotice } from '../../src/js/index.js'
import { hostTool, testSession } from './session.mjs'

const meta = { limits: { resultLimit: { reached: 5, suggestion: 10 } } }
const wrap = (execute) => wrapToolWithMetaNotice(hostTool('t', { execute }))

describe('wrapToolWithMetaNotice', () => {
  it('returns the same object and wraps it once', () => {
    const tool = hostTool('t')
    const wrapped = wrapToolWithMetaNotice(tool)
    const { execute } = wrapped
    assert.equal(wrapped, tool)
    assert.equal(wrapToolWithMetaNotice(wrapped).execute, execute)
  })

  it('appends to the last text block and lists the notice', async () => {
    const image = { type: 'image', data: '', mimeType: 'image/png' }
    const tool = wrap(async () => ({ content: [{ type: 'text', text: 'a' }, { type: 'text', text: 'b' }, image], details: { meta } }))
    const { content, details } = await tool.execute('1', {})
    assert.equal(content[0].text, 'a')
    assert.match(content[1].text, /^b\n\n\[.*5 .*10.*\]$/)
    assert.equal(details.notices.length, 1)
    assert.equal(details.notices[0].kind, 'result_limit')
    assert.ok(content[1].text.includes(details.notices[0].text))
  })

  it('adds a block where there is no text, and nothing where there is nothing to say', async () => {
    const withNotice = wrap(async () => ({ content: [], details: { meta } }))
    assert.match((await withNotice.execute('1', {})).content[0].text, /^\[/)
    const result = { content: [{ type: 'text', text: 'a' }], details: { meta: { source: { type: 'path', value: 'x' } } } }
    assert.deepEqual(await wrap(async () => result).execute('1', {}), result)
  })

  it('keeps this and arguments', async () => {
    const tool = wrap(async function (...call) {
      return { content: [{ type: 'text', text: JSON.stringify([this.name, ...call]) }] }
    })
    assert.equal((await tool.execute('id', { a: 1 })).content[0].text, '["t","id",{"a":1}]')
  })

  it('renders errors and keeps who they are', async () => {
    class Shouting extends ToolError {
      render() {
        return this.message.toUpperCase()
      }
    }
    const cause = new Error('below')
    const shouting = wrap(() => { throw new Shouting('no', { code: 'io_error', path: 'x' }, { cause }) })
    await assert.rejects(shouting.execute('1', {}), { message: 'NO', name: 'ToolError', code: 'io_error', path: 'x', cause })
    const abort = new ToolAbortError()
    await assert.rejects(wrap(async () => { throw abort }).execute('1', {}), abort)
    await assert.rejects(wrap(async () => { throw { message: 'odd' } }).execute('1', {}), { message: 'odd' })
    await assert.rejects(wrap(async () => { throw 'text' }).execute('1', {}), { message: 'text' })
  })
})

describe('long results', () => {
  const whole = Array.from({ length: 9000 }, (_, index) => `line ${index + 1}`).join('\n')
  const image = { type: 'image', data: '', mimeType: 'image/png' }
  const text = (text) => ({ type: 'text', text })
  const store = () => {
    const saved = []
    return { saved, save: async (text, tool) => `${tool}-${saved.push(text) - 1}` }
  }
  const run = (result, session, name = 't') => wrapToolWithMetaNotice(hostTool(name, { execute: async () => result }), session).execute('1', {})

  it('are kept whole and shown by their ends', async () => {
    const artifacts = store()
    const { content, details } = await run({ content: [text(whole)], details: { own: 1 } }, testSession({ artifacts }))
    assert.deepEqual(artifacts.saved, [whole])
    assert.equal(details.own, 1)
    assert.equal(details.meta.truncation.artifactId, 't-0')
    const { headRange, tailRange } = details.meta.truncation
    const shown = content[0].text.split('\n')
    assert.equal(shown[headRange.end - 1], `line ${headRange.end}`)
    assert.equal(shown[headRange.end + 1], `line ${tailRange.start}`)
    assert.deepEqual(details.notices.map(({ kind }) => kind), ['elision_marker', 'meta_middle'])
    for (const notice of details.notices) assert.ok(content[0].text.includes(notice.text))
  })

  it('keep images where they were', async () => {
    const { content } = await run({ content: [text('first'), image, text(whole), image, text('last')] }, testSession({ artifacts: store() }))
    assert.deepEqual(content.map(({ type }) => type), ['text', 'image', 'text', 'image', 'text'])
    assert.equal(content[0].text, 'first')
    assert.ok(content[4].text.startsWith('last\n\n['))
  })

  it('lose notices that they no longer contain', async () => {
    const [gone, kept] = ['line 4500', 'line 9000'].map((text) => ({ kind: 'x', text }))
    const { details } = await run({ content: [text(whole)], details: { notices: [gone, kept] } }, testSession({ artifacts: store() }))
    assert.deepEqual(details.notices.map(({ kind }) => kind), ['x', 'elision_marker', 'meta_middle'])
  })

  it('stay whole where nothing keeps them', async () => {
    const result = { content: [text(whole)], details: {} }
    assert.equal(await run(result), result)
    assert.equal(await run(result, testSession()), result)
    assert.equal(await run(result, testSession({ artifacts: { save: async () => undefined } })), result)
    const warnings = []
    const failing = testSession({ artifacts: { save: async () => { throw new Error('disk full') } }, logger: { warn: (text) => warnings.push(text) } })
    assert.equal(await run(result, failing), result)
    assert.match(warnings[0], /disk full/)
  })

  it('go to a folder beside the session, each under its own number', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'spill-'))
    try {
      writeFileSync(join(folder, 'chat.jsonl'), '')
      const session = testSession({ getSessionFile: () => join(folder, 'chat.jsonl') })
      const results = await Promise.all(['bash', '../evil', 'bash'].map((name) => run({ content: [text(whole)] }, session, name)))
      assert.deepEqual(results.map(({ details }) => details.meta.truncation.artifactId).sort(), ['0', '1', '2'])
      assert.deepEqual(readdirSync(folder).sort(), ['chat', 'chat.jsonl'])
      const files = readdirSync(join(folder, 'chat'))
      assert.equal(files.length, 3)
      for (const file of files) assert.equal(readFileSync(join(folder, 'chat', file), 'utf8'), whole)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('are bounded by the inline cap, kept or not', async () => {
    const settings = { 'tools.maxInlineResultBytes': 2 }
    const without = await run({ content: [text(whole)] }, testSession({ settings }))
    assert.ok(without.details.meta.truncation.outputBytes <= 2048)
    assert.equal(without.details.meta.truncation.artifactId, undefined)
    const artifacts = store()
    const both = await run({ content: [text(whole)] }, testSession({ settings, artifacts }))
    assert.deepEqual(artifacts.saved, [whole])
    assert.equal(both.details.meta.truncation.totalLines, 9000)
    assert.equal(both.details.meta.truncation.artifactId, 't-0')
    const failing = { save: async () => { throw new Error('disk full') } }
    const lost = await run({ content: [text(whole)] }, testSession({ settings, artifacts: failing }))
    assert.match(lost.content[0].text, /disk full/)
    assert.equal(lost.details.meta.truncation.artifactFailureDiagnostic, 'disk full')
  })

  it('of read are cut only where it says so', async () => {
    const session = testSession({ artifacts: store(), settings: { 'tools.readArtifactSpillThreshold': 50 } })
    const result = { content: [text(whole)], details: {} }
    assert.equal(await run(result, session, 'read'), result)
    const eligible = await run({ content: [text(whole)], details: { spillEligible: true } }, session, 'read')
    assert.equal(eligible.details.meta.truncation.artifactId, 'read-0')
  })

  it('survive settings and metadata that fail', async () => {
    const warnings = []
    const logger = { warn: (text) => warnings.push(text) }
    const broken = testSession({ logger, getSessionFile: () => { throw new Error('no session') } })
    const result = { content: [text(whole)], details: { meta } }
    assert.equal(await run(result, broken), result)
    const odd = { content: [text('done')], details: { meta: { truncation: { totalLines: -1 } } } }
    assert.equal(await run(odd, testSession({ logger })), odd)
    assert.equal(warnings.length, 2)
  })

  it('know the session from createTools, from a second wrapping, or from the tool', async () => {
    const artifacts = store()
    const tool = wrapToolWithMetaNotice(hostTool('ask', { execute: async () => ({ content: [text(whole)] }) }))
    registerToolFactory('ask', () => tool)
    const tools = await createTools(testSession({ artifacts, hasUI: true }), ['ask'])
    const result = await tools.find(({ name }) => name === 'ask').execute('1', {})
    assert.equal(result.details.meta.truncation.artifactId, 'ask-0')
    const own = wrapToolWithMetaNotice(hostTool('own', { session: testSession({ artifacts }), execute: async () => ({ content: [text(whole)] }) }))
    assert.equal((await own.execute('1', {})).details.meta.truncation.artifactId, 'own-1')
  })

  it('of a copy of a wrapped tool are finished once', async () => {
    const copy = { ...wrap(async () => ({ content: [text('a')], details: { meta } })) }
    const { execute } = copy
    assert.equal(wrapToolWithMetaNotice(copy).execute, execute)
    assert.equal((await copy.execute('1', {})).details.notices.length, 1)
  })
})

describe('renderError', () => {
  it('renders whatever was thrown', () => {
    assert.equal(renderError(new Error('a')), 'a')
    assert.equal(renderError('b'), 'b')
    assert.equal(renderError({ message: 'c' }), 'c')
    assert.equal(renderError({ d: 1 }), '{"d":1}')
    assert.equal(renderError(undefined), 'undefined')
  })
})
