// The terminal of a command, as a host has it.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { BashTool, BUILTIN_TOOLS } from '../../src/js/index.js'
import { testSession } from './session.mjs'

const isWindows = process.platform === 'win32'

/** A host that shows terminals: what is on them, and what a person does once a text is there. */
function host(members = {}) {
  const terminals = []
  const session = testSession({
    hasUI: true,
    openTerminal(terminal) {
      const shown = { terminal, screen: '', ends: 0 }
      terminals.push(shown)
      return {
        output(bytes) {
          shown.screen += Buffer.from(bytes).toString('latin1')
          shown.onOutput?.()
        },
        end() {
          shown.ends++
          shown.onEnd?.()
        },
      }
    },
    ...members,
  })
  return { terminals, session, run: (params) => new BashTool(session).execute('id', params) }
}

async function until(isSo) {
  for (let tries = 0; !isSo(); tries++) {
    assert.ok(tries < 3_000, 'it never happened')
    await new Promise((done) => setTimeout(done, 10))
  }
}

describe('a command with a terminal', { skip: isWindows }, () => {
  it('is shown, typed into and resized', async () => {
    const { terminals, run } = host()
    const call = run({ command: 'echo ready; read x; echo "got $x"; stty size', pty: true })
    await until(() => terminals[0]?.screen.includes('ready'))
    const [{ terminal }] = terminals
    terminal.resize(70, 20)
    assert.equal(terminal.write('hello\n'), true)
    const { content, details } = await call
    assert.match(content[0].text, /got hello\n20 70\n/)
    assert.equal(details.terminalId, terminal.id)
    await until(() => terminals[0].ends > 0)
    assert.match(terminals[0].screen, /got hello\r\n20 70\r\n/)
    assert.equal(terminal.write('late'), false)
    assert.throws(() => terminal.resize(0, 5), { code: 'invalid_arguments' })
    assert.throws(() => terminal.write(/** @type {any} */ (5)), { code: 'invalid_arguments' })
  })

  it('goes on with it in the background', async () => {
    const { terminals, session, run } = host({ settings: { 'async.enabled': true } })
    const { details } = await run({ command: 'echo ready; read x; echo "got $x"', pty: true, async: true })
    assert.equal(details.async.state, 'running')
    await until(() => terminals[0]?.screen.includes('ready'))
    terminals[0].terminal.write('later\n')
    await until(() => terminals[0].ends > 0)
    assert.match(terminals[0].screen, /got later/)
    assert.equal(details.terminalId, terminals[0].terminal.id)
    assert.ok(session)
  })

  it('is not hurt by a host that fails', async () => {
    const failing = { output() { throw new Error('no') }, end() { throw new Error('no') } }
    for (const openTerminal of [() => { throw new Error('no') }, () => failing, () => undefined]) {
      const { content } = await host({ openTerminal }).run({ command: 'echo fine', pty: true })
      assert.equal(content[0].text, 'fine\n')
    }
  })

  it('is there only where it was asked for, and ran', async () => {
    const { terminals, run } = host()
    await run({ command: 'echo x' })
    await assert.rejects(run({ command: 'echo x', pty: true, cwd: 'not-there' }), { code: 'cwd_not_found' })
    const unseen = host({ hasUI: false })
    await unseen.run({ command: 'echo x', pty: true })
    assert.equal(terminals.length + unseen.terminals.length, 0)
  })
})

describe('the text of bash', () => {
  it('follows the setting of a shared state', async () => {
    const settings = { 'bash.persistentSession': false }
    const tool = await BUILTIN_TOOLS.bash(testSession({ settings }))
    assert.match(tool.description, /fresh shell/)
    settings['bash.persistentSession'] = true
    assert.doesNotMatch(tool.description, /fresh shell/)
    assert.equal({ ...tool }.description, tool.description)
    const restricted = new BashTool(testSession({ settings, bashProfile: 'read-only' }))
    assert.match(restricted.description, /fresh shell/)
  })
})
