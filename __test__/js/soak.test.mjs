// Many calls leave nothing behind, neither memory nor a listener on the signal of the run; and a process that is killed
// leaves no edit done in part.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const soak = fileURLToPath(new URL('../bench/calls-soak.mjs', import.meta.url))
const editSoak = fileURLToPath(new URL('../bench/edit-soak.mjs', import.meta.url))

test('thousands of calls leave nothing behind', { timeout: 120_000 }, () => {
  // In a process of Node, whatever runs this: memory is looked at after a collection that only Node can be told to make.
  const { status, stdout, stderr } = spawnSync('node', ['--expose-gc', soak, '10000'], { encoding: 'utf8' })
  assert.equal(status, 0, stdout + stderr)
  assert.match(stdout, /2500 of them failures on purpose/)
  assert.match(stdout, /listeners left: 0/)
})

test('of ten files that are edited together all are old or all are new after a kill', { timeout: 300_000 }, () => {
  const { status, stdout, stderr } = spawnSync('node', [editSoak, '10'], { encoding: 'utf8' })
  assert.equal(status, 0, stdout + stderr)
  assert.match(stdout, /^10 kills, .* none in part$/m)
})
