// The notice wrapper: where the closing notice goes, and what happens to errors.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { renderError, ToolAbortError, ToolError, wrapToolWithMetaNotice } from '../../src/js/index.js'
import { hostTool } from './session.mjs'

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

describe('renderError', () => {
  it('renders whatever was thrown', () => {
    assert.equal(renderError(new Error('a')), 'a')
    assert.equal(renderError('b'), 'b')
    assert.equal(renderError({ message: 'c' }), 'c')
    assert.equal(renderError({ d: 1 }), '{"d":1}')
    assert.equal(renderError(undefined), 'undefined')
  })
})
