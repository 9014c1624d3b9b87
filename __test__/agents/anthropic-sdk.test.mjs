// examples/agents/anthropic-sdk.mjs: the official SDK's runner of tools.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import Anthropic from '@anthropic-ai/sdk'
import { runTask } from '../../examples/agents/anthropic-sdk.mjs'
import { scriptedModel } from './server.mjs'
import { anthropicMessages, check, longSearch, project, script, session } from './task.mjs'

const facts = { api: 'anthropic-messages', provider: 'anthropic', baseUrl: '', id: 'scripted' }

describe('the Anthropic SDK', () => {
  let directory
  let remove
  before(() => ({ directory, remove } = project()))
  after(() => remove())

  const ask = (origin, tools, text, signal) =>
    runTask(new Anthropic({ baseURL: origin, apiKey: 'none', maxRetries: 0 }), tools, { model: 'scripted', max_tokens: 1000, messages: [{ role: 'user', content: text }], signal })

  it('runs a task to its end', async () => {
    const tools = await session(directory, facts)
    const model = await scriptedModel(script(tools, anthropicMessages))
    try {
      const messages = await ask(model.origin, tools, 'Make it friendlier.')
      assert.deepEqual(messages.at(-1).content, [{ type: 'text', text: 'finished' }])
      assert.match(JSON.stringify(model.requests.at(-1).messages), /"media_type":"image\/png"/)
      check(directory, model.requests)
    } finally {
      model.close()
    }
  })

  it('an abort ends a search', async () => {
    const tools = await session(directory, facts)
    const controller = new AbortController()
    const search = longSearch(directory, tools, () => controller.abort())
    const model = await scriptedModel([() => ({ calls: [search.call] })])
    try {
      await assert.rejects(ask(model.origin, tools, 'Search.', controller.signal), /abort/i)
      assert.equal(model.requests.length, 1)
      await search.checkAborted()
    } finally {
      model.close()
    }
  })
})
