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
 * The script. `view` reads a request of the wire format: the names of its tools, what it forces, and its results so far as
 * `{ text, isError, images }`, `isError` undefined where the format cannot say it.
 * @param {any} tools the session
 * @param {{ toolNames(request: any): string[], forced(request: any): string | undefined, results(request: any): { text: string, isError?: boolean }[] }} view
 */
export function script(tools, view) {
  const last = (request) => view.results(request).at(-1).text
  const call = (name, args) => ({ calls: [{ name, arguments: args }] })
  return [
    (request) => {
      assert.ok(!view.toolNames(request).includes('find'), 'find waits to be discovered')
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
      assert.ok(view.toolNames(request).includes('find'), 'find was discovered')
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
      assert.equal(view.forced(request), 'read')
      return call('read', { path: 'pixel.png' })
    },
    (request) => {
      assert.equal(view.forced(request), undefined)
      return call('read', { path: 'missing.txt' })
    },
    (request) => {
      const { text, isError } = view.results(request).at(-1)
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

/** Chat completions, as requests show them. */
export const completions = {
  toolNames: ({ tools = [] }) => tools.map((tool) => tool.function.name),
  forced: ({ tool_choice: choice }) => choice?.function?.name,
  results: ({ messages }) => messages.filter(({ role }) => role === 'tool').map(({ content }) => ({ text: typeof content === 'string' ? content : content.map(({ text }) => text).join('') })),
}

/** Anthropic's messages, as requests show them. */
export const anthropicMessages = {
  toolNames: ({ tools = [] }) => tools.map(({ name }) => name),
  forced: ({ tool_choice: choice }) => choice?.name,
  results: ({ messages }) =>
    messages
      .flatMap(({ content }) => (Array.isArray(content) ? content : []))
      .filter(({ type }) => type === 'tool_result')
      .map(({ content, is_error: isError = false }) => ({ text: typeof content === 'string' ? content : content.map(({ text }) => text ?? '').join(''), isError })),
}
