// What requested names can mean, where no recorded case asks.

import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { createTools } from '../../src/js/index.js'

const session = (members = {}) => ({
  cwd: tmpdir(),
  hasUI: false,
  settings: { get: () => undefined },
  getSessionFile: () => null,
  getSessionSpawns: () => null,
  ...members,
})

/** The names of what is built; `goal` and `resolve` are the last and asked for by nobody. */
const selected = async (names, members) => {
  const built = (await createTools(session(members), names)).map(({ name }) => name)
  assert.deepEqual(built.splice(-2), ['goal', 'resolve'])
  return built
}

test('blank names ask for nothing, not for everything', async () => {
  assert.deepEqual(await selected([' ']), [])
  assert.deepEqual(await selected(['', 'read']), ['read'])
  assert.ok((await selected([])).length > 3)
})

test('a blank name is unknown where unknown names are refused', async () => {
  await assert.rejects(selected(['read', ' '], { strictToolNames: true }), { code: 'unknown_tool' })
})

test('blanks around a name do not hide it', async () => {
  assert.deepEqual(await selected([' Read\n', 'read']), ['read'])
})
