// Hard use in short: mixed calls here and in workers that come and go leave the tree as it must be, and nothing else. The
// long form is `npm run soak`.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const soak = fileURLToPath(new URL('../soak/mixed.mjs', import.meta.url))
const before = 'Deno' in globalThis ? ['run', '--allow-all', '--no-check'] : []

test('mixed calls, aborts and workers that end in the middle leave what they must', { timeout: 600_000 }, async (t) => {
  if (process.platform === 'win32') return t.skip('its commands are those of a shell')
  const child = spawn(process.execPath, [...before, soak, '--short', '--calls', '1200', '--workers', '3'])
  let said = ''
  for (const output of [child.stdout, child.stderr]) output.setEncoding('utf8').on('data', (text) => (said += text))
  const [code] = await once(child, 'close')
  assert.equal(code, 0, said.slice(-20_000))
  assert.match(said, /\nno fault\n/)
})
