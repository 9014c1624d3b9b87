// What every adapter must do: bring the task to its end, and end a search when the caller aborts.

import assert from 'node:assert/strict'
import { it } from 'node:test'

import { scriptedModel } from './server.mjs'
import { check, longSearch, project, script, session } from './task.mjs'

/**
 * @typedef {object} Adapter
 * @property {(origin: string) => object} model what the session is told of its model
 * @property {import('./wires.mjs').Wire} wire
 * @property {(origin: string, tools: any, prompt: string, signal?: AbortSignal) => Promise<string>} ask runs a prompt to its end; the last text
 * @property {RegExp} picture how the picture arrives at the model
 * @property {(requests: any[]) => void} [also] what else must be true of the task's requests
 */

/**
 * The two tests of an adapter.
 * @param {string} title
 * @param {Adapter} adapter
 */
export function testAdapter(title, { model, wire, ask, picture, also }) {
  it(`${title}: a task runs to its end`, () =>
    inProject(model, async ({ directory, tools, steps, requests, origin }) => {
      steps.push(...script(tools, wire))
      assert.equal(await ask(origin, tools, 'Make it friendlier.'), 'finished')
      assert.match(JSON.stringify(requests.at(-1)), picture)
      check(directory, requests)
      also?.(requests)
    }))

  it(`${title}: an abort ends a search`, () =>
    inProject(model, async ({ directory, tools, steps, requests, origin }) => {
      const controller = new AbortController()
      const search = longSearch(directory, tools, () => controller.abort())
      steps.push(() => ({ calls: [search.call] }))
      await assert.rejects(ask(origin, tools, 'Search.', controller.signal), /abort/i)
      assert.equal(requests.length, 1)
      await search.checkAborted()
    }))
}

/** A project, a session in it, and a scripted model without steps yet; all gone afterwards. */
async function inProject(model, use) {
  const { directory, remove } = project()
  const steps = []
  const { origin, requests, close } = await scriptedModel(steps)
  try {
    await use({ directory, tools: await session(directory, model(origin)), steps, requests, origin })
  } finally {
    close()
    remove()
  }
}
