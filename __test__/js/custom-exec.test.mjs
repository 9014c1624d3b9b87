// Programs that tool modules run: no shell, outputs apart, and nothing left behind.

import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { execCommand, resolvePath } from '../../src/js/index.js'
import { tree } from './custom-tree.mjs'

const isWindows = process.platform === 'win32'

describe('execCommand', { skip: isWindows && 'the programs of these tests are those of Unix' }, () => {
  const sh = (script, options, cwd = process.cwd()) => execCommand('sh', ['-c', script], cwd, options)

  it('hands arguments over as they are', async () => {
    const args = ['%s|', 'a b', '$HOME', '*', '`x`', "'", '', 'ü\n']
    assert.deepEqual(await execCommand('printf', args, process.cwd()), { stdout: `${args.slice(1).join('|')}|`, stderr: '', code: 0, killed: false })
  })

  it('keeps outputs apart and any exit code as a result', async () => {
    assert.deepEqual(await sh('echo out; echo err >&2; exit 3'), { stdout: 'out\n', stderr: 'err\n', code: 3, killed: false })
    assert.deepEqual(await sh('kill -KILL $$'), { stdout: '', stderr: '', code: 137, killed: false })
  })

  it('tells the time limit from an abort, and keeps what was said until then', async () => {
    assert.deepEqual(await sh('echo early; sleep 30', { timeout: 200 }), { stdout: 'early\n', stderr: '', code: 124, killed: true })
    assert.deepEqual(await sh('echo early; sleep 30', { signal: AbortSignal.timeout(200) }), { stdout: 'early\n', stderr: '', code: 130, killed: true })
  })

  it('starts nothing where the signal has fired', async (t) => {
    const { project } = tree(t)
    assert.deepEqual(await sh('touch started', { signal: AbortSignal.abort() }, project), { stdout: '', stderr: '', code: 130, killed: true })
    assert.equal(existsSync(join(project, 'started')), false)
  })

  it('ends what the program has started, too', async (t) => {
    const { project } = tree(t)
    await sh('while :; do echo tick >> ticks; sleep 0.02; done & wait', { timeout: 300 }, project)
    const ticks = () => readFileSync(join(project, 'ticks'), 'utf8').length
    const atEnd = ticks()
    await sleep(200)
    assert.equal(ticks(), atEnd)
  })

  it('waits for both outputs, also where the program is gone', async () => {
    assert.deepEqual(await sh('(sleep 0.6; echo late; echo worse >&2) & exit 5'), { stdout: 'late\n', stderr: 'worse\n', code: 5, killed: false })
  })

  it('reads what is written on both outputs at once', async () => {
    const { stdout, stderr, dropped } = await sh('yes out | head -c 400000 & yes err | head -c 400000 >&2; wait')
    assert.deepEqual([stdout.length, stderr.length, dropped], [400_000, 400_000, undefined])
  })

  it('keeps the beginning of a long output, and says how much is missing', async () => {
    const { stdout, dropped, code } = await sh('yes | head -c 30000000')
    assert.deepEqual([stdout.length, dropped, code], [10 * 1024 * 1024, { stdout: 30_000_000 - 10 * 1024 * 1024, stderr: 0 }, 0])
  })

  it('reads bytes that are no text without failing', async () => {
    assert.equal((await sh("printf 'a\\377b'")).stdout, 'a\u{FFFD}b')
  })

  it('gives the program no input, the environment of the moment, and the directory', async (t) => {
    const { project } = tree(t, { 'project/sub/x': '' })
    assert.equal((await execCommand('cat', [], project)).stdout, '')
    process.env.CUSTOM_EXEC_TEST = 'now'
    t.after(() => delete process.env.CUSTOM_EXEC_TEST)
    assert.equal((await sh('echo $CUSTOM_EXEC_TEST')).stdout, 'now\n')
    assert.equal((await execCommand('pwd', [], project, { cwd: 'sub' })).stdout, `${join(project, 'sub')}\n`)
    assert.equal((await sh('echo $PWD', { cwd: '/' }, project)).stdout, '/\n')
  })

  it('runs a program by its path, from where it runs', async (t) => {
    const { project } = tree(t, { 'project/run.sh': '#!/bin/sh\necho "$1"\n' })
    await execCommand('chmod', ['+x', 'run.sh'], project)
    assert.equal((await execCommand('./run.sh', ['here'], project)).stdout, 'here\n')
  })

  it('throws what it cannot start, by name', async (t) => {
    const { project } = tree(t, { 'project/plain': 'x' })
    const code = (expected) => (error) => error.code === expected
    await assert.rejects(execCommand('no-such-program-xyz', [], project), code('path_not_found'))
    await assert.rejects(execCommand('./plain', [], project), code('permission_denied'))
    await assert.rejects(execCommand('sh', [], project, { cwd: 'nowhere' }), code('cwd_not_found'))
    await assert.rejects(execCommand('sh', [], project, { cwd: 'plain' }), code('cwd_not_directory'))
  })

  it('refuses wrong arguments by name', async () => {
    for (const [call, path] of [
      [[1, []], 'command'],
      [['', []], 'command'],
      [['sh', 'x'], 'args'],
      [['sh', [1]], 'args[0]'],
      [['sh', ['a\0b']], 'args[0]'],
      [['sh', [], { timeout: -1 }], 'timeout'],
      [['sh', [], { timeout: 'x' }], 'timeout'],
      [['sh', [], { cwd: '' }], 'cwd'],
    ]) {
      const [command, args, options] = call
      await assert.rejects(execCommand(command, args, process.cwd(), options), (error) => JSON.stringify([error.code, error.context]).includes(`"${path}"`), path)
    }
  })

  it('leaves no listener on the signal', async () => {
    const { signal } = new AbortController()
    let listeners = 0
    const add = signal.addEventListener.bind(signal)
    const remove = signal.removeEventListener.bind(signal)
    signal.addEventListener = (...args) => ((listeners += 1), add(...args))
    signal.removeEventListener = (...args) => ((listeners -= 1), remove(...args))
    await Promise.all(Array.from({ length: 5 }, () => sh('exit 0', { signal })))
    assert.equal(listeners, 0)
  })
})

describe('resolvePath', () => {
  it('reads paths as they are configured', { skip: isWindows && 'paths look different there' }, async (t) => {
    const home = (await import('node:os')).homedir()
    for (const [path, expected] of [
      ['a/../b.ts', '/w/b.ts'],
      ['/x/y', '/x/y'],
      ['@/x/y', '/x/y'],
      ['@scoped/x', '/w/@scoped/x'],
      ['~', home],
      ['~/t.ts', join(home, 't.ts')],
      ['@~/t.ts', join(home, 't.ts')],
      ['~name', '/w/~name'],
      ['a\u{A0}b', '/w/a b'],
      ['file:///x/a%20b', '/x/a b'],
    ]) {
      assert.equal(resolvePath(path, '/w'), expected, path)
    }
    assert.throws(() => resolvePath('local://x', '/w'), (error) => error.code === 'internal_url_as_path')
    assert.throws(() => resolvePath(1, '/w'), /filePath/)
  })
})
