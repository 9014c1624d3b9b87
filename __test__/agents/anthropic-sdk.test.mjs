// examples/agents/anthropic-sdk.mjs: the official SDK's runner of tools.

import { describe } from 'node:test'

import Anthropic from '@anthropic-ai/sdk'
import { runTask } from '../../examples/agents/anthropic-sdk.mjs'
import { testAdapter } from './suite.mjs'
import { messages } from './wires.mjs'

describe('the Anthropic SDK', () => {
  for (const stream of [false, true]) {
    testAdapter(`messages, ${stream ? 'streamed' : 'whole'}`, {
      model: () => ({ api: 'anthropic-messages', provider: 'anthropic', baseUrl: '', id: 'scripted' }),
      wire: messages,
      picture: /"media_type":"image\/png"/,
      async ask(origin, tools, prompt, signal) {
        const client = new Anthropic({ baseURL: origin, apiKey: 'none', maxRetries: 0 })
        const conversation = await runTask(client, tools, { model: 'scripted', max_tokens: 1000, messages: [{ role: 'user', content: prompt }], stream, signal })
        return conversation.at(-1).content[0].text
      },
    })
  }
})
