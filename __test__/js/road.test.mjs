// The road every call travels: signals, cancelling, panics, errors.

import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { describe, it } from 'node:test'

import { createTools, ReadTool, throwIfAborted, ToolAbortError, ToolError } from '../../src/js/index.js'
import { callNative } from '../../src/js/signal.js'
import { testSession } from './session.mjs'

const native = createRequire(import.meta.url)('../../src/js/native.cjs')

/** A signal that counts its listeners. */
function countedSignal() {
  const controller = new AbortController()
  const { signal } = controller
  const counts = { now: 0, most: 0 }
  const { addEventListener, removeEventListener } = signal
  signal.addEventListener = function (...rest) {
    counts.most = Math.max(counts.most, ++counts.now)
    return addEventListener.apply(this, rest)
  }
  signal.removeEventListener = function (...rest) {
    counts.now -= 1
    return removeEventListener.apply(this, rest)
  }
  return { controller, signal, counts }
}

describe('signals', () => {
  it('never start anything once they have fired', async () => {
    let started = false
    const reason = new Error('stop')
    const call = callNative(AbortSignal.abort(reason), async () => { started = true })
    await assert.rejects(call, { name: 'AbortError', code: 'ABORT_ERR', cause: reason })
    assert.equal(started, false)
    const tool = new ReadTool(testSession())
    await assert.rejects(tool.execute('1', { path: '.' }, AbortSignal.abort(reason)), { name: 'AbortError', cause: reason })
  })

  it('reject a running call with the reason as cause', async () => {
    const { controller, signal, counts } = countedSignal()
    const call = callNative(signal, (handle) => native.probeWait(false, handle))
    setTimeout(() => controller.abort('enough'), 5)
    await assert.rejects(call, (error) => error instanceof ToolAbortError && error.name === 'AbortError' && error.cause === 'enough')
    assert.equal(counts.now, 0)
  })

  it('let work that changes something finish and report', async () => {
    const { controller, signal } = countedSignal()
    const call = callNative(signal, (handle) => native.probeWait(true, handle))
    setTimeout(() => controller.abort(), 5)
    assert.equal(await call, true)
  })

  it('carry 10,000 calls, 100 at a time, on one listener and leave none', async () => {
    const warnings = []
    const onWarning = (warning) => warnings.push(warning)
    process.on('warning', onWarning)
    const { signal, counts } = countedSignal()
    for (let round = 0; round < 100; round++) {
      await Promise.all(Array.from({ length: 100 }, () => callNative(signal, (handle) => native.probeNoop(handle))))
    }
    await new Promise((resolve) => setImmediate(resolve))
    process.off('warning', onWarning)
    assert.deepEqual(counts, { now: 0, most: 1 })
    assert.deepEqual(warnings, [])
  })

  it('stop every call they are shared by, and only those', async () => {
    const first = countedSignal()
    const second = countedSignal()
    const calls = [1, 2, 3].map(() => callNative(first.signal, (handle) => native.probeWait(false, handle)))
    const other = callNative(second.signal, (handle) => native.probeWait(false, handle))
    first.controller.abort()
    for (const { status } of await Promise.allSettled(calls)) assert.equal(status, 'rejected')
    assert.equal(await Promise.race([other.catch(() => 'stopped'), Promise.resolve('running')]), 'running')
    second.controller.abort()
    await assert.rejects(other, { name: 'AbortError' })
  })

  it('leave the handler of the host alone', async () => {
    const { controller, signal } = countedSignal()
    let seen = 0
    signal.onabort = () => { seen += 1 }
    await callNative(signal, (handle) => native.probeNoop(handle))
    controller.abort()
    assert.equal(seen, 1)
  })

  it('are checked by throwIfAborted', () => {
    throwIfAborted(undefined)
    throwIfAborted(new AbortController().signal)
    assert.throws(() => throwIfAborted(AbortSignal.abort('why')), { name: 'AbortError', cause: 'why' })
  })
})

describe('panics', () => {
  it('become an error with their message, and the process lives', async () => {
    const call = callNative(undefined, () => native.probePanic('the floor gave way'))
    await assert.rejects(call, (error) => error instanceof ToolError && error.code === 'internal' && /the floor gave way/.test(error.message))
    assert.throws(() => native.probePanicInline('and again'), { code: 'internal', message: /and again/ })
    assert.equal(await callNative(undefined, () => native.probeNoop()), undefined)
  })
})

describe('errors', () => {
  it('are ToolErrors with code, fields and path', async () => {
    const tool = new ReadTool(testSession())
    await assert.rejects(tool.execute('1', { path: 'no/such/file' }), (error) => {
      assert.ok(error instanceof ToolError)
      assert.equal(error.name, 'ToolError')
      assert.equal(error.code, 'path_not_found')
      assert.equal(error.path, 'no/such/file')
      assert.deepEqual(error.context, { path: 'no/such/file' })
      assert.equal(error.render(), error.message)
      return true
    })
  })

  it('name the argument that does not fit', async () => {
    const tool = new ReadTool(testSession())
    for (const params of [{ path: 3 }, {}, { path: 'a', pth: 'b' }]) {
      await assert.rejects(tool.execute('1', params), { code: 'invalid_arguments', message: /path|pth/ })
    }
    const circular = {}
    circular.path = circular
    for (const params of [undefined, null, 'a', [], circular, { path: 1n }]) {
      await assert.rejects(tool.execute('1', params), { code: 'invalid_arguments', message: /`params`|`path`/ })
    }
  })
})

describe('input that JSON would change', () => {
  it('is refused by name', async () => {
    const tools = await createTools(testSession())
    const tool = (name) => tools.find((tool) => tool.name === name)
    for (const [name, params, field] of [
      ['bash', { command: 'true', timeout: Infinity }, 'timeout'],
      ['find', { paths: ['*'], limit: NaN }, 'limit'],
      ['read', { path: 'a\ud800' }, 'path'],
      ['edit', { path: 'a', edits: [{ old_text: 'a', new_text: '\udc00' }] }, 'edits[0].new_text'],
      ['search', { pattern: 'a', skip: 1n }, 'skip'],
      ['read', new Date(0), 'params'],
    ]) {
      await assert.rejects(tool(name).execute('1', params), (error) => {
        assert.equal(error.code, 'invalid_arguments')
        assert.ok(error.message.includes(`\`${field}\``), error.message)
        return true
      })
    }
  })

  it('also as a signal', async () => {
    const [read] = await createTools(testSession(), ['read'])
    for (const signal of [{}, 5, new AbortController()]) {
      await assert.rejects(read.execute('1', { path: '.' }, signal), { code: 'invalid_arguments', message: /`signal`/ })
    }
    assert.ok(await read.execute('1', { path: '.' }, null))
  })
})
