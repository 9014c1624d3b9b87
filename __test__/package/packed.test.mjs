// What is published: the files the entry and the command need, and no others.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { test } from 'node:test'
import { root } from '../../scripts/setup.mjs'

const npm = (...arguments_) => execFileSync('npm', arguments_, { cwd: root, encoding: 'utf8', shell: process.platform === 'win32', stdio: ['ignore', 'pipe', 'ignore'] })

/** Every file that is reached from the entries by an import or a require, the entries included. */
function reached(entries) {
  const seen = new Set()
  const queue = [...entries]
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (seen.has(path)) continue
    seen.add(path)
    if (!/\.c?js$/.test(path)) continue
    // In JSDoc there are imports of types, which need no file at run time.
    const source = readFileSync(join(root, path), 'utf8').replaceAll(/\/\*\*[\s\S]*?\*\//g, '')
    for (const [, target] of source.matchAll(/(?:from |^import |require\()'(\.{1,2}\/[^']+)'/gm)) {
      if (!target.endsWith('.node') && !target.includes('wasi')) queue.push(posix.join(posix.dirname(path), target))
    }
  }
  return seen
}

test('npm pack contains what the entry needs and nothing else', () => {
  const [{ files }] = Object.values(JSON.parse(npm('pack', '--dry-run', '--json', '--ignore-scripts')))
  const packed = files.map(({ path }) => path).sort()
  const needed = [...reached(['src/js/index.js', 'src/js/cli.js', 'index.cjs']), 'index.d.ts', 'index.d.cts', 'package.json']
  // The catalogue's docsPath leads to docs/tools.md, and the README to the others.
  const documents = readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)
  const forPeople = ['CHANGELOG.md', 'LICENSE', 'NOTICE', 'README.md', ...documents]
  assert.deepEqual(packed, [...new Set([...needed, ...forPeople])].sort())
})
