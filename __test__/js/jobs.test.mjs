// Commands while they run: updates, jobs in the background, and tasks of a project.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'

import { BashTool, cancelJob, cancelJobs, createTools, listJobs, pollJobs } from '../../src/js/index.js'
import { testSession } from './session.mjs'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'jobs-')))
after(() => rmSync(root, { recursive: true, force: true }))

const textOf = (result) => result.content.map((block) => block.text).join('')

function runs(marker) {
  const processes = execFileSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' })
  return processes.split('\n').some((line) => line.split(' ').includes(marker))
}

/** A session that allows jobs, and what it was told of. */
function jobSession(members = {}) {
  const told = []
  const session = testSession({ cwd: root, settings: { 'async.enabled': true }, onJobEnd: (job) => void told.push(job), ...members })
  const tool = new BashTool(session)
  return { session, told, run: (params, ...rest) => tool.execute('1', params, ...rest) }
}

const posix = process.platform === 'win32' ? describe.skip : describe

posix('a running command', () => {
  it('tells what it has written so far', async () => {
    const told = []
    const result = await new BashTool(testSession({ cwd: root })).execute('1', { command: 'for i in 1 2 3; do echo $i; sleep 0.15; done' }, undefined, (partial) => told.push(textOf(partial)))
    assert.equal(textOf(result), '1\n2\n3\n')
    assert.deepEqual(told, ['1\n', '1\n2\n', '1\n2\n3\n'])
  })

  it('is not hurt by whoever listens', async () => {
    const result = await new BashTool(testSession({ cwd: root })).execute('1', { command: 'echo x; sleep 0.1' }, undefined, () => {
      throw new Error('no')
    })
    assert.equal(textOf(result), 'x\n')
  })
})

posix('a job', () => {
  it('is offered only where jobs are allowed', async () => {
    const refused = new BashTool(testSession({ cwd: root }))
    assert.equal(refused.parameters.properties.async, undefined)
    await assert.rejects(refused.execute('1', { command: 'true', async: true }), { code: 'async_disabled' })
    assert.equal(new BashTool(jobSession().session).parameters.properties.async.type, 'boolean')
  })

  it('runs on, can be polled, and its end is told', async () => {
    const { session, told, run } = jobSession()
    const started = await run({ command: 'echo first; sleep 0.4; echo last', async: true })
    assert.deepEqual(started.details.async, { state: 'running', jobId: 'bg_1', type: 'bash' })
    assert.match(textOf(started), /^Background job bg_1 started: echo first; sleep 0\.4; echo last\n/)
    assert.equal((await pollJobs(session))[0].state, 'running')
    const [job] = await pollJobs(session, { ids: ['bg_1'], timeoutMs: 10_000 })
    assert.deepEqual([job.state, job.text, job.exitCode], ['completed', 'first\nlast\n', 0])
    assert.ok(job.endedAt >= job.startedAt && job.details.timeoutSeconds === 300)
    assert.deepEqual(told, [job])
    assert.deepEqual(listJobs(session), [job])
  })

  it('can be ended, and outlives the signal of its call', async () => {
    const { session, told, run } = jobSession()
    const controller = new AbortController()
    await run({ command: 'sleep 81.5', async: true }, controller.signal)
    controller.abort()
    assert.deepEqual((await pollJobs(session, { timeoutMs: 100 })).map(({ state }) => state), ['running'])
    assert.ok(runs('81.5'))
    assert.equal(cancelJob(session, 'bg_1'), true)
    await pollJobs(session, { timeoutMs: 10_000 })
    assert.equal(told[0].state, 'cancelled')
    assert.equal(cancelJob(session, 'bg_1'), false)
    assert.equal(cancelJob(session, 'other'), false)
    assert.ok(!runs('81.5'))
  })

  it('keeps its output as a call does', async () => {
    const saved = []
    const artifacts = { save: async (text, tool) => String(saved.push([text, tool]) - 1) }
    const { session, told, run } = jobSession({ artifacts })
    await run({ command: 'seq 1 3000; exit 4', async: true })
    await pollJobs(session, { timeoutMs: 10_000 })
    while (told.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    assert.equal(saved[0][0].split('\n').length, 3001)
    assert.match(told[0].text, /artifact:\/\/0/)
    assert.deepEqual([told[0].state, told[0].code, told[0].exitCode], ['failed', 'nonzero_exit', 4])
  })

  it('is refused beyond the limit, and waiting can be given up', async () => {
    const { session, run } = jobSession({ settings: { 'async.enabled': true, 'async.maxJobs': 1 } })
    await run({ command: 'sleep 82.5', async: true })
    await assert.rejects(run({ command: 'true', async: true }), { code: 'async_unavailable' })
    await assert.rejects(pollJobs(session, { timeoutMs: 60_000, signal: AbortSignal.timeout(50) }), { name: 'TimeoutError' })
    await assert.rejects(pollJobs(session, { ids: 'bg_1' }), { code: 'invalid_arguments' })
    cancelJobs(session)
    await pollJobs(session, { timeoutMs: 10_000 })
    assert.ok(!runs('82.5'))
  })

  it('comes of a command that takes long, where a setting says so', async () => {
    const settings = { 'bash.autoBackground.enabled': true, 'bash.autoBackground.thresholdMs': 200 }
    const { session, run } = jobSession({ settings })
    assert.equal(textOf(await run({ command: 'echo quick' })), 'quick\n')
    assert.match(textOf(await run({ command: 'echo early; sleep 0.6; echo late' })), /^early\nBackground job bg_1 started/)
    assert.equal((await pollJobs(session, { timeoutMs: 10_000 }))[0].text, 'early\nlate\n')
  })

  it('ends with the process', () => {
    const script = `
      import { BashTool } from ${JSON.stringify(new URL('../../src/js/index.js', import.meta.url).href)}
      const settings = { get: (key) => key === 'async.enabled' }
      const session = { cwd: ${JSON.stringify(root)}, hasUI: false, settings, getSessionFile: () => null, getSessionSpawns: () => null }
      await new BashTool(session).execute('1', { command: 'sleep 83.5', async: true })
    `
    const file = join(root, 'host.mjs')
    writeFileSync(file, script)
    const args = process.versions.bun ? [file] : globalThis.Deno ? ['run', '-A', file] : [file]
    execFileSync(process.execPath, args, { timeout: 20_000 })
    assert.ok(!runs('83.5'))
  })
})

posix('a long output', () => {
  it('goes into the folder of the session', async () => {
    const session = testSession({ cwd: root, getSessionFile: () => join(root, 'chat.jsonl') })
    const result = await new BashTool(session).execute('1', { command: 'yes 0123456789 | head -c 30000000' })
    const { artifactId, artifactTruncatedBytes } = result.details.meta.truncation
    const kept = readFileSync(join(root, 'chat', `${artifactId}.bash.log`))
    assert.equal(kept.length, 10 * 1024 * 1024)
    assert.equal(artifactTruncatedBytes, 30_000_000 - kept.length)
    assert.equal(kept.subarray(0, 22).toString(), '0123456789\n0123456789\n')
  })
})

posix('an internal address in a command', () => {
  it('becomes the file that the host names', async () => {
    const asked = []
    const resolveInternalUrl = (url) => {
      asked.push(url)
      return url === 'skill://a/b' ? { path: '/x y/b' } : undefined
    }
    const tool = new BashTool(testSession({ cwd: root, resolveInternalUrl }))
    assert.equal(textOf(await tool.execute('1', { command: 'echo skill://a/b https://c.d' })), '/x y/b https://c.d\n')
    await assert.rejects(tool.execute('1', { command: 'cat rule://none' }), { code: 'shell_url_rejected' })
    assert.deepEqual(asked, ['skill://a/b', 'rule://none'])
  })
})

posix('a session that allows only some commands', () => {
  it('runs these', async () => {
    const reading = new BashTool(testSession({ cwd: root, bashProfile: 'read-only' }))
    assert.equal(textOf(await reading.execute('1', { command: 'pwd' })), `${root}\n`)
    await assert.rejects(reading.execute('1', { command: 'touch x' }), { code: 'command_blocked' })
    const listed = new BashTool(testSession({ cwd: root, bashAllowedPrefixes: ['echo'] }))
    assert.equal(textOf(await listed.execute('1', { command: 'echo a' })), 'a\n')
    await assert.rejects(listed.execute('1', { command: 'echo a; touch x' }), { code: 'command_blocked' })
    const broken = new BashTool(testSession({ cwd: root, bashProfile: 'readonly' }))
    await assert.rejects(broken.execute('1', { command: 'echo a' }), { code: 'invalid_arguments' })
  })
})

posix('the tasks of a project', () => {
  const project = mkdtempSync(join(tmpdir(), 'tasks-'))
  after(() => rmSync(project, { recursive: true, force: true }))
  const recipeOf = async (members) => (await createTools(testSession({ cwd: project, ...members }), ['recipe'])).find(({ name }) => name === 'recipe')

  it('are a tool only where there are any', async () => {
    assert.equal(await recipeOf(), undefined)
    writeFileSync(join(project, 'package.json'), JSON.stringify({ scripts: { hello: 'echo hello' } }))
    writeFileSync(join(project, 'package-lock.json'), '{}')
    assert.match((await recipeOf()).description, /npm \(package\.json\):\n- hello: echo hello/)
    assert.equal(await recipeOf({ settings: { 'recipe.enabled': false } }), undefined)
  })

  it('run by name, with what is passed on', async () => {
    const recipe = await recipeOf()
    assert.match(textOf(await recipe.execute('1', { op: 'hello "; touch x"' })), /hello ; touch x\n$/)
    await assert.rejects(recipe.execute('1', { op: 'nope' }), { code: 'recipe_unknown_task' })
    await assert.rejects(recipe.execute('1', { op: ' ' }), { code: 'recipe_empty_op' })
    const restricted = await recipeOf({ bashProfile: 'read-only' })
    await assert.rejects(restricted.execute('1', { op: 'hello' }), { code: 'command_blocked' })
  })
})
