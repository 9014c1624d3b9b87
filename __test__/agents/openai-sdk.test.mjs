// examples/agents/openai-sdk.mjs: the official SDK's runner of tools.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import OpenAI from 'openai'
import { runTask } from '../../examples/agents/openai-sdk.mjs'
import { scriptedModel } from './server.mjs'
import { check, completions, longSearch, project, script, session } from './task.mjs'

const facts = { api: 'openai-completions', provider: 'openai', baseUrl: '', id: 'scripted' }

describe('the OpenAI SDK', () => {
  let directory
  let remove
  before(() => ({ directory, remove } = project()))
  after(() => remove())

  it('runs a task to its end', async () => {
    const tools = await session(directory, facts)
    const model = await scriptedModel(script(tools, completions))
    try {
      const client = new OpenAI({ baseURL: `${model.origin}/v1`, apiKey: 'none', maxRetries: 0 })
      const messages = await runTask(client, tools, { model: 'scripted', messages: [{ role: 'user', content: 'Make it friendlier.' }] })
      assert.equal(messages.at(-1).content, 'finished')
      assert.match(JSON.stringify(model.requests.at(-1).messages), /data:image\/png;base64/)
      const { read, bash } = Object.fromEntries(model.requests[0].tools.map(({ function: { name, strict } }) => [name, strict]))
      assert.deepEqual({ read, bash }, { read: true, bash: false })
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
      const client = new OpenAI({ baseURL: `${model.origin}/v1`, apiKey: 'none', maxRetries: 0 })
      await assert.rejects(runTask(client, tools, { model: 'scripted', messages: [{ role: 'user', content: 'Search.' }], signal: controller.signal }), /abort/i)
      assert.equal(model.requests.length, 1)
      await search.checkAborted()
    } finally {
      model.close()
    }
  })
})
