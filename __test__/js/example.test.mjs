// The example agent, with the scripted model and against a server that speaks both wire formats.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const agent = fileURLToPath(new URL('../../examples/agent.mjs', import.meta.url))
const run = (directory, env = {}) => {
  const runtime = process.versions.deno ? ['run', '-A', agent] : [agent]
  return promisify(execFile)(process.execPath, [...runtime, directory], { env: { ...process.env, ...env } })
}

const edit = { path: 'notes.md', edits: [{ old_text: 'Something', new_text: 'Considerably' }] }
const read = { path: 'notes.md:raw' }

function openaiAnswer(content, ...calls) {
  const tool_calls = calls.map(([id, name, args]) => ({ id, type: 'function', function: { name, arguments: JSON.stringify(args) } }))
  return { choices: [{ message: { role: 'assistant', content, tool_calls: calls.length > 0 ? tool_calls : undefined } }] }
}
const openaiAnswers = [openaiAnswer(null, ['a', 'edit', edit]), openaiAnswer('', ['b', 'read', read]), openaiAnswer('finished')]

function anthropicAnswer(text, ...calls) {
  const uses = calls.map(([id, name, input]) => ({ type: 'tool_use', id, name, input }))
  return { content: [...(text ? [{ type: 'text', text }] : []), ...uses] }
}
const anthropicAnswers = [anthropicAnswer('', ['a', 'edit', edit]), anthropicAnswer('ok', ['b', 'read', read]), anthropicAnswer('finished')]

describe('examples/agent.mjs', () => {
  let directory
  before(() => {
    directory = mkdtempSync(join(tmpdir(), 'example-'))
    writeFileSync(join(directory, 'notes.md'), '# Remarkable\n\nSomething considerable.\n')
  })
  after(() => rmSync(directory, { recursive: true }))

  it('runs a whole task on a copy of the directory', async () => {
    const { stdout } = await run(directory)
    for (const expected of [
      /exposed tools +read bash edit find search search_tool_bm25 goal resolve/,
      /hidden tools +ast_grep ast_edit todo_write write/,
      /find .*ok [\d.]+ ms/,
      /search .*ok [\d.]+ ms/,
      /read .*notes\.md:raw:1-8.*ok/,
      /edit .*ok/,
      /forced to call read/,
      /bash .*wc -l.*ok/,
      /read .*no\/such\/file\.txt.*error/,
      /path_not_found/,
      /Done/,
    ]) assert.match(stdout, expected)
    assert.equal(readFileSync(join(directory, 'notes.md'), 'utf8'), '# Remarkable\n\nSomething considerable.\n')
  })

  for (const [api, path, answers, forced] of [
    ['openai', '/v1', openaiAnswers, { type: 'function', function: { name: 'read' } }],
    ['anthropic', '', anthropicAnswers, { type: 'tool', name: 'read' }],
  ]) {
    it(`speaks ${api}`, async () => {
      const { requests, stdout } = await converse(directory, api, path, answers)
      assert.match(stdout, /edit .*ok/)
      assert.match(stdout, /finished/)
      assert.equal(requests.length, 3)
      assert.deepEqual(requests[1].tool_choice, forced)
      assert.match(JSON.stringify(requests[2].messages), /Considerably/)
      // A forced choice is for one turn.
      assert.notDeepEqual(requests[2].tool_choice, forced)
    })
  }

  for (const [what, answer] of [
    ['a call that is announced and not made', { choices: [{ finish_reason: 'tool_calls', message: { content: '' } }] }],
    ['a call that was malformed', { choices: [{ finish_reason: 'MALFORMED_FUNCTION_CALL', message: {} }] }],
    ['arguments that are no JSON', { choices: [{ message: { tool_calls: [{ id: 'a', function: { name: 'read', arguments: '{"pa' } }] } }] }],
  ]) {
    it(`asks once more after ${what}, then fails clearly`, async () => {
      const recovered = await converse(directory, 'openai', '/v1', [answer, openaiAnswer('finished')])
      assert.equal(recovered.code, 0)
      assert.match(recovered.stdout, /finished/)
      const lost = await converse(directory, 'openai', '/v1', [answer, answer])
      assert.equal(lost.code, 1)
      assert.equal(lost.requests.length, 2)
      assert.match(lost.stderr, /cannot be used/)
    })
  }
})

/** Runs the agent against a server that gives these answers. */
async function converse(directory, api, path, answers) {
  const requests = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += chunk))
    request.on('end', () => {
      requests.push(JSON.parse(body))
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(answers[requests.length - 1]))
    })
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const AGENT_BASE_URL = `http://127.0.0.1:${server.address().port}${path}`
  try {
    const ended = await run(directory, { AGENT_API: api, AGENT_BASE_URL, AGENT_MODEL: 'm', AGENT_API_KEY: 'k' }).catch((failure) => failure)
    return { code: ended.code ?? 0, stdout: ended.stdout, stderr: ended.stderr, requests }
  } finally {
    server.close()
  }
}
