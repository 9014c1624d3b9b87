// Batches of tool calls: order, barriers, hooks, abort, messages of the user, results. What recorded traces do not ask.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { executeToolCalls, sanitizeText, ToolAbortError, ToolError } from '../../src/js/index.js'
import { hostTool } from './session.mjs'

const text = (words, more) => ({ content: [{ type: 'text', text: words }], ...more })
const textOf = ({ content }) => content.map((block) => block.text).join('')

/** A message that calls tools by name, or by name and arguments. */
function message(calls, more) {
  const content = calls.map((call, index) => {
    const [name, args = {}, members] = Array.isArray(call) ? call : [call]
    return { type: 'toolCall', id: `${index + 1}`, name, arguments: args, ...members }
  })
  return { role: 'assistant', content, stopReason: 'toolUse', timestamp: 5, ...more }
}

/** Runs a batch and keeps its events. */
async function run(tools, calls, { hooks, signal, emit = () => {}, ...more } = {}) {
  const events = []
  const assistantMessage = Array.isArray(calls) ? message(calls) : calls
  const outcome = await executeToolCalls({
    tools,
    assistantMessage,
    hooks,
    signal,
    emit: (event) => {
      events.push(event)
      emit(event)
    },
    ...more,
  })
  const rows = events.map(({ type, toolCallId, message }) => `${type} ${toolCallId ?? message.toolCallId}`)
  return { ...outcome, events, rows, texts: outcome.toolResults.map(textOf) }
}

/** A promise and how to settle it. */
function gate() {
  let open
  const promise = new Promise((resolve) => (open = resolve))
  return { promise, open }
}

/** Random numbers that are the same in every run. */
function random(seed) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

describe('order', () => {
  it('keeps barriers and call order under 1,000 random delays', async () => {
    const next = random(7)
    for (let round = 0; round < 1000; round++) {
      const alone = new Set([Math.floor(next() * 32), Math.floor(next() * 32)])
      const running = new Set()
      const done = []
      const work = (isAlone) => async (id) => {
        assert.ok(isAlone ? running.size === 0 : ![...running].some((other) => alone.has(other - 1)), `round ${round}, call ${id}`)
        running.add(Number(id))
        for (let turns = Math.floor(next() * 8); turns > 0; turns--) await (next() < 0.02 ? sleep(0) : undefined)
        running.delete(Number(id))
        done.push(Number(id))
        return text(id)
      }
      const tools = [hostTool('shared', { execute: work(false) }), hostTool('alone', { execute: work(true), concurrency: 'exclusive' })]
      const calls = Array.from({ length: 32 }, (_, index) => (alone.has(index) ? 'alone' : 'shared'))
      const { texts, events } = await run(tools, calls)
      const inOrder = Array.from({ length: 32 }, (_, index) => `${index + 1}`)
      assert.deepEqual(texts, inOrder)
      assert.deepEqual(events.filter(({ type }) => type === 'message_end').map(({ message }) => message.toolCallId), inOrder)
      for (const index of alone) assert.equal(done.indexOf(index + 1), index)
    }
  })

  it('tells ends as they come and holds messages back until their turn', async () => {
    const { promise, open } = gate()
    const slow = hostTool('slow', { execute: () => promise.then(() => text('S')) })
    const { rows } = await run([slow, hostTool('fast')], ['slow', 'fast', 'fast'], {
      emit: ({ type, toolCallId }) => type === 'tool_execution_end' && toolCallId === '3' && open(),
    })
    const messages = (id) => [`message_start ${id}`, `message_end ${id}`]
    const ends = ['tool_execution_end 2', 'tool_execution_end 3', 'tool_execution_end 1']
    assert.deepEqual(rows.slice(3), [...ends, ...messages(1), ...messages(2), ...messages(3)])
  })

  it('runs a tool under the name of its wire format only where no name fits, and the first of a name', async () => {
    const tools = [
      hostTool('one', { customWireName: 'two', execute: async () => text('by wire name') }),
      hostTool('two', { execute: async () => text('by name') }),
      hostTool('two', { execute: async () => text('never') }),
      hostTool('three', { customWireName: 'four', execute: async () => text('by wire name') }),
    ]
    const { texts, toolResults } = await run(tools, ['two', 'four'])
    assert.deepEqual(texts, ['by name', 'by wire name'])
    assert.deepEqual(toolResults.map(({ toolName }) => toolName), ['two', 'four'])
  })

  it('answers a message without calls', async () => {
    assert.deepEqual(await executeToolCalls({ tools: [], assistantMessage: message([]) }), { toolResults: [], malformedToolCallSignatures: [] })
  })
})

describe('abort', () => {
  it('starts no queued call after an abort, also none that cannot be aborted', async () => {
    const controller = new AbortController()
    const ran = []
    const write = hostTool('write', {
      concurrency: 'exclusive',
      nonAbortable: true,
      execute: async (id, params, signal) => {
        ran.push([id, signal])
        controller.abort()
        await sleep(1)
        return text('written')
      },
    })
    const { texts, toolResults, rows } = await run([write], ['write', 'write', 'write'], { signal: controller.signal })
    assert.deepEqual(ran, [['1', undefined]])
    assert.equal(texts[0], 'written')
    assert.match(texts[1], /aborted/)
    assert.deepEqual(toolResults.map(({ isError }) => isError), [false, true, true])
    assert.equal(rows.filter((row) => row.startsWith('tool_execution_start')).length, 3)
  })

  it('starts nothing under a signal that has fired', async () => {
    const { texts } = await run([hostTool('a')], ['a', 'a'], { signal: AbortSignal.abort() })
    assert.ok(texts.every((words) => /aborted/.test(words)))
  })

  it('does not run a call that was being asked about', async () => {
    const controller = new AbortController()
    let isRun = false
    const seen = []
    const tool = hostTool('a', { execute: async () => ((isRun = true), text('ran')) })
    const hooks = { beforeToolCall: () => controller.abort(), afterToolCall: ({ isError }) => void seen.push(isError) }
    const { texts } = await run([tool], ['a'], { signal: controller.signal, hooks })
    assert.equal(isRun, false)
    assert.match(texts[0], /aborted/)
    assert.deepEqual(seen, [true])
  })

  it('gives the tools one signal with the reason of the run', async () => {
    const controller = new AbortController()
    const signals = []
    const execute = async (id, params, signal) => {
      signals.push(signal)
      if (signals.length === 2) controller.abort('because')
      await new Promise((resolve) => (signal.aborted ? resolve() : signal.addEventListener('abort', resolve, { once: true })))
      throw signal.reason
    }
    const { texts } = await run([hostTool('a', { execute })], ['a', 'a'], { signal: controller.signal })
    assert.equal(signals[0], signals[1])
    assert.deepEqual(texts, ['because', 'because'])
  })

  it('leaves no listener on the signal of the run, one while a batch runs', async () => {
    const signal = new AbortController().signal
    let listeners = 0
    let most = 0
    const { addEventListener, removeEventListener } = signal
    signal.addEventListener = (...call) => ((most = Math.max(most, ++listeners)), addEventListener.apply(signal, call))
    signal.removeEventListener = (...call) => (listeners--, removeEventListener.apply(signal, call))
    await run([hostTool('a')], Array.from({ length: 40 }, () => 'a'), { signal })
    await assert.rejects(run([hostTool('a')], ['a'], { signal, emit: () => assert.fail('a host that throws') }))
    assert.deepEqual([most, listeners], [1, 0])
  })

  it('leaves no listener after 100,000 calls', async () => {
    const signal = new AbortController().signal
    let listeners = 0
    const { addEventListener, removeEventListener } = signal
    signal.addEventListener = (...call) => (listeners++, addEventListener.apply(signal, call))
    signal.removeEventListener = (...call) => (listeners--, removeEventListener.apply(signal, call))
    const tools = [hostTool('a')]
    const assistantMessage = message(Array.from({ length: 100 }, () => 'a'))
    for (let round = 0; round < 1000; round++) await executeToolCalls({ tools, assistantMessage, signal })
    assert.equal(listeners, 0)
  })

  it('answers the calls of a message that failed or was aborted without running them', async () => {
    const tool = hostTool('a', { execute: () => assert.fail('ran') })
    const hooks = { afterToolCall: () => assert.fail('asked') }
    const failed = await run([tool], message(['a', 'a'], { stopReason: 'error', errorMessage: 'upstream 500' }), { hooks })
    assert.ok(failed.texts.every((words) => words.includes('upstream 500')))
    const refused = await run([tool], message(['a']), { hooks, refuse: 'No tools now' })
    assert.deepEqual(refused.texts, ['No tools now'])
  })
})

describe('messages of the user', () => {
  const steeringOnce = (messages = ['stop']) => {
    const waiting = [...messages]
    return async () => waiting.splice(0)
  }

  it('never reports as skipped what has run', async () => {
    const { promise, open } = gate()
    const write = hostTool('write', { nonAbortable: true, execute: () => promise.then(() => text('written')) })
    const search = hostTool('search', { execute: () => promise.then(() => text('found')) })
    const broken = hostTool('broken', { execute: () => promise.then(() => Promise.reject(new Error('disk full'))) })
    const patient = hostTool('patient', {
      execute: (id, params, signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(new ToolAbortError()))),
    })
    const last = hostTool('last', { concurrency: 'exclusive', execute: () => assert.fail('ran') })
    const hooks = {
      getSteeringMessages: async () => {
        open()
        return ['stop']
      },
    }
    const { texts, steeringMessages } = await run([hostTool('quick'), write, search, broken, patient, last], ['quick', 'write', 'search', 'broken', 'patient', 'last'], { hooks })
    assert.deepEqual(texts.slice(0, 4), ['quick ran', 'written', 'found', 'disk full'])
    assert.match(texts[4], /^Ended by a message/)
    assert.match(texts[5], /^Skipped/)
    assert.deepEqual(steeringMessages, ['stop'])
  })

  it('asks one at a time and loses no message', async () => {
    let asked = 0
    let isAsking = false
    const getSteeringMessages = async () => {
      assert.equal(isAsking, false)
      isAsking = true
      await sleep(1)
      isAsking = false
      return ++asked === 3 ? ['a', 'b'] : []
    }
    const { steeringMessages, texts } = await run([hostTool('a')], ['a', 'a', 'a', 'a', 'a'], { hooks: { getSteeringMessages } })
    assert.deepEqual([asked, steeringMessages, texts.length], [3, ['a', 'b'], 5])
  })

  it('never asks in mode wait, nor after an abort', async () => {
    const hooks = { getSteeringMessages: () => assert.fail('asked'), interruptMode: 'wait' }
    await run([hostTool('a')], ['a', 'a'], { hooks })
    const controller = new AbortController()
    const stopping = hostTool('a', { execute: async () => (controller.abort(), text('done')) })
    await run([stopping], ['a', 'a'], { hooks: { ...hooks, interruptMode: 'immediate' }, signal: controller.signal })
  })

  it('takes a second batch under the same run after the first was interrupted', async () => {
    const { signal } = new AbortController()
    const hooks = { getSteeringMessages: steeringOnce() }
    const first = await run([hostTool('a', { concurrency: 'exclusive' })], ['a', 'a'], { hooks, signal })
    assert.match(first.texts[1], /^Skipped/)
    assert.deepEqual((await run([hostTool('a')], ['a'], { hooks, signal })).texts, ['a ran'])
  })
})

describe('hooks', () => {
  it('see copies: neither the message nor the events change', async () => {
    const assistantMessage = message([['a', { list: [1], nested: { deep: 'x' } }]])
    const before = structuredClone(assistantMessage)
    const received = []
    const tool = hostTool('a', {
      execute: async (id, params) => {
        received.push(structuredClone(params))
        params.list.push('tool')
        return text('ran', { details: { k: [1] } })
      },
    })
    const hooks = {
      beforeToolCall: ({ args, toolCall }) => {
        args.list.push('hook')
        toolCall.arguments.nested.deep = 'changed'
      },
      afterToolCall: ({ args, result }) => {
        assert.deepEqual(args.list, [1, 'hook'])
        result.details.k.push(2)
        result.content[0].text = 'changed'
      },
    }
    const { events, toolResults } = await run([tool], assistantMessage, { hooks })
    assert.deepEqual(assistantMessage, before)
    assert.deepEqual(events[0].args, before.content[0].arguments)
    assert.deepEqual(received, [{ list: [1, 'hook'], nested: { deep: 'x' } }])
    assert.deepEqual([toolResults[0].details, textOf(toolResults[0])], [{ k: [1] }, 'ran'])
  })

  it('keeps a key called __proto__', async () => {
    const args = JSON.parse('{"__proto__": {"polluted": true}, "a": 1}')
    let params
    await run([hostTool('a', { execute: async (id, given) => ((params = given), text('')) })], [['a', args]])
    assert.equal(params.polluted, undefined)
    assert.equal(Object.getOwnPropertyDescriptor(params, '__proto__').value.polluted, true)
    assert.notEqual(params, args)
  })

  it('survives arguments that are nested without end', async () => {
    let deep = []
    for (let depth = 0; depth < 50_000; depth++) deep = [deep]
    const circular = {}
    circular.self = circular
    const { toolResults } = await run([hostTool('a')], [['a', { deep }], ['a', deep], ['a', circular]])
    assert.deepEqual(toolResults.map(({ details }) => details), [0, 1, 2].map(() => ({ failureKind: 'argument_validation' })))
    let params
    const lenient = hostTool('a', { lenientArgValidation: true, execute: async (id, given) => ((params = given), text('ran')) })
    assert.deepEqual((await run([lenient], [['a', circular]])).texts, ['ran'])
    assert.ok(params !== circular && params.self === params)
  })

  it('transforms what a tool receives and nothing else', async () => {
    const seen = []
    const tool = hostTool('a', { execute: async (id, params) => text(JSON.stringify(params)) })
    const hooks = { transformToolCallArguments: (args, name) => ({ ...args, name }), afterToolCall: ({ args }) => void seen.push(args) }
    const { texts, events } = await run([tool], [['a', { p: 1 }]], { hooks })
    assert.deepEqual([texts[0], seen, events[0].args], ['{"p":1,"name":"a"}', [{ p: 1 }], { p: 1 }])
  })

  it('replaces details by null where a hook says so, and no part that it leaves out', async () => {
    const tool = hostTool('a', { execute: async () => text('A', { details: { d: 1 } }) })
    const details = async (changes) => (await run([tool], ['a'], { hooks: { afterToolCall: () => changes } })).toolResults[0].details
    assert.equal(await details({ details: null }), null)
    assert.deepEqual(await details({ details: undefined }), { d: 1 })
    assert.deepEqual(await details({ content: null, isError: null }), { d: 1 })
  })

  it('says that a call was blocked, and nothing of it once the error is cleared', async () => {
    const hooks = (more) => ({ beforeToolCall: () => ({ block: true, reason: '  ' }), ...more })
    const blocked = await run([hostTool('a')], ['a'], { hooks: hooks() })
    assert.deepEqual(blocked.toolResults[0].details, { failureKind: 'blocked' })
    assert.notEqual(blocked.texts[0].trim(), '')
    const cleared = await run([hostTool('a')], ['a'], { hooks: hooks({ afterToolCall: () => ({ isError: false }) }) })
    assert.deepEqual([cleared.toolResults[0].details, cleared.toolResults[0].isError], [{}, false])
  })

  it('makes a call fail whose context or transformation cannot be had', async () => {
    const boom = () => {
      throw new Error('boom')
    }
    for (const hooks of [{ getToolContext: boom }, { transformToolCallArguments: boom }]) {
      const { toolResults, texts } = await run([hostTool('a', { execute: () => assert.fail('ran') })], ['a'], { hooks })
      assert.deepEqual([texts[0], toolResults[0].details], ['boom', { failureKind: 'execution' }])
    }
  })

  it('lets a batch end before an error of the host surfaces', async () => {
    const ended = []
    const tool = hostTool('a', { concurrency: 'exclusive', execute: async (id) => (ended.push(id), text('')) })
    const emit = ({ type }) => {
      if (type === 'tool_execution_start') throw new Error('host')
    }
    await assert.rejects(run([tool], ['a', 'a'], { emit }), /host/)
    assert.deepEqual(ended, ['1', '2'])
    await assert.rejects(run([tool], ['a'], { hooks: { getSteeringMessages: () => Promise.reject(new Error('host')) } }), /host/)
    assert.deepEqual(ended, ['1', '2', '1'])
  })

  it('refuses hooks of the wrong kind before anything runs', async () => {
    const bad = [
      { hooks: { beforeToolCall: 'deny' } },
      { hooks: { interruptMode: 'later' } },
      { hooks: null },
      { emit: 1 },
      { signal: {} },
      { tools: undefined },
      { assistantMessage: {} },
    ]
    for (const members of bad) {
      const input = { tools: [], assistantMessage: message([]), ...members }
      await assert.rejects(executeToolCalls(input), (error) => error instanceof ToolError && error.code === 'invalid_arguments', JSON.stringify(members))
    }
  })
})

describe('updates and results', () => {
  it('drops updates once a call has ended, also while a hook looks at its result', async () => {
    let update
    const execute = async (id, params, signal, onUpdate) => {
      update = onUpdate
      onUpdate(text('in time'))
      return text('done')
    }
    const { rows } = await run([hostTool('a', { execute })], ['a'], { hooks: { afterToolCall: () => void update(text('late')) } })
    update(text('later'))
    assert.equal(rows.filter((row) => row.startsWith('tool_execution_update')).length, 1)
  })

  it('turns whatever is thrown into a text', async () => {
    const circular = {}
    circular.self = circular
    const hostile = { get message() { throw new Error('no') } }
    const cases = [
      [{ message: 'said' }, /^said$/],
      [{ k: 1 }, /^\{"k":1\}$/],
      [new TypeError(''), /^TypeError$/],
      [circular, /./],
      [hostile, /./],
      [undefined, /^undefined$/],
      [new Error('\x1b[31mred\x1b[0m\r\nnext'), /^red\nnext$/],
    ]
    for (const [thrown, expected] of cases) {
      const { texts, toolResults } = await run([hostTool('a', { execute: () => Promise.reject(thrown) })], ['a'])
      assert.match(texts[0], expected)
      assert.deepEqual(toolResults[0].details, { failureKind: 'execution' })
    }
  })

  it('keeps only blocks that a model can be sent', async () => {
    const image = { type: 'image', data: 'AA==', mimeType: 'image/png' }
    const content = [null, { type: 'text', text: 5 }, { ...image, extra: 1 }, { type: 'image', data: 'AA==' }, { type: 'text', text: 'a\u0000b' }, { type: 'audio' }]
    const { toolResults } = await run([hostTool('a', { execute: async () => ({ content, isError: 'yes', details: null }) })], ['a'])
    const { content: kept, isError, details } = toolResults[0]
    assert.deepEqual([kept, isError, details], [[image, { type: 'text', text: 'ab' }], true, null])
  })

  it('cleans texts without eating what belongs to them', () => {
    assert.equal(sanitizeText('a\ufffdb\ud800c'), 'a\ufffdbc')
    assert.equal(sanitizeText('old\rmac\r\nends'), 'old\nmac\nends')
    assert.equal(sanitizeText('\u001b]8;;u\u0007link\u001b]8;;\u0007 😀\t'), 'link 😀\t')
    assert.throws(() => sanitizeText(5), { code: 'invalid_arguments' })
  })

  it('states the intent of a call apart from its arguments', async () => {
    const assistantMessage = message([['a', { _i: ' why ', p: 1 }], ['b', { p: 2 }], ['ghost', { _i: 'gone' }]])
    const tools = [hostTool('a', { execute: async (id, params) => text(JSON.stringify(params)) }), hostTool('b', { intent: ({ p }) => `for ${p}` })]
    const { texts, events } = await run(tools, assistantMessage, { hooks: { intentTracing: true } })
    assert.deepEqual(events.filter(({ type }) => type === 'tool_execution_start').map(({ intent }) => intent), ['why', 'for 2', 'gone'])
    assert.deepEqual(assistantMessage.content.map(({ intent }) => intent), ['why', 'for 2', 'gone'])
    assert.equal(texts[0], '{"p":1}')
  })

  it('refuses arguments that were cut off, and names them as malformed', async () => {
    const cut = { incompleteArguments: true }
    const { malformedToolCallSignatures, toolResults } = await run([hostTool('a', { execute: () => assert.fail('ran') })], [['a', { p: 1 }, cut], ['ghost', {}, cut]])
    assert.deepEqual(malformedToolCallSignatures, ['a:{"p":1}', 'ghost:{}'])
    assert.ok(toolResults.every(({ details }) => details.failureKind === 'argument_validation'))
  })

  it('tells each call its place', async () => {
    const places = []
    const tool = hostTool('a', { execute: async (id, params, signal, onUpdate, context) => (places.push(context), text('')) })
    await run([tool], ['a', 'a'], { hooks: { getToolContext: (place) => ({ place }) } })
    const toolCalls = [{ id: '1', name: 'a' }, { id: '2', name: 'a' }]
    assert.deepEqual(places.map(({ place }) => place), [0, 1].map((index) => ({ batchId: '5_1', index, total: 2, toolCalls })))
  })
})
