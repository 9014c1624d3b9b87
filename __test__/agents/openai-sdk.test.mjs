// examples/agents/openai-sdk.mjs and openai-responses.mjs: the official SDK, with its runner of tools and without.

import assert from 'node:assert/strict'
import { describe } from 'node:test'

import OpenAI from 'openai'
import * as viaResponses from '../../examples/agents/openai-responses.mjs'
import * as viaCompletions from '../../examples/agents/openai-sdk.mjs'
import { testAdapter } from './suite.mjs'
import { completions, responses } from './wires.mjs'

const clientAt = (origin) => new OpenAI({ baseURL: `${origin}/v1`, apiKey: 'none', maxRetries: 0 })
const said = (content) => [{ role: 'user', content }]

describe('the OpenAI SDK', () => {
  for (const stream of [false, true]) {
    const how = stream ? 'streamed' : 'whole'

    testAdapter(`chat completions, ${how}`, {
      model: () => ({ api: 'openai-completions', provider: 'openai', baseUrl: '', id: 'scripted' }),
      wire: completions,
      picture: /data:image\/png;base64/,
      async ask(origin, tools, prompt, signal) {
        const conversation = await viaCompletions.runTask(clientAt(origin), tools, { model: 'scripted', messages: said(prompt), stream, signal })
        return conversation.at(-1).content
      },
      also: ([{ tools }]) => checkStrict(tools.map(({ function: { name, strict } }) => ({ name, strict }))),
    })

    testAdapter(`responses, ${how}`, {
      model: () => ({ api: 'openai-responses', provider: 'openai', baseUrl: '', id: 'scripted' }),
      wire: responses,
      picture: /"input_image","image_url":"data:image\/png;base64/,
      async ask(origin, tools, prompt, signal) {
        const conversation = await viaResponses.runTask(clientAt(origin), tools, { model: 'scripted', input: said(prompt), stream, signal })
        return conversation.at(-1).content[0].text
      },
      also: ([{ tools }]) => checkStrict(tools),
    })
  }
})

/** Arguments are enforced where the tool's schema has such a form. */
function checkStrict(tools) {
  const { read, bash } = Object.fromEntries(tools.map(({ name, strict }) => [name, strict]))
  assert.deepEqual({ read, bash }, { read: true, bash: false })
}
