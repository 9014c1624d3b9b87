// What a call took goes back to the system: a host that makes many of them does not grow.

import assert from 'node:assert/strict'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, it } from 'node:test'

import { SearchTool } from '../../src/js/index.js'
import { testSession } from './session.mjs'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'memory-')))
after(() => rmSync(root, { recursive: true }))
writeFileSync(join(root, 'a.txt'), 'text\n')
const search = new SearchTool(testSession({ cwd: root }))
const megabytes = () => process.memoryUsage.rss() / 2 ** 20

// Too large when it is compiled, which takes tens of megabytes to find out.
const pattern = 'a{99999999}'

// What other systems keep is not ours to say.
if (process.platform === 'linux') it('the memory of large calls on many threads is not kept', async () => {
  const together = () => Promise.all(Array.from({ length: 12 }, () => assert.rejects(search.execute('1', { pattern }), { code: 'invalid_regex' })))
  await assert.rejects(search.execute('1', { pattern }))
  const before = megabytes()
  for (let round = 0; round < 2; round++) await together()
  const grown = megabytes() - before
  assert.ok(grown < 64, `${grown.toFixed(0)} MB more than before`)
})
