// What is published: the files the entry needs and no others, and a package that works where it is installed.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { test } from 'node:test'
import { platforms } from '../../scripts/platforms.mjs'
import { root } from '../../scripts/setup.mjs'
import { typescript } from '../../scripts/types.mjs'
import { runSource, temporaryDirectory } from '../runtime/process.mjs'

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
  const needed = [...reached(['src/js/index.js', 'index.cjs']), 'index.d.ts', 'index.d.cts', 'package.json']
  // docs/tools.md is where the catalogue's docsPath leads.
  const forPeople = ['LICENSE', 'NOTICE', 'README.md', 'docs/tools.md']
  assert.deepEqual(packed, [...new Set([...needed, ...forPeople])].sort())
})

test('the packed package works beside its platform package', async (t) => {
  const directory = temporaryDirectory(t)
  const [{ filename }] = Object.values(JSON.parse(npm('pack', '--json', '--ignore-scripts', '--pack-destination', directory)))
  execFileSync('tar', ['-xzf', filename], { cwd: directory })
  const modules = join(directory, 'node_modules')
  cpSync(join(directory, 'package'), join(modules, 'gajae-tool-core'), { recursive: true })
  const { folder, addon, manifest } = platforms().find(({ addon }) => existsSync(join(root, 'src/js', addon)))
  mkdirSync(join(modules, manifest.name))
  copyFileSync(join(root, 'npm', folder, 'package.json'), join(modules, manifest.name, 'package.json'))
  copyFileSync(join(root, 'src/js', addon), join(modules, manifest.name, addon))

  const source = (load) => `${load}; console.log(Object.keys(core).length, new core.ToolError('a').code)`
  for (const [name, load] of [['main.mjs', "import * as core from 'gajae-tool-core'"], ['main.cjs', "const core = require('gajae-tool-core')"]]) {
    const { code, stdout, stderr } = await runSource(directory, source(load), name)
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
    assert.match(stdout, /^\d+ tool_error\n$/)
  }

  // The types, as the compiler of a user finds them.
  mkdirSync(join(modules, '@types'))
  const manifestOfRoot = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  // With what npm installs beside it.
  for (const name of ['@types/node', 'undici-types', ...Object.keys(manifestOfRoot.dependencies)]) cpSync(join(root, 'node_modules', name), join(modules, name), { recursive: true })
  for (const name of readdirSync(join(root, '__test__/types')).filter((name) => /\.[cm]ts$/.test(name))) {
    copyFileSync(join(root, '__test__/types', name), join(directory, name))
  }
  const compilerOptions = { strict: true, noEmit: true, module: 'nodenext', target: 'es2023', types: ['node'], noImplicitOverride: true }
  writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.mts', '*.cts'] }))
  assert.equal(execFileSync(process.execPath, [typescript, '--project', directory], { encoding: 'utf8' }), '')
})
