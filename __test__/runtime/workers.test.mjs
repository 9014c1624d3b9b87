// Worker threads load and unload the addon again and again, and may end while a call is pending.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { root, runSource, temporaryDirectory } from './process.mjs'

const entry = JSON.stringify(pathToFileURL(join(root, 'src/js/index.js')).href)
const native = JSON.stringify(pathToFileURL(join(root, 'src/js/native.cjs')).href)

/** Uses the registry, an async call and an error; then ends by itself. */
const visit = `
  import { parentPort } from 'node:worker_threads'
  import { computeEssentialBuiltinNames, ReadTool, ToolError } from ${entry}
  import native from ${native}
  const session = { cwd: ${JSON.stringify(root)}, hasUI: false, settings: { get() {} }, getSessionFile: () => null, getSessionSpawns: () => null }
  const names = computeEssentialBuiltinNames(session.settings)
  await native.probeNoop()
  const failed = await new ReadTool(session).execute('1', { path: 1 }).then(() => false, (error) => error instanceof ToolError)
  parentPort.postMessage({ names, failed })
`
const done = { names: ['read', 'bash', 'edit'], failed: true }

/** Leaves a call pending that only a cancel would end. */
const hang = `
  import native from ${native}
  globalThis.handle = new native.CancelHandle()
  native.probeWait(false, globalThis.handle)
`

/** Starts a worker from source text; every runtime takes a data URL. */
function start(source) {
  return new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`))
}

/** Runs a worker to its end and gives back what it posted. */
async function run(source) {
  const worker = start(source)
  const failed = once(worker, 'error').then(([error]) => Promise.reject(error))
  const exited = once(worker, 'exit')
  const [message] = await Promise.race([once(worker, 'message'), failed])
  await Promise.race([exited, failed])
  return message
}

test('six workers in a row', async () => {
  for (let round = 0; round < 6; round += 1) assert.deepEqual(await run(visit), done)
})

test('eight workers at once', async () => {
  assert.deepEqual(await Promise.all(Array.from({ length: 8 }, () => run(visit))), Array(8).fill(done))
})

test('a worker is terminated while a call is pending', async () => {
  for (let round = 0; round < 3; round += 1) {
    const worker = start(`import { parentPort } from 'node:worker_threads'\n${hang}\nparentPort.postMessage('pending')`)
    assert.deepEqual(await once(worker, 'message'), ['pending'])
    await worker.terminate()
  }
  // The addon is as good as before.
  assert.deepEqual(await run(visit), done)
})

test('a process ends while a call is pending', async (t) => {
  const { code, stdout, stderr } = await runSource(temporaryDirectory(t), `${hang}\nconsole.log('pending')\nprocess.exit(3)`)
  assert.deepEqual({ code, stdout: stdout.trim(), stderr }, { code: 3, stdout: 'pending', stderr: '' })
})

test('a process ends while workers have calls pending', async (t) => {
  const source = `
    import { once } from 'node:events'
    import { Worker } from 'node:worker_threads'
    const source = ${JSON.stringify(`import { parentPort } from 'node:worker_threads'\n${hang}\nparentPort.postMessage('pending')`)}
    const workers = [1, 2, 3].map(() => new Worker(new URL('data:text/javascript,' + encodeURIComponent(source))))
    await Promise.all(workers.map((worker) => once(worker, 'message')))
    console.log('pending')
    process.exit(4)
  `
  const { code, stdout, stderr } = await runSource(temporaryDirectory(t), source)
  assert.deepEqual({ code, stdout: stdout.trim(), stderr }, { code: 4, stdout: 'pending', stderr: '' })
})

test('a process ends by itself after its calls', async (t) => {
  const source = `
    import native from ${native}
    await native.probeNoop(new native.CancelHandle())
    console.log('done')
  `
  const { code, stdout, stderr } = await runSource(temporaryDirectory(t), source)
  assert.deepEqual({ code, stdout: stdout.trim(), stderr }, { code: 0, stdout: 'done', stderr: '' })
})
