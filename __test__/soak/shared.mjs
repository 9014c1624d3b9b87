// What all agents look at and nobody changes: many files to search, things that are in the way, and a tool of a module.

import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** @param {string} root @param {number} files */
export function makeShared(root, files) {
  for (const folder of ['trees', 'records', 'state', 'shared/bulk', 'shared/hazards', 'shared/tools', 'shared/home']) mkdirSync(join(root, folder), { recursive: true })
  for (let at = 0; at < files; at++) {
    const folder = join(root, 'shared/bulk', `${at % 40}`)
    mkdirSync(folder, { recursive: true })
    const lines = Array.from({ length: 20 + (at % 200) }, (_, line) => `const value${line} = call(argument${line * at}, 'note ${at}')`)
    writeFileSync(join(folder, `${at}.${['ts', 'txt', 'js'][at % 3]}`), `${lines.join('\n')}\n`)
  }
  makeHazards(join(root, 'shared/hazards'))
  writeFileSync(join(root, 'shared/tools/count-lines.mjs'), countLines)
}

/** @param {string} folder */
function makeHazards(folder) {
  writeFileSync(join(folder, 'binary.ts'), Buffer.from(Array.from({ length: 5000 }, (_, index) => index % 256)))
  writeFileSync(join(folder, 'broken.txt'), Buffer.from('caf\xe9 \xff\xfe call(x)\n', 'latin1'))
  writeFileSync(join(folder, 'long.ts'), `const long = call(${'x'.repeat(3 << 20)})`)
  writeFileSync(join(folder, 'empty.ts'), '')
  if (process.platform === 'win32') return
  symlinkSync('.', join(folder, 'loop'))
  symlinkSync('nowhere', join(folder, 'dangling.ts'))
  execFileSync('mkfifo', [join(folder, 'pipe.ts')])
}

const countLines = `
export default (pi) => ({
  name: 'count_lines',
  description: 'Counts the lines of a file.',
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  async execute(id, { path }, onUpdate, context, signal) {
    onUpdate?.({ content: [{ type: 'text', text: 'counting' }] })
    const { stdout, code, killed } = await pi.exec('wc', ['-l', path], { signal })
    if (killed && signal?.aborted) throw Object.assign(new Error('aborted'), { name: 'AbortError', code: 'ABORT_ERR' })
    if (code !== 0) throw new Error('wc failed')
    return { content: [{ type: 'text', text: stdout.trim() }] }
  },
})
`
