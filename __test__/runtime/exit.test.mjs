// What a host leaves behind when it ends in the middle of a call: nothing.

import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

import { runSource, temporaryDirectory } from './process.mjs'

const entry = new URL('../../src/js/index.js', import.meta.url).href

/** Code that starts a long command and goes on once its shell has written its process id into `pid`. */
const start = (directory) => `
  import { existsSync, readFileSync } from 'node:fs'
  import { BashTool } from ${JSON.stringify(entry)}
  const cwd = ${JSON.stringify(directory)}
  const tool = new BashTool({ cwd, hasUI: false, settings: { get() {} }, getSessionFile: () => null, getSessionSpawns: () => null })
  tool.execute('1', { command: 'echo $$ > pid; sleep 300' }).catch(() => {})
  const isWritten = () => existsSync(cwd + '/pid') && readFileSync(cwd + '/pid', 'utf8').includes('\\n')
  while (!isWritten()) await new Promise((resolve) => setTimeout(resolve, 5))
`

function isAlive(directory) {
  try {
    process.kill(Number(readFileSync(join(directory, 'pid'), 'utf8')), 0)
    return true
  } catch (error) {
    if (error.code === 'ESRCH') return false
    throw error
  }
}

test('a host that exits ends its commands', async (t) => {
  const directory = temporaryDirectory(t)
  assert.equal((await runSource(directory, `${start(directory)}\nprocess.exit(0)`)).code, 0)
  assert.equal(isAlive(directory), false)
})

// Deno runs no hook of an addon when a worker is terminated.
if (!process.versions.deno) {
  test('a worker that is terminated ends its commands', async (t) => {
    const directory = temporaryDirectory(t)
    const thread = join(directory, 'thread.mjs')
    writeFileSync(thread, `import { parentPort } from 'node:worker_threads'\n${start(directory)}\nparentPort.postMessage('ready')`)
    const host = `
      import { Worker } from 'node:worker_threads'
      const worker = new Worker(${JSON.stringify(thread)})
      await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject))
      await worker.terminate()
    `
    assert.equal((await runSource(directory, host)).code, 0)
    assert.equal(isAlive(directory), false)
  })
}
