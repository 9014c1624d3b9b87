// Calls that an SDK's own loop starts one by one.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'

import { createToolSession } from '../../src/js/index.js'
import { Turnstile } from '../../src/js/calls/turnstile.js'
import { hostTool, testSession } from './session.mjs'

/** A promise with its ends. */
function deferred() {
  let end
  const promise = new Promise((resolve) => (end = resolve))
  return { promise, end }
}

describe('session.runCall', () => {
  let directory
  before(() => {
    directory = mkdtempSync(join(tmpdir(), 'calls-'))
    writeFileSync(join(directory, 'notes.txt'), 'one\n')
  })
  after(() => rmSync(directory, { recursive: true }))
  const start = (tools = []) => createToolSession({ ...testSession(), cwd: directory, tools })

  it('gives a result message, whatever the arguments come as', async () => {
    const session = await start()
    for (const arguments_ of [{ path: 'notes.txt:raw' }, '{"path":"notes.txt:raw"}']) {
      const { role, toolCallId, toolName, content, isError } = await session.runCall({ id: 'a', name: 'read', arguments: arguments_ }, { signal: null })
      assert.deepEqual({ role, toolCallId, toolName, content, isError }, { role: 'toolResult', toolCallId: 'a', toolName: 'read', content: [{ type: 'text', text: 'one\n' }], isError: false })
    }
  })

  it('makes every failure a result', async () => {
    const session = await start([hostTool('fails', { execute: async () => Promise.reject(new Error('no luck')) })])
    const fired = AbortSignal.abort()
    for (const [call, options, text] of [
      [{ name: 'read', arguments: '{"path":"no' }, {}, /expected an object/],
      [{ name: 'read', arguments: {} }, {}, /path/],
      [{ name: 'read', arguments: { path: 'missing.txt' } }, {}, /does not exist/],
      [{ name: 'nothing', arguments: {} }, {}, /no tool `nothing`/],
      [{ name: 'bash', arguments: { command: 'exit 3' } }, {}, /code 3/],
      [{ name: 'fails', arguments: {} }, {}, /no luck/],
      [{ name: 'read', arguments: { path: 'notes.txt' } }, { signal: fired }, /abort/],
    ]) {
      const result = await session.runCall({ id: 'a', ...call }, options)
      assert.equal(result.isError, true)
      assert.match(result.content[0].text, text)
    }
  })

  it('has words where there is nothing to say', async () => {
    const results = { none: [], empty: [''], blank: ['\n', ' '], some: ['', 'x'] }
    const tools = Object.entries(results).map(([name, texts]) => hostTool(name, { execute: async () => ({ content: texts.map((text) => ({ type: 'text', text })) }) }))
    const session = await start(tools)
    const said = async (name) => (await session.runCall({ id: 'a', name, arguments: {} })).content.map(({ text }) => text)
    assert.deepEqual(await said('none'), ['(empty)'])
    assert.deepEqual(await said('empty'), ['(empty)'])
    assert.deepEqual(await said('blank'), ['(nothing but white space: "\\n\\n ")'])
    assert.deepEqual(await said('some'), ['x'])
  })

  it('tells what a running call has', async () => {
    const tool = hostTool('slow', {
      execute: async (_id, _params, _signal, onUpdate) => {
        onUpdate({ content: [{ type: 'text', text: 'half' }] })
        return { content: [{ type: 'text', text: 'all' }] }
      },
    })
    const session = await start([tool])
    const seen = []
    await session.runCall({ id: 'a', name: 'slow', arguments: {} }, { onUpdate: ({ content }) => seen.push(content[0].text) })
    assert.deepEqual(seen, ['half'])
  })

  it('runs an exclusive call alone, in its turn', async () => {
    const order = []
    const gates = { first: deferred(), second: deferred() }
    const waiting = (name, members) =>
      hostTool(name, {
        ...members,
        execute: async () => {
          order.push(`${name} starts`)
          await gates[name]?.promise
          order.push(`${name} ends`)
          return { content: [] }
        },
      })
    const session = await start([waiting('first'), waiting('second'), waiting('alone', { concurrency: 'exclusive' }), waiting('last')])
    const calls = ['first', 'second', 'alone', 'last'].map((name) => session.runCall({ id: name, name, arguments: {} }))
    gates.second.end()
    await calls[1]
    gates.first.end()
    await Promise.all(calls)
    assert.deepEqual(order, ['first starts', 'second starts', 'second ends', 'first ends', 'alone starts', 'alone ends', 'last starts', 'last ends'])
  })

  it('a call that fails outside of its tool does not hold up the next', async () => {
    const turnstile = new Turnstile()
    const failed = turnstile.run(true, () => Promise.reject(new Error('broken host')))
    const next = turnstile.run(false, async () => 'ran')
    await assert.rejects(failed, /broken host/)
    assert.equal(await next, 'ran')
  })
})
