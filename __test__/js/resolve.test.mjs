// Pending previews: a stack, each settled once, and never lost.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import * as core from '../../src/js/index.js'
import { testSession } from './session.mjs'

const apply = { action: 'apply', reason: 'good' }
const discard = { action: 'discard', reason: 'bad' }

/** A session with queue and standing slot, and what its previews did. */
function host({ exact = true, queue = new core.ToolChoiceQueue(), ...members } = {}) {
  const state = { standing: null, steered: [], log: [], queue }
  const session = testSession({
    getToolChoiceQueue: () => queue,
    buildToolChoiceResult: (name) => (exact ? { choice: { type: 'tool', name }, exactNamed: true } : { choice: undefined, exactNamed: false }),
    peekStandingResolveHandler: () => state.standing ?? undefined,
    setStandingResolveHandler: (handler) => void (state.standing = handler),
    steer: (message) => void state.steered.push(message),
    ...members,
  })
  const tool = new core.ResolveTool(session)
  const stage = (id, members = {}) =>
    core.queueResolveHandler(session, {
      label: `preview ${id}`,
      sourceToolName: 'stager',
      apply: async () => (state.log.push(`apply ${id}`), { content: [{ type: 'text', text: id }] }),
      reject: async () => void state.log.push(`discard ${id}`),
      ...members,
    })
  return { ...state, state, session, stage, call: (params) => tool.execute('1', params) }
}

const nothing = { name: 'ToolError', code: 'no_pending_action' }

describe('resolve', () => {
  it('is built for every session, with what a model needs', async () => {
    const tool = await core.HIDDEN_TOOLS.resolve(testSession())
    assert.equal(tool.intent({ action: 'discard', reason: 'wrong file' }), 'Discard: wrong file')
    assert.equal(typeof tool.intent({}), 'string')
    assert.deepEqual(Object.keys(tool.parameters.properties), ['action', 'reason', 'extra'])
    const copy = { ...tool }
    await assert.rejects(copy.execute('1', apply), nothing)
  })

  it('takes the newest of several previews first, with or without forcing', async () => {
    for (const exact of [true, false]) {
      const { stage, call, log, state } = host({ exact })
      stage('A')
      stage('B')
      await call(apply)
      await call(discard)
      assert.deepEqual(log, ['apply B', 'discard A'], `exact ${exact}`)
      assert.equal(state.standing, null)
      await assert.rejects(call(apply), nothing)
    }
  })

  it('forces each preview once, however it was settled', async () => {
    const { stage, call, log, queue } = host()
    stage('A')
    await call(apply)
    assert.deepEqual([queue.inspect(), queue.nextToolChoice()], [[], undefined])
    stage('B')
    queue.nextToolChoice()
    await call(apply)
    await assert.rejects(call(apply), nothing)
    queue.resolve()
    assert.equal(queue.nextToolChoice(), undefined)
    assert.deepEqual(log, ['apply A', 'apply B'])
  })

  it('applies once when two calls come at the same time', async () => {
    const { stage, call, log } = host()
    stage('A', { apply: () => new Promise((done) => setTimeout(() => done({ content: [], isError: log.push('applied') < 0 }), 5)) })
    const results = await Promise.allSettled([call(apply), call(apply), call(discard)])
    assert.deepEqual(results.map(({ status }) => status), ['fulfilled', 'rejected', 'rejected'])
    assert.deepEqual(log, ['applied'])
  })

  it('does not come back after an abort that followed the apply', async () => {
    const { stage, call, log, queue } = host()
    stage('A')
    queue.nextToolChoice()
    await call(apply)
    queue.reject('aborted')
    assert.equal(queue.nextToolChoice(), undefined)
    assert.deepEqual(log, ['apply A'])
  })

  it('never hands a preview to a mode\'s own handler, nor takes its slot', async () => {
    const { stage, call, log, state } = host({ exact: false })
    const approved = []
    const plan = async (params) => (approved.push(params), { content: [] })
    state.standing = plan
    stage('A')
    await call(apply)
    assert.deepEqual([log, approved, state.standing], [['apply A'], [], plan])
    await call(apply)
    assert.deepEqual(approved, [apply])
  })

  it('gives the slot on to the next preview', async () => {
    const { stage, call, log, state } = host({ exact: false })
    stage('A')
    stage('B')
    await call(apply)
    // A host with a tool of its own goes through the slot.
    await state.standing(apply)
    assert.deepEqual([log, state.standing], [['apply B', 'apply A'], null])
  })

  it('lets a preview wait again when its apply fails, and forces it no more than four times', async () => {
    const { stage, call, queue, steered } = host()
    let works = false
    stage('A', { apply: async () => { if (!works) throw new Error('disk full'); return { content: [] } } })
    for (let turn = 0; turn < 6; turn++) {
      assert.equal(queue.nextToolChoice()?.name, turn < 4 ? 'resolve' : undefined, `turn ${turn}`)
      await assert.rejects(call(apply), ({ code, message, cause, context }) => {
        assert.deepEqual([code, cause.message, context.sourceToolName], ['apply_failed', 'disk full', 'stager'])
        return /preview A/.test(message) && /disk full/.test(message)
      })
      queue.resolve()
    }
    assert.equal(steered.length, 7)
    works = true
    assert.equal((await call(apply)).details.label, 'preview A')
  })

  it('leaves tool errors and aborts as they are, and does so for discard too', async () => {
    const own = new core.ToolError('stale', { code: 'concurrent_modification', path: 'a' })
    for (const error of [own, new core.ToolAbortError(), new DOMException('stop', 'AbortError')]) {
      for (const [params, member] of [[apply, 'apply'], [discard, 'reject']]) {
        const { stage, call } = host()
        stage('A', { [member]: async () => { throw error } })
        await assert.rejects(call(params), (thrown) => thrown === error)
        await assert.rejects(call(params), (thrown) => thrown === error, 'it waits again')
      }
    }
  })

  it('counts an apply without a proper result as done: its change is made', async () => {
    const { stage, call } = host()
    stage('A', { apply: async () => undefined, details: { files: 2 } })
    const result = await call(apply)
    assert.match(result.content[0].text, /preview A/)
    assert.deepEqual(result.details.sourceResultDetails, { files: 2 })
    await assert.rejects(call(apply), nothing)
  })

  it('prefers the details of the result to those that were staged', async () => {
    const { stage, call } = host()
    stage('A', { apply: async () => ({ content: [], details: { n: 1 } }), details: { n: 2 } })
    assert.deepEqual((await call(apply)).details.sourceResultDetails, { n: 1 })
  })

  it('works with a queue that has only the older members', async () => {
    const inner = new core.ToolChoiceQueue()
    const queue = Object.fromEntries(['push', 'nextToolChoice', 'resolve', 'reject', 'peekInFlightInvoker'].map((name) => [name, inner[name].bind(inner)]))
    const { stage, call, log } = host({ queue })
    stage('A')
    await call(apply)
    assert.equal(queue.nextToolChoice(), undefined)
    assert.deepEqual(log, ['apply A'])
  })

  it('forgets previews without settling them', async () => {
    const { session, stage, call, log, queue, state } = host()
    stage('A')
    stage('B')
    core.clearPendingPreviews(session)
    await assert.rejects(call(apply), nothing)
    assert.deepEqual([log, queue.inspect(), state.standing], [[], [], null])
  })

  it('stages nothing when the host throws meanwhile', async () => {
    const { stage, call, queue } = host({ steer: () => { throw new Error('no room') } })
    assert.throws(() => stage('A'), /no room/)
    await assert.rejects(call(apply), nothing)
    assert.deepEqual(queue.inspect(), [])
  })

  it('refuses bad input and changes nothing', async () => {
    const { session, stage, call, log } = host()
    const good = { label: 'l', sourceToolName: 's', apply: async () => ({ content: [] }) }
    for (const [options, path] of [
      [undefined, 'options'],
      [{ ...good, label: 3 }, 'options.label'],
      [{ ...good, sourceToolName: undefined }, 'options.sourceToolName'],
      [{ ...good, apply: 'x' }, 'options.apply'],
      [{ ...good, reject: {} }, 'options.reject'],
    ]) {
      assert.throws(() => core.queueResolveHandler(session, options), ({ context }) => context.issues[0].path === path, path)
      await assert.rejects(core.runResolveInvocation(apply, options), ({ context }) => context.issues[0].path === path, path)
    }
    assert.throws(() => core.queueResolveHandler(null, good), { code: 'invalid_arguments' })
    await assert.rejects(call(apply), nothing)
    stage('A')
    for (const [params, path] of [
      [undefined, 'params'],
      [{ reason: 'x' }, 'action'],
      [{ action: 'undo', reason: 'x' }, 'action'],
      [{ action: 'apply' }, 'reason'],
      [{ ...apply, extra: 'x' }, 'extra'],
    ]) {
      await assert.rejects(call(params), ({ code, context }) => code === 'invalid_arguments' && context.issues[0].path === path, path)
    }
    assert.deepEqual(log, [])
    await call(apply)
    assert.deepEqual(log, ['apply A'])
  })

  it('starts nothing under a signal that has fired', async () => {
    const { session, stage, log } = host()
    stage('A')
    await assert.rejects(new core.ResolveTool(session).execute('1', apply, AbortSignal.abort('stop')), { name: 'AbortError', cause: 'stop' })
    assert.deepEqual(log, [])
  })
})
