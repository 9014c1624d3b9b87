// examples/agents/ai-sdk.mjs: generateText and streamText, with an OpenAI-compatible provider.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, stepCountIs, streamText } from 'ai'
import { aiTools } from '../../examples/agents/ai-sdk.mjs'
import { testAdapter } from './suite.mjs'
import { project, session } from './task.mjs'
import { completions } from './wires.mjs'

const facts = () => ({ api: 'openai-completions', provider: 'scripted', baseUrl: '', id: 'scripted' })
const modelAt = (origin) => createOpenAICompatible({ name: 'scripted', baseURL: `${origin}/v1` }).chatModel('scripted')

describe('the AI SDK', () => {
  for (const [title, run] of Object.entries({ generateText, streamText })) {
    testAdapter(title, {
      model: facts,
      wire: completions,
      // The provider would send a picture as text.
      picture: /an image, image\/png/,
      async ask(origin, tools, prompt, abortSignal) {
        const result = await run({ model: modelAt(origin), prompt, stopWhen: stepCountIs(30), maxRetries: 0, abortSignal, ...aiTools(tools, { images: false }) })
        return result.text
      },
    })
  }

  it('gives pictures to providers that take them', async () => {
    const { directory, remove } = project()
    try {
      const { read } = aiTools(await session(directory, facts())).tools
      const output = await read.execute({ path: 'pixel.png' }, { toolCallId: 'a', messages: [] })
      const { type, value } = await read.toModelOutput({ toolCallId: 'a', input: {}, output })
      assert.equal(type, 'content')
      assert.ok(value.some(({ type, mediaType }) => type === 'image-data' && mediaType === 'image/png'))
    } finally {
      remove()
    }
  })
})
