// Tool choice through the public API. What is decided is tested in the engine; here it is what callers see.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { beforeEach, describe, it } from 'node:test'
import { Worker } from 'node:worker_threads'

import * as core from '../../src/js/index.js'

const model = (members = {}) => ({ api: 'openai-completions', provider: 'p', baseUrl: 'https://h.example/v1', id: 'm', ...members })
const named = (name) => ({ type: 'tool', name })
const read = { name: 'read', execute() {} }
const write = { name: 'write', execute() {} }

beforeEach(() => core.clearToolChoiceIncapabilityRegistryForTests())

describe('resolveToolChoice', () => {
  it('gives the very request back, and says whose it is', () => {
    const requested = { type: 'function', function: { name: 'read' } }
    const result = core.resolveToolChoice(model(), requested)
    assert.equal(result.requestedChoice, requested)
    assert.equal(result.resolvedChoice, requested)
    assert.deepEqual([result.targetToolName, result.registryKey], ['read', 'openai-completions|p|https://h.example/v1|m'])
    assert.equal('reason' in result, false)
  })

  it('keeps any text as a target', () => {
    for (const name of ['a\nb', 'a|b', 'café 읽기', '"', '\\n']) {
      assert.equal(core.resolveToolChoice(model(), named(name)).targetToolName, name)
    }
  })

  it('lets a compat argument replace the model\'s own', () => {
    const bound = model({ compat: { supportsToolChoice: false } })
    assert.equal(core.resolveToolChoice(bound, 'any').support, 'none')
    assert.equal(core.resolveToolChoice(bound, 'any', {}).support, 'named')
  })

  it('names the argument that does not fit', () => {
    const cases = [
      [() => core.resolveToolChoice(undefined, 'auto'), 'model'],
      [() => core.resolveToolChoice(model({ api: 3 }), 'auto'), 'model.api'],
      [() => core.resolveToolChoice(model({ baseUrl: undefined }), 'auto'), 'model.baseUrl'],
      [() => core.resolveToolChoice(model(), 'sometimes'), 'requested'],
      [() => core.resolveToolChoice(model(), '{"type":"tool","name":"read"}'), 'requested'],
      [() => core.resolveToolChoice(model(), null), 'requested'],
      [() => core.resolveToolChoice(model(), { type: 'tool', name: 3 }), 'requested'],
      [() => core.resolveToolChoice(model(), 'auto', { toolChoiceSupport: 'much' }), 'compat.toolChoiceSupport'],
      [() => core.deriveToolChoiceSupport({ supportsToolChoice: 'no' }), 'compat.supportsToolChoice'],
      [() => core.deriveToolChoiceSupport(3), 'compat'],
      [() => core.buildNamedToolChoiceResult('', model()), 'toolName'],
      [() => core.buildNamedToolChoice(3), 'toolName'],
      [() => core.markToolChoiceIncapability(model(), 'less'), 'maxSupport'],
      [() => core.markToolChoiceIncapability(model(), 'auto', 3), 'reason'],
      [() => core.isClaudeForcedToolChoiceIncapableModelId(undefined), 'modelId'],
      [() => core.classifyToolChoiceRefusal(new Error('x'), 'maybe'), 'sent'],
      [() => core.mapToOllamaToolChoice('auto', undefined), 'tools'],
      [() => core.mapToGoogleToolChoice('auto', { tools: [{}] }), 'tools[0].name'],
      [() => core.planToolChoice(model(), 'auto', [read], { thinking: 'deeply' }), 'options.thinking'],
    ]
    for (const [call, path] of cases) {
      assert.throws(call, ({ code, context }) => code === 'invalid_arguments' && context.issues[0].path === path, path)
    }
    assert.equal(core.getToolChoiceCapabilityOverride(model()), undefined)
  })
})

describe('what was learnt', () => {
  it('is known to every worker of the process', async () => {
    core.markToolChoiceIncapability(model(), 'required')
    const entry = new URL('../../src/js/index.js', import.meta.url).href
    const source = `
      import { parentPort } from 'node:worker_threads'
      import { getToolChoiceCapabilityOverride, markToolChoiceIncapability } from ${JSON.stringify(entry)}
      const model = ${JSON.stringify(model())}
      const known = getToolChoiceCapabilityOverride(model)
      markToolChoiceIncapability(model, 'auto')
      parentPort.postMessage(known)
    `
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`))
    const [known] = await once(worker, 'message')
    await worker.terminate()
    assert.equal(known, 'required')
    assert.equal(core.getToolChoiceCapabilityOverride(model()), 'auto')
  })

  it('comes from lasting refusals alone', () => {
    const refused = (message) => Object.assign(new Error(message), { status: 400 })
    const { cap, lasting } = core.recordToolChoiceRefusal(model(), refused('Thinking mode does not support this tool_choice'), named('read'))
    assert.deepEqual([cap, lasting], ['auto', false])
    core.recordToolChoiceRefusal(model(), refused("Tool choice 'read' not found in 'tools' parameter"), named('read'))
    assert.equal(core.getToolChoiceCapabilityOverride(model()), undefined)
    core.recordToolChoiceRefusal(model(), refused("Invalid tool_choice type: 'object'. Supported string values: none, auto, required"), named('read'))
    assert.equal(core.getToolChoiceCapabilityOverride(model()), 'required')
  })
})

describe('refusals', () => {
  const message = 'tool_choice is not supported by this model'

  it('are read from whatever shape an error has', () => {
    const cyclic = { status: 400, message }
    cyclic.cause = cyclic
    const errors = [
      Object.assign(new Error(message), { status: 400 }),
      Object.assign(new Error(message), { statusCode: '400' }),
      Object.assign(new Error('400'), { status: 400, error: { message } }),
      Object.assign(new Error('Bad Request'), { response: { status: 400 }, responseBody: JSON.stringify({ message }) }),
      new Error('request failed', { cause: Object.assign(new Error(message), { status: 400 }) }),
      `HTTP 400: ${message}`,
      cyclic,
    ]
    for (const error of errors) assert.equal(core.classifyToolChoiceRefusal(error).kind, 'incapable', String(error))
  })

  it('are no refusals where nothing is said', () => {
    const hostile = { status: NaN, message: Symbol.iterator, error: 10n, body: () => {} }
    const trap = new Proxy({}, { get: () => { throw new Error('no') } })
    const halves = { status: '\ud800', message: `\ud800${'x'.repeat(5_000_000)}`, body: '\udc00' }
    for (const error of [undefined, null, 3, {}, [], Symbol('x'), hostile, trap, halves]) {
      assert.equal(core.classifyToolChoiceRefusal(error).kind, 'other')
      assert.equal(core.isForcedToolChoiceUnsupportedError(error, true), false)
    }
  })
})

describe('wire forms', () => {
  it('map nothing for what is no choice', () => {
    const maps = [
      core.mapToOpenAICompletionsToolChoice,
      core.mapToOpenAIResponsesToolChoice,
      core.mapToAnthropicToolChoice,
      core.mapToBedrockToolChoice,
      core.mapToGoogleToolChoice,
    ]
    const cyclic = {}
    cyclic.self = cyclic
    for (const map of maps) {
      for (const choice of [undefined, null, '', 'sometimes', 3, {}, named(''), { type: 'hammer', name: 'x' }, cyclic]) {
        assert.equal(map(choice), undefined, map.name)
      }
    }
    assert.equal(core.isForcedToolChoice(cyclic), false)
    assert.equal(core.isForcedToolChoice(undefined), false)
  })

  it('name exactly on Gemini, and narrow the list where a server knows no names', () => {
    assert.deepEqual(core.mapToGoogleToolChoice(named('write')), { mode: 'ANY', allowedFunctionNames: ['write'] })
    assert.deepEqual(core.mapToOllamaToolChoice(named('write'), [read, write]), { toolChoice: 'required', tools: [write] })
    assert.deepEqual(core.mapToOllamaToolChoice('none', [read, write]), { toolChoice: 'none', tools: [] })
    assert.deepEqual(core.mapToWordsToolChoice(named('gone'), [read, write]), { tools: [read, write] })
    assert.equal(core.mapToWordsToolChoice(named('write'), [read, write]).tools[0], write)
  })
})

describe('plans of a turn', () => {
  const forced = (name) => {
    const queue = new core.ToolChoiceQueue()
    queue.pushSequence([named(name), 'none'], { label: 'force' })
    return queue
  }

  it('serve a named choice by a narrowed list where the server knows words only', () => {
    const tools = [read, write]
    for (const members of [{ compat: { toolChoiceSupport: 'required' } }, { provider: 'llama.cpp' }, { provider: 'LM Studio' }, { api: 'ollama-chat' }]) {
      const plan = core.planTurnToolChoice({ model: model(members), tools, queue: forced('write') })
      assert.deepEqual([plan.toolChoice, plan.tools, plan.source], ['required', [write], 'queue'])
    }
    core.forceToolForUser(new core.ToolChoiceQueue(), 'write', { model: model({ api: 'ollama-chat' }), tools })
  })

  it('never send a forced choice together with a thinking budget, and say so', () => {
    const queue = forced('write')
    const plan = core.planTurnToolChoice({ model: model({ api: 'anthropic-messages' }), tools: [read, write], queue, thinking: 'manual' })
    assert.equal(core.isForcedToolChoice(plan.toolChoice), false)
    assert.deepEqual([plan.degradedLabel, plan.resolved.reasonCode], ['force', 'thinking'])
    assert.match(plan.reminder, /`write`/)
    assert.deepEqual([queue.hasInFlight, queue.inspect()], [false, []])
  })

  it('degrade a name that is not active', () => {
    const queue = forced('gone')
    const plan = core.planTurnToolChoice({ model: model(), tools: [read], queue, staticChoice: 'any' })
    assert.deepEqual([plan.degradedLabel, queue.consumeLastDropped().reason], ['force', '`gone` is not active'])
    assert.equal(core.planTurnToolChoice({ model: model(), tools: [read], queue, staticChoice: named('gone') }).resolved.requestedChoice, undefined)
    assert.equal(core.planTurnToolChoice({ model: model(), tools: [read], queue, staticChoice: 'any' }).toolChoice, 'required')
  })

  it('ask for the internal name of a tool known by its wire name', () => {
    const edit = { name: 'edit', customFormat: {}, customWireName: 'apply_patch' }
    const plan = core.planTurnToolChoice({ model: model({ api: 'openai-responses' }), tools: [edit], queue: forced('apply_patch'), freeformTools: true })
    assert.deepEqual(plan.toolChoice, { type: 'custom', name: 'apply_patch' })
    assert.equal(plan.resolved.targetToolName, 'edit')
  })

  it('plan the same choice again after a refusal, at the level that remains', () => {
    const queue = forced('write')
    const input = { model: model(), tools: [read, write], queue }
    const first = core.planTurnToolChoice(input)
    assert.equal(first.toolChoice.function.name, 'write')
    const refused = Object.assign(new Error("Invalid tool_choice type: 'object'. Supported string values: none, auto, required"), { status: 400 })
    core.recordToolChoiceRefusal(input.model, refused, named('write'))
    const second = core.planTurnToolChoice(input)
    assert.deepEqual([second.toolChoice, second.tools, queue.hasInFlight], ['required', [write], true])
  })

  for (const [what, stop] of [['ran', 'toolUse'], ['was denied', 'stop']]) {
    it(`force a call once: after the tool ${what} the choice is the model's`, () => {
      const queue = new core.ToolChoiceQueue()
      queue.pushOnce(named('read'), { onRejected: () => 'requeue' })
      assert.equal(core.planTurnToolChoice({ model: model(), tools: [read], queue }).toolChoice.function.name, 'read')
      core.finishTurnToolChoice(queue, stop)
      assert.equal(core.isForcedToolChoice(core.planTurnToolChoice({ model: model(), tools: [read], queue }).toolChoice), false)
    })
  }

  it('make up for an aborted turn of a user\'s force, and end with none', () => {
    const queue = new core.ToolChoiceQueue()
    const input = { model: model(), tools: [read], queue }
    core.forceToolForUser(queue, 'read', input)
    core.planTurnToolChoice(input)
    core.finishTurnToolChoice(queue, 'aborted')
    assert.equal(core.planTurnToolChoice(input).toolChoice.function.name, 'read')
    core.finishTurnToolChoice(queue, 'toolUse')
    assert.equal(queue.consumeLastServedLabel(), 'user-force')
    assert.equal(core.planTurnToolChoice(input).toolChoice, 'none')
  })

  it('refuse to force what cannot be', () => {
    const queue = new core.ToolChoiceQueue()
    const unable = model({ compat: { supportsForcedToolChoice: false } })
    assert.throws(() => core.forceToolForUser(queue, 'gone', { model: model(), tools: [read] }), { code: 'tool_unavailable' })
    assert.throws(() => core.forceToolForUser(queue, 'read', { model: unable, tools: [read] }), { code: 'tool_unavailable' })
    assert.deepEqual(queue.inspect(), [])
  })

  it('take nothing from the queue when the input is bad', () => {
    const queue = forced('read')
    const calls = [
      () => core.planTurnToolChoice(undefined),
      () => core.planTurnToolChoice({ model: {}, tools: [read], queue }),
      () => core.planTurnToolChoice({ model: model(), queue }),
      () => core.planTurnToolChoice({ model: model(), tools: [read], queue, staticChoice: 'sometimes' }),
      () => core.planTurnToolChoice({ model: model(), tools: [read], queue: [] }),
      () => core.finishTurnToolChoice(undefined),
      () => core.forceToolForUser(queue, 'read'),
      () => core.forceToolForUser(queue, 3, { model: model(), tools: [read] }),
      () => core.forceToolForUser({}, 'read', { model: model(), tools: [read] }),
    ]
    for (const call of calls) assert.throws(call, { code: 'invalid_arguments' }, String(call))
    assert.deepEqual(queue.inspect(), ['force'])
    assert.equal(queue.hasInFlight, false)
  })
})
