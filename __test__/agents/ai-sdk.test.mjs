// examples/agents/ai-sdk.mjs: generateText and streamText, with an OpenAI-compatible provider.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, stepCountIs, streamText } from 'ai'
import { aiTools } from '../../examples/agents/ai-sdk.mjs'
import { scriptedModel } from './server.mjs'
import { check, completions, longSearch, project, script, session } from './task.mjs'

const facts = { api: 'openai-completions', provider: 'scripted', baseUrl: '', id: 'scripted' }
const modelAt = (origin) => createOpenAICompatible({ name: 'scripted', baseURL: `${origin}/v1` }).chatModel('scripted')

describe('the AI SDK', () => {
  let directory
  let remove
  before(() => ({ directory, remove } = project()))
  after(() => remove())

  for (const [name, ask] of [
    ['generateText', async (options) => (await generateText(options)).text],
    ['streamText', async (options) => (await streamText(options)).text],
  ]) {
    it(`${name} runs a task to its end`, async () => {
      const { directory, remove } = project()
      const tools = await session(directory, facts)
      const model = await scriptedModel(script(tools, completions))
      try {
        // The provider would send a picture as text.
        const text = await ask({ model: modelAt(model.origin), prompt: 'Make it friendlier.', stopWhen: stepCountIs(30), maxRetries: 0, ...aiTools(tools, { images: false }) })
        assert.equal(text, 'finished')
        assert.match(JSON.stringify(model.requests.at(-1).messages), /an image, image\/png/)
        check(directory, model.requests)
      } finally {
        model.close()
        remove()
      }
    })
  }

  it('gives pictures to providers that take them', async () => {
    const tools = await session(directory, facts)
    const { read } = aiTools(tools).tools
    const output = await read.execute({ path: 'pixel.png' }, { toolCallId: 'a', messages: [] })
    const { type, value } = await read.toModelOutput({ toolCallId: 'a', input: {}, output })
    assert.equal(type, 'content')
    assert.ok(value.some(({ type, mediaType }) => type === 'image-data' && mediaType === 'image/png'))
  })

  it('an abort ends a search', async () => {
    const tools = await session(directory, facts)
    const controller = new AbortController()
    const search = longSearch(directory, tools, () => controller.abort())
    const model = await scriptedModel([() => ({ calls: [search.call] })])
    try {
      const run = generateText({ model: modelAt(model.origin), prompt: 'Search.', stopWhen: stepCountIs(30), maxRetries: 0, abortSignal: controller.signal, ...aiTools(tools) })
      await assert.rejects(run, /abort/i)
      assert.equal(model.requests.length, 1)
      await search.checkAborted()
    } finally {
      model.close()
    }
  })
})
