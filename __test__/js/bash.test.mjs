// `bash` through the addon: results and errors as callers see them, and that neither memory nor processes pile up.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'

import { BashTool, ToolError, wrapToolWithMetaNotice } from '../../src/js/index.js'
import { testSession } from './session.mjs'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'bash-')))
after(() => rmSync(root, { recursive: true, force: true }))

/** Runs a command in a session of its own. */
function run(params, signal) {
  const tool = new BashTool(testSession({ cwd: root }))
  return tool.execute('1', typeof params === 'string' ? { command: params } : params, signal)
}

const textOf = (result) => result.content.map((block) => block.text).join('')

/** Whether a process runs that has `marker` among its arguments. */
function runs(marker) {
  const processes = execFileSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' })
  return processes.split('\n').some((line) => line.split(' ').includes(marker))
}

const posix = process.platform === 'win32' ? describe.skip : describe

posix('a command', () => {
  it('gives back its output and a receipt', async () => {
    const result = await run('echo out; echo err >&2; echo out')
    assert.deepEqual(result, { content: [{ type: 'text', text: 'out\nerr\nout\n' }], details: { timeoutSeconds: 300 } })
    assert.equal(textOf(await run('true')), '(no output)')
  })

  it('sees the environment of the moment', async () => {
    process.env.BASH_TEST_VARIABLE = 'of the host'
    assert.equal(textOf(await run('echo "$BASH_TEST_VARIABLE"')), 'of the host\n')
    process.env.BASH_TEST_VARIABLE = 'changed'
    assert.equal(textOf(await run('echo "$BASH_TEST_VARIABLE"')), 'changed\n')
    delete process.env.BASH_TEST_VARIABLE
    assert.equal(textOf(await run('echo "[$BASH_TEST_VARIABLE]"')), '[]\n')
  })

  it('fails with its exit code, its output and its signal', async () => {
    for (const [command, exitCode, output] of [['echo partial; exit 3', 3, 'partial\n'], ['kill -9 $$', 137, '']]) {
      await assert.rejects(run(command), (error) => {
        assert.ok(error instanceof ToolError)
        assert.equal(error.code, 'nonzero_exit')
        assert.deepEqual(error.context, { exit_code: exitCode, output })
        assert.equal(error.message, `${output || '(no output)'}\n\nCommand exited with code ${exitCode}`)
        return true
      })
    }
  })

  it('tells of a clamped time limit in words and facts', async () => {
    const { details, content } = await run({ command: 'echo hi', timeout: 99999 })
    const [{ text, ...facts }] = details.notices
    assert.deepEqual(facts, { kind: 'timeout_clamped', effective: 3600, requested: 99999, min: 1, max: 3600 })
    assert.equal(content[0].text, `hi\n\n\n${text}`)
    assert.deepEqual([details.timeoutSeconds, details.requestedTimeoutSeconds], [3600, 99999])
  })

  it('that writes a lot is cut, and the wrapper says where', async () => {
    const tool = wrapToolWithMetaNotice(new BashTool(testSession({ cwd: root })))
    const { content, details } = await tool.execute('1', { command: 'seq 1 100000' })
    const { start, end } = details.meta.truncation.shownRange
    const [notice] = details.notices
    assert.deepEqual([notice.kind, notice.start, notice.end, notice.total], ['meta_window', start, end, 100001])
    assert.ok(content[0].text.includes(`${start + 1}\n`) && content[0].text.includes('\n100000\n'))
    assert.ok(content[0].text.includes(notice.text))
  })
})

posix('a long output', () => {
  const command = 'seq 1 100000'
  const whole = execFileSync('seq', ['1', '100000'], { encoding: 'utf8', maxBuffer: 1 << 20 })
  const start = (members) => wrapToolWithMetaNotice(new BashTool(testSession({ cwd: root, ...members })))

  it('is kept by the host, and little of it is shown', async () => {
    const saved = []
    const tool = start({ artifacts: { save: async (...call) => String(saved.push(call) - 1) } })
    const { content, details } = await tool.execute('1', { command })
    assert.deepEqual(saved, [[whole, 'bash']])
    const { artifactId, outputBytes } = details.meta.truncation
    assert.deepEqual([artifactId, outputBytes], ['0', 1024])
    assert.equal(content[0].text.split('artifact://0').length, 2)
    await tool.execute('1', { command: 'seq 1 200' })
    assert.equal(saved.length, 1, 'what is shown whole is not kept')
  })

  it('is named by an error, too', async () => {
    const saved = []
    const tool = start({ artifacts: { save: async (text) => void saved.push(text) ?? 'x-1' } })
    for (const failing of [`${command}; exit 3`, `${command}; sleep 60`]) {
      await assert.rejects(tool.execute('1', { command: failing, timeout: 1 }), /\n100000\n\n\n\[.*artifact:\/\/x-1.*\]\n\nCommand/)
    }
    assert.deepEqual(saved, [whole, whole])
  })

  it('is kept beside the file of the session', async () => {
    const file = join(root, 'kept', 'session.jsonl')
    const { details } = await start({ getSessionFile: () => file }).execute('1', { command })
    assert.equal(readFileSync(join(root, 'kept/session', `${details.meta.truncation.artifactId}.bash.log`), 'utf8'), whole)
  })

  it('is shown as far as it fits where it could not be kept', async () => {
    const warnings = []
    const save = async () => Promise.reject(new Error('disk full'))
    const tool = start({ artifacts: { save }, logger: { warn: (words) => warnings.push(words) } })
    const { details } = await tool.execute('1', { command })
    const { artifactId, artifactFailureDiagnostic, outputBytes } = details.meta.truncation
    assert.deepEqual([artifactId, artifactFailureDiagnostic], [undefined, 'disk full'])
    assert.ok(outputBytes > 10_000)
    assert.match(warnings[0], /bash.*disk full/)
  })
})

posix('an abort', () => {
  it('ends the command at once and gives back its output', async () => {
    const controller = new AbortController()
    const reason = new Error('enough')
    const call = run('echo begun; sleep 81.25', controller.signal)
    setTimeout(() => controller.abort(reason), 300)
    const started = performance.now()
    await assert.rejects(call, { name: 'AbortError', code: 'ABORT_ERR', cause: reason, message: 'begun\n\n\nCommand aborted' })
    assert.ok(performance.now() - started < 1500)
    assert.equal(runs('81.25'), false)
  })

  it('of one signal ends all its commands, whatever they do with TERM', async () => {
    const controller = new AbortController()
    const calls = Array.from({ length: 8 }, () => run("trap '' TERM; while :; do sleep 82.25; done", controller.signal))
    setTimeout(() => controller.abort(), 300)
    const settled = await Promise.allSettled(calls)
    assert.deepEqual(settled.map(({ reason }) => reason?.name), Array(8).fill('AbortError'))
    assert.equal(runs('82.25'), false)
  })

  it('leaves nothing on a signal that never fires', async () => {
    const warnings = []
    const onWarning = (warning) => warnings.push(warning.name)
    process.on('warning', onWarning)
    const { signal } = new AbortController()
    for (let call = 0; call < 50; call += 1) await run('true', signal)
    await Promise.all(Array.from({ length: 20 }, () => run('true', signal)))
    await new Promise((resolve) => setTimeout(resolve, 10))
    process.off('warning', onWarning)
    assert.deepEqual(warnings.filter((name) => name === 'MaxListenersExceededWarning'), [])
  })
})

posix('nothing of a call', () => {
  it('outlives its time limit, and the host does', async () => {
    const call = run({ command: "trap '' TERM; echo start; sleep 83.25 & sleep 84.25; wait", timeout: 1 })
    await assert.rejects(call, (error) => error.code === 'timeout' && error.context.seconds === 1 && error.message.includes('\nstart\n'))
    assert.deepEqual([runs('83.25'), runs('84.25')], [false, false])
    assert.equal(textOf(await run('echo alive')), 'alive\n')
  })

  it('outlives its end in the background', async () => {
    const started = performance.now()
    const command = 'sleep 85.25 & sleep 86.25 >/dev/null 2>&1 & (sleep 87.25 &); echo ready'
    assert.equal(textOf(await run(command)), 'ready\n')
    assert.ok(performance.now() - started < 2500)
    assert.deepEqual([runs('85.25'), runs('86.25'), runs('87.25')], [false, false, false])
  })

  it('shares the group of the host', async () => {
    const groupOf = (id) => execFileSync('ps', ['-o', 'pgid=', '-p', String(id)], { encoding: 'utf8' }).trim()
    const [shell, group] = textOf(await run('echo $$; ps -o pgid= -p $$')).trim().split(/\s+/)
    assert.equal(group, shell)
    assert.notEqual(group, groupOf(process.pid))
  })

  it('is left as a zombie', async () => {
    for (let call = 0; call < 10; call += 1) await run('true; (true &)')
    const children = execFileSync('ps', ['-A', '-o', 'ppid=,stat='], { encoding: 'utf8' }).split('\n')
    const zombies = children.map((line) => line.trim().split(/\s+/)).filter(([parent, state]) => parent === String(process.pid) && state.startsWith('Z'))
    assert.deepEqual(zombies, [])
  })
})

posix('memory and time', () => {
  it('stay flat under 300 MB of output', { timeout: 120_000 }, async () => {
    await run('yes | head -c 1M')
    const before = process.memoryUsage.rss()
    let most = before
    const watch = setInterval(() => { most = Math.max(most, process.memoryUsage.rss()) }, 20)
    const { details, content } = await run('yes | head -c 300M; echo end')
    clearInterval(watch)
    most = Math.max(most, process.memoryUsage.rss())
    assert.equal(details.meta.truncation.totalBytes, 300 * 1024 * 1024 + 4)
    assert.ok(content[0].text.length <= 50 * 1024 && content[0].text.endsWith('y\nend\n'))
    assert.ok(most - before < 32 * 1024 * 1024, `grew by ${Math.round((most - before) / 1024)} KiB`)
  })

  it('stay flat under one endless line', { timeout: 60_000 }, async () => {
    const before = process.memoryUsage.rss()
    const { details } = await run("head -c 50M /dev/zero | tr '\\0' x")
    assert.equal(details.meta.truncation.totalBytes, 50 * 1024 * 1024)
    assert.ok(process.memoryUsage.rss() - before < 32 * 1024 * 1024)
  })

  it('are shared by 20 commands at once', async () => {
    const started = performance.now()
    const results = await Promise.all(Array.from({ length: 20 }, (_, index) => run(`sleep 0.5; echo ${index}`)))
    assert.deepEqual(results.map(textOf), Array.from({ length: 20 }, (_, index) => `${index}\n`))
    assert.ok(performance.now() - started < 5000)
  })
})

posix('a directory', () => {
  it('that is gone is named, and the next call works', async () => {
    await run('mkdir gone')
    await run({ command: 'rm -rf "$PWD"', cwd: 'gone' })
    assert.equal(existsSync(join(root, 'gone')), false)
    await assert.rejects(run({ command: 'echo ok', cwd: 'gone' }), { code: 'cwd_not_found', path: 'gone' })
    assert.equal(textOf(await run('echo ok2')), 'ok2\n')
  })
})
