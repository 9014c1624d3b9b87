// One task of eleven calls, told apart from the SDK that runs it: its files, its script, and what must be true afterwards.

import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createToolSession } from '../../src/js/index.js'

/** A red pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='

/** A directory with a program, its documents and a picture. */
export function project() {
  const directory = mkdtempSync(join(tmpdir(), 'task-'))
  mkdirSync(join(directory, 'docs'))
  writeFileSync(join(directory, 'greet.mjs'), "// TODO: a friendlier word\nconsole.log('Hello')\n")
  writeFileSync(join(directory, 'docs/guide.md'), '# Guide\n')
  writeFileSync(join(directory, 'pixel.png'), Buffer.from(PNG, 'base64'))
  return { directory, remove: () => rmSync(directory, { recursive: true, force: true }) }
}

/**
 * A session for the task: `find` is there to be discovered.
 * @param {string} cwd
 * @param {object} model
 * @param {Record<string, unknown>} [more]
 */
export function session(cwd, model, more = {}) {
  const settings = { 'tools.essentialOverride': ['read', 'search', 'edit', 'bash'], 'edit.mode': 'replace', ...more }
  return createToolSession({ cwd, model, settings: { get: (key) => settings[key] } })
}

/**
 * The script.
 * @param {any} tools the session
 * @param {import('./wires.mjs').Wire} wire
 */
export function script(tools, wire) {
  const last = (request) => wire.results(request).at(-1).text
  const call = (name, args) => ({ calls: [{ name, arguments: args }] })
  return [
    (request) => {
      assert.ok(!wire.toolNames(request).includes('find'), 'find waits to be discovered')
      return call('search', { pattern: 'TODO', paths: ['.'] })
    },
    (request) => {
      assert.match(last(request), /greet\.mjs/)
      return call('read', { path: 'greet.mjs:raw' })
    },
    (request) => {
      assert.match(last(request), /console\.log\('Hello'\)/)
      // Two changes of one file at once: each alone, in order.
      return {
        calls: [
          { name: 'edit', arguments: { path: 'greet.mjs', edits: [{ old_text: 'Hello', new_text: 'Good morning' }] } },
          { name: 'edit', arguments: { path: 'greet.mjs', edits: [{ old_text: 'Good morning', new_text: 'Good evening' }] } },
        ],
      }
    },
    () => call('bash', { command: 'cat greet.mjs' }),
    (request) => {
      assert.match(last(request), /Good evening/)
      return call('search_tool_bm25', { query: 'find files by name' })
    },
    (request) => {
      assert.ok(wire.toolNames(request).includes('find'), 'find was discovered')
      return call('find', { paths: ['**/*.md'] })
    },
    (request) => {
      assert.match(last(request), /guide\.md/)
      // Arguments that are nearly right: a number as text.
      tools.getToolChoiceQueue().pushOnce({ type: 'tool', name: 'read' }, { label: 'verify' })
      return call('bash', { command: 'echo checked', timeout: '30' })
    },
    (request) => {
      assert.match(last(request), /checked/)
      assert.equal(wire.forced(request), 'read')
      return call('read', { path: 'pixel.png' })
    },
    (request) => {
      assert.equal(wire.forced(request), undefined)
      return call('read', { path: 'missing.txt' })
    },
    (request) => {
      const { text, isError } = wire.results(request).at(-1)
      assert.match(text, /missing\.txt/)
      if (isError !== undefined) assert.equal(isError, true)
      return call('search', { pattern: 7, paths: [] })
    },
    (request) => {
      assert.match(last(request), /pattern|paths/)
      return { text: 'finished' }
    },
  ]
}

/** What the task must have done. @param {string} directory */
export function check(directory, requests) {
  assert.equal(requests.length, 11)
  assert.match(readFileSync(join(directory, 'greet.mjs'), 'utf8'), /Good evening/)
}

/**
 * A search that is long at work, and what becomes of it: `abort` is called once it runs.
 * @param {string} directory
 * @param {any} tools the session
 * @param {() => void} abort
 */
export function longSearch(directory, tools, abort) {
  const words = Array.from({ length: 200_000 }, (_, index) => `word${index % 977}`).join(' ')
  for (let index = 0; index < 12; index++) writeFileSync(join(directory, `long-${index}.txt`), `${words}\n`.repeat(2))
  const running = []
  const { runCall } = tools
  tools.runCall = (...call) => {
    setTimeout(abort, 20)
    running.push(runCall.apply(tools, call))
    return running.at(-1)
  }
  return {
    call: { name: 'search', arguments: { pattern: '(?:\\w+[ \\n]){5,200}[^\\w\\s]', paths: ['.'] } },
    // Some SDKs do not wait for a call that they gave up.
    async checkAborted() {
      const [{ isError, content }, ...others] = await Promise.all(running)
      assert.equal(others.length, 0)
      assert.equal(isError, true)
      assert.match(content[0].text, /abort/)
    },
  }
}
