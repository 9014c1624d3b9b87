// The loop over model calls: what a model is asked with, when it is asked again, and how a run ends.

import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'

import { clearToolChoiceIncapabilityRegistryForTests, createToolSession, runAgentTurns, ToolChoiceQueue } from '../../src/js/index.js'
import { hostTool, testSession } from './session.mjs'

const facts = { api: 'openai-completions', provider: 'p', baseUrl: 'https://host.example/v1', id: 'm' }
const user = (words) => ({ role: 'user', content: [{ type: 'text', text: words }] })

/** An answer with calls by name, or by name, arguments and members. */
function calling(...calls) {
  const content = calls.map((call, index) => {
    const [name, args = {}, members] = Array.isArray(call) ? call : [call]
    return { type: 'toolCall', id: `${name}${index}`, name, arguments: args, ...members }
  })
  return { role: 'assistant', content, stopReason: 'toolUse' }
}

const saying = (words) => ({ role: 'assistant', content: [{ type: 'text', text: words }], stopReason: 'stop' })
const cutOff = (name, args) => [name, args, { incompleteArguments: true }]

/** Runs answers, one for each request; functions are called with the request. */
async function run(answers, { session, tools = session ? undefined : [hostTool('a')], messages = [user('go')], ...more } = {}) {
  const requests = []
  const events = []
  const ask = async (request) => {
    requests.push(request)
    const answer = answers[requests.length - 1] ?? saying('end')
    return typeof answer === 'function' ? answer(request) : answer
  }
  const outcome = await runAgentTurns({ model: { facts, ask }, messages, session, tools, emit: (event) => events.push(event), ...more })
  return { ...outcome, requests, events, roles: outcome.messages.map(({ role }) => role) }
}

afterEach(clearToolChoiceIncapabilityRegistryForTests)

describe('turns', () => {
  it('goes on as long as the model calls, and gives back what it added', async () => {
    const messages = [user('go')]
    const { roles, requests, reason, stopReason, events } = await run([calling('a', 'a'), calling('ghost')], { messages })
    assert.deepEqual(roles, ['assistant', 'toolResult', 'toolResult', 'assistant', 'toolResult', 'assistant'])
    assert.deepEqual([messages.length, reason, stopReason], [1, 'completed', 'stop'])
    assert.deepEqual(requests.map((request) => request.messages.length), [1, 4, 6])
    assert.deepEqual(events.at(-1).messages.length, 6)
  })

  it('asks for the tools before each turn', async () => {
    let tools = [hostTool('a', { execute: async () => ((tools = [hostTool('b')]), { content: [] }) })]
    const { requests } = await run([calling('a'), calling('b')], { tools: () => tools })
    assert.deepEqual(requests.map((request) => request.tools.map(({ name }) => name)), [['a'], ['b'], ['b']])
  })

  it('passes on what the user says meanwhile, and what was to be said at the end', async () => {
    const steering = [[], [], [user('meanwhile')], []]
    const later = [[user('later')], []]
    const hooks = { getSteeringMessages: async () => steering.shift() ?? [], getFollowUpMessages: async () => later.shift() ?? [] }
    const { messages } = await run([calling('a'), saying('first end'), saying('second end')], { hooks })
    const said = messages.map(({ role, content }) => (role === 'toolResult' ? role : (content[0].text ?? 'call')))
    assert.deepEqual(said, ['call', 'toolResult', 'meanwhile', 'first end', 'later', 'second end'])
  })

  it('ends a run that was aborted without asking the model again', async () => {
    const controller = new AbortController()
    const stopping = hostTool('a', { execute: async () => (controller.abort(), { content: [] }) })
    const { requests, stopReason, roles } = await run([calling('a', 'a')], { tools: [stopping], signal: controller.signal })
    assert.deepEqual([requests.length, stopReason, roles.at(-1)], [1, 'aborted', 'assistant'])
    assert.equal((await run([], { signal: AbortSignal.abort() })).requests.length, 0)
  })

  it('ends with the error of a model that fails, and with an abort of one that was aborted', async () => {
    const boom = new Error('upstream 500')
    const failed = await run([() => Promise.reject(boom)])
    assert.deepEqual([failed.stopReason, failed.error, failed.messages[0].errorMessage], ['error', boom, 'upstream 500'])
    const shapeless = await run([{ role: 'assistant', content: 'text' }])
    assert.equal(shapeless.error.code, 'invalid_arguments')
    const controller = new AbortController()
    const fail = () => {
      controller.abort()
      throw controller.signal.reason
    }
    const aborted = await run([fail], { signal: controller.signal })
    assert.deepEqual([aborted.stopReason, aborted.error], ['aborted', undefined])
  })

  it('ends at its limit of turns, with everything that was said', async () => {
    const answers = Array(9).fill(calling('a'))
    const { requests, reason, stopReason, roles, events } = await run(answers, { maxTurns: 2 })
    assert.deepEqual([requests.length, reason, stopReason], [2, 'turn_limit', 'toolUse'])
    assert.deepEqual(roles, ['assistant', 'toolResult', 'assistant', 'toolResult'])
    assert.equal(events.at(-1).reason, 'turn_limit')
    const onTime = await run([calling('a')], { maxTurns: 2 })
    assert.deepEqual([onTime.requests.length, onTime.reason], [2, 'completed'])
  })

  it('has a limit of its own', async () => {
    const { requests, reason } = await run(Array(1000).fill(calling('a')))
    assert.deepEqual([requests.length, reason], [500, 'turn_limit'])
  })

  it('asks again for a call that got lost, and fails when it stays away', async () => {
    for (const [stopReason, most] of [['toolUse', 2], ['tool_calls', 2], ['MALFORMED_FUNCTION_CALL', 4], ['UNEXPECTED_TOOL_CALL', 4]]) {
      const broken = { ...saying('hi'), stopReason }
      const mended = await run([broken, calling('a')])
      assert.deepEqual(mended.roles, ['assistant', 'toolResult', 'assistant'], stopReason)
      assert.equal(mended.requests[1].messages.at(-1).synthetic, true)
      assert.equal(mended.requests[2].messages.some(({ synthetic }) => synthetic), false)
      assert.equal(mended.events.filter(({ type }) => type === 'broken_answer').length, 1)

      const hopeless = await run(Array(9).fill(broken))
      assert.deepEqual([hopeless.requests.length, hopeless.stopReason], [most, 'error'], stopReason)
      assert.match(hopeless.messages[0].errorMessage, /call/)
    }
  })

  it('decides by the calls that are there', async () => {
    const { roles, requests } = await run([{ ...calling('a'), stopReason: 'MALFORMED_FUNCTION_CALL' }])
    assert.deepEqual([roles, requests.length], [['assistant', 'toolResult', 'assistant'], 2])
  })

  it('refuses input of the wrong shape', async () => {
    const model = { facts, ask: async () => saying('') }
    const bad = [undefined, { model: {} }, { model: { ...model, facts: null } }, { model, messages: 'go' }, { model, messages: [] }, { model, messages: [], tools: [], hooks: 1 }, { model, messages: [], tools: [], maxTurns: 0 }, { model, messages: [], tools: [], maxTurns: '9' }]
    for (const input of bad) await assert.rejects(runAgentTurns(input), { code: 'invalid_arguments' })
  })
})

describe('tool choice', () => {
  const named = (name) => ({ type: 'tool', name })
  const wire = (name) => ({ type: 'function', function: { name } })

  it('sends the choice of the queue in the form of the provider, and settles it after the tools ran', async () => {
    const queue = new ToolChoiceQueue()
    let isServed
    const tool = hostTool('a', { execute: async () => ((isServed = queue.hasInFlight), { content: [] }) })
    const resolved = []
    queue.pushSequence([named('a'), 'none'], { onResolved: ({ choice }) => resolved.push(choice) })
    const { requests } = await run([calling('a')], { tools: [tool], queue })
    assert.deepEqual(requests.map(({ toolChoice }) => toolChoice), [wire('a'), 'none'])
    assert.equal(isServed, true)
    assert.deepEqual(resolved, [named('a'), 'none'])
  })

  it('rejects what is in flight when a run fails', async () => {
    const reasons = []
    for (const answer of [{ ...saying(''), stopReason: 'error' }, { ...saying(''), stopReason: 'aborted' }, () => Promise.reject(new Error('x'))]) {
      const queue = new ToolChoiceQueue()
      queue.pushOnce(named('a'), { onRejected: ({ reason }) => void reasons.push(reason) })
      await run([answer], { queue })
      assert.equal(queue.hasInFlight, false)
    }
    const queue = new ToolChoiceQueue()
    queue.pushOnce(named('a'), { onRejected: ({ reason }) => void reasons.push(reason) })
    const emit = ({ type }) => type === 'message_end' && assert.fail('host')
    await assert.rejects(run([saying('')], { queue, emit }))
    assert.deepEqual(reasons, ['error', 'aborted', 'error', 'aborted'])
  })

  it('asks once more without a forced choice that the provider refuses, and does not send it again', async () => {
    const queue = new ToolChoiceQueue()
    queue.pushSequence([named('a'), 'none'])
    const refuse = () => {
      throw Object.assign(new Error('tool_choice is not supported by this model'), { status: 400 })
    }
    const { requests, events, stopReason } = await run([refuse, calling('a'), saying('end')], { queue })
    assert.deepEqual([requests[0].toolChoice, stopReason], [wire('a'), 'stop'])
    assert.ok(requests.slice(1).every(({ toolChoice }) => toolChoice === undefined || toolChoice === 'auto'), JSON.stringify(requests.map(({ toolChoice }) => toolChoice)))
    assert.equal(events.filter(({ type }) => type === 'tool_choice_refused').length, 1)
    assert.deepEqual(queue.inspect(), [])
  })

  it('does not repeat a request that failed for another reason', async () => {
    const queue = new ToolChoiceQueue()
    queue.pushOnce(named('a'))
    const { requests, stopReason } = await run([() => Promise.reject(new Error('overloaded'))], { queue })
    assert.deepEqual([requests.length, stopReason], [1, 'error'])
  })
})

describe('malformed turns', () => {
  it('asks once without tools when refused arguments come again', async () => {
    const answers = [calling(cutOff('a', { p: 1 })), calling(cutOff('a', { p: 1 })), saying('I wanted to call a')]
    const { requests, messages } = await run(answers)
    const { tools, toolChoice, isRecovery, messages: sent } = requests[2]
    assert.deepEqual([tools, isRecovery, sent.at(-1).role, sent.at(-1).synthetic], [[], true, 'user', true])
    assert.ok(toolChoice === undefined || toolChoice === 'none')
    // What was said for one request does not stay.
    assert.ok(messages.every(({ synthetic }) => !synthetic))
    assert.equal(messages.at(-1).content[0].text, 'I wanted to call a')
  })

  it('sees a repetition within one turn, and refuses calls of the recovery', async () => {
    let runs = 0
    const tools = [hostTool('a', { execute: async () => (runs++, { content: [] }) })]
    const answers = [calling(cutOff('a'), cutOff('a')), calling('a'), calling('a')]
    const { requests, messages } = await run(answers, { tools })
    assert.deepEqual(requests.map(({ isRecovery }) => isRecovery), [false, true, false, false])
    assert.equal(runs, 1)
    assert.deepEqual(messages.filter(({ role }) => role === 'toolResult').map(({ isError }) => isError), [true, true, true, false])
  })

  it('takes nothing from the queue for a recovery', async () => {
    const queue = new ToolChoiceQueue()
    queue.pushSequence(['auto', 'none'])
    const { requests } = await run([calling(cutOff('a'), cutOff('a')), calling('a')], { queue })
    assert.equal(requests[1].isRecovery, true)
    assert.equal(requests[2].toolChoice, 'none')
  })

  it('stops after five in a row, with one recovery at most', async () => {
    const same = () => calling(cutOff('a', { p: 1 }))
    const { requests, reason, stopReason, messages } = await run(Array.from({ length: 9 }, () => same))
    assert.deepEqual(requests.map(({ isRecovery }) => isRecovery), [false, false, true, false, false, false])
    assert.deepEqual([reason, stopReason], ['malformed_calls', 'error'])
    assert.match(messages.at(-1).errorMessage, /5 turns/)
  })

  it('counts anew after a turn in which a call was right', async () => {
    let number = 0
    const bad = () => calling(cutOff('a', { number: ++number }))
    const mixed = calling(cutOff('a', {}), 'a')
    const { requests, reason } = await run([bad, bad, bad, bad, mixed, bad, bad, bad, bad, saying('end')])
    assert.deepEqual([requests.length, reason], [10, 'completed'])
  })
})

describe('a session of ours', () => {
  it('gives tools, queue and reminders', async () => {
    const session = await createToolSession({ ...testSession(), toolNames: ['read'], tools: [hostTool('mine')], model: facts })
    session.steer({ customType: 'note', content: 'remember this' })
    session.getToolChoiceQueue().pushOnce({ type: 'tool', name: 'mine' })
    const { requests, messages } = await run([calling('mine')], { session })
    assert.ok(requests[0].tools.some(({ name }) => name === 'mine'))
    assert.deepEqual(requests[0].messages.at(-1).content[0].text, 'remember this')
    assert.equal(messages[0].customType, 'note')
    assert.deepEqual(requests[0].toolChoice, { type: 'function', function: { name: 'mine' } })
  })
})
