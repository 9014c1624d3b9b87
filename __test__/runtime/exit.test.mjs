// What a host leaves behind when it ends in the middle of a call: nothing.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { promisify } from 'node:util'

const entry = new URL('../../src/js/index.js', import.meta.url).href
const directory = mkdtempSync(join(tmpdir(), 'exit-'))
after(() => rmSync(directory, { recursive: true }))

const start = (file) => `
  import { BashTool } from ${JSON.stringify(entry)}
  const tool = new BashTool({
    cwd: ${JSON.stringify(directory)}, hasUI: false, settings: { get() {} }, getSessionFile: () => null, getSessionSpawns: () => null,
  })
  tool.execute('1', { command: 'echo $$ > ${file}; sleep 300' }).catch(() => {})
  const { existsSync, readFileSync } = await import('node:fs')
  while (!existsSync(${JSON.stringify(directory)} + '/${file}') || !readFileSync(${JSON.stringify(directory)} + '/${file}', 'utf8').includes('\\n')) {
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
`

const isAlive = (file) => {
  try {
    process.kill(Number(readFileSync(join(directory, file), 'utf8')), 0)
    return true
  } catch (error) {
    if (error.code === 'ESRCH') return false
    throw error
  }
}

const run = (code) => promisify(execFile)(process.execPath, process.versions.deno ? ['eval', code] : ['--input-type=module', '-e', code])

describe('the end of a host', { skip: process.platform === 'win32' || Boolean(process.versions.bun || process.versions.deno) }, () => {
  it('ends its commands at exit', async () => {
    await run(`${start('exit')}\nprocess.exit(0)`)
    assert.equal(isAlive('exit'), false)
  })

  it('ends the commands of a worker with the worker', async () => {
    await run(`
      import { Worker } from 'node:worker_threads'
      const worker = new Worker(new URL('data:text/javascript,' + encodeURIComponent(${JSON.stringify(`${start('worker')}\nconst { parentPort } = await import('node:worker_threads'); parentPort.postMessage('ready')`)})))
      await new Promise((resolve) => worker.once('message', resolve))
      await worker.terminate()
      process.exitCode = 0
    `)
    assert.equal(isAlive('worker'), false)
  })
})
