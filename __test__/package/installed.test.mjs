// What is published, installed by npm into an empty project without a network: used from every runtime and module
// system, by compilers and bundlers, and refused in clear words where addons are.

import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pack } from '../../scripts/pack.mjs'
import { locate, runtimes } from '../../scripts/runtimes.mjs'
import { platforms, readManifest, toJson } from '../../scripts/platforms.mjs'
import { root } from '../../scripts/setup.mjs'
import { typescript } from '../../scripts/types.mjs'

/** What a user may have to download: this package and the one of his platform. */
const MOST_DOWNLOADED = 15_000_000

/** Bun and Deno have no build for every machine that this package has one for. */
const here = runtimes.flatMap((runtime) => {
  try {
    return [{ ...runtime, path: locate(runtime) }]
  } catch {
    return []
  }
})

const top = realpathSync(mkdtempSync(join(tmpdir(), 'gajae-tool-core-')))
const app = join(top, 'app')
const tarballs = join(top, 'tarballs')
const platform = platforms().find(({ addon }) => existsSync(join(root, 'src/js', addon)))
const addon = join(root, 'src/js', platform.addon)

function npm(cwd, ...arguments_) {
  const options = { cwd, encoding: 'utf8', shell: process.platform === 'win32', stdio: ['ignore', 'pipe', 'pipe'] }
  return execFileSync('npm', arguments_, options)
}

/** Runs a program in the project; its output, or what it failed with. */
function run(program, arguments_, { cwd = app } = {}) {
  const { status, stdout, stderr, error } = spawnSync(program, arguments_, { cwd, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } })
  if (error) throw error
  return { status, stdout, stderr }
}

/** The same, where nothing may go wrong. */
function output(program, arguments_, options) {
  const { status, stdout, stderr } = run(program, arguments_, options)
  assert.equal(status, 0, `${program} ${arguments_.join(' ')}\n${stdout}${stderr}`)
  return stdout
}

/** The root package as the release publishes it: with its optional dependencies, none of which has to be there. */
function packRoot() {
  const unpacked = join(top, 'unpacked')
  mkdirSync(unpacked)
  execFileSync('tar', ['-xzf', pack(root, tarballs)], { cwd: unpacked })
  const folder = join(unpacked, 'package')
  const manifest = readManifest()
  const optionalDependencies = Object.fromEntries(platforms().map(({ manifest: { name, version } }) => [name, version]))
  writeFileSync(join(folder, 'package.json'), toJson({ ...manifest, optionalDependencies }))
  return pack(folder, tarballs)
}

function packPlatform() {
  const folder = join(top, platform.folder)
  cpSync(join(root, 'npm', platform.folder), folder, { recursive: true })
  copyFileSync(addon, join(folder, platform.addon))
  return pack(folder, tarballs)
}

const source = `
const main = async ({ createToolSession }) => {
  const session = await createToolSession({ cwd: process.cwd(), settings: { get() {} } })
  const { content } = await session.registry.get('read').execute('1', { path: 'note.txt:raw' })
  console.log(content[0].text.trim())
}
`

const files = {
  'package.json': '{ "name": "app", "private": true }',
  'note.txt': 'it works\n',
  'main.mjs': `import * as core from 'gajae-tool-core'\n${source}\nmain(core)\n`,
  'main.cjs': `const core = require('gajae-tool-core')\n${source}\nmain(core)\n`,
}

let rootTarball
let platformTarball

before(() => {
  for (const folder of [app, tarballs]) mkdirSync(folder)
  for (const [name, content] of Object.entries(files)) writeFileSync(join(app, name), content)
  const dependencies = Object.keys(readManifest().dependencies).map((name) => pack(join(root, 'node_modules', name), tarballs))
  npm(app, 'install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', ...dependencies, (platformTarball = packPlatform()), (rootTarball = packRoot()))
})

after(() => rmSync(top, { recursive: true, force: true, maxRetries: 5 }))

test('all runtimes are here where all have a build', () => {
  const hasAll = process.platform === 'darwin' || (process.platform === 'linux' && process.report.getReport().header.glibcVersionRuntime)
  if (hasAll) assert.deepEqual(here.map(({ name }) => name), ['bun', 'deno', 'node'])
})

for (const { name, path } of here) {
  test(`it works under ${name}, imported and required`, () => {
    const before = name === 'deno' ? ['run', '--allow-all', '--no-check'] : []
    for (const file of ['main.mjs', 'main.cjs']) assert.equal(output(path, [...before, file]), 'it works\n', file)
  })
}

/** The block of code that a heading or sentence of the README leads to. */
const exampleAfter = (text) => readFileSync(join(root, 'README.md'), 'utf8').split(text)[1].match(/```\w+\n([\s\S]*?)```/)[1]

test('the first example of the README runs as it stands', () => {
  writeFileSync(join(app, 'example.mjs'), exampleAfter('## The first tool call'))
  assert.match(output(process.execPath, ['example.mjs']), /"name": ?"app"/)
})

test('the command is there', () => {
  const command = process.platform === 'win32' ? 'gajae-tool-core.cmd' : 'gajae-tool-core'
  const { status, stdout } = spawnSync(join(app, 'node_modules/.bin', command), ['--version'], { cwd: app, encoding: 'utf8', shell: process.platform === 'win32' })
  assert.deepEqual({ status, stdout }, { status: 0, stdout: `${readManifest().version}\n` })
})

test('compilers find the types, as Node resolves modules and as bundlers do', () => {
  const modules = join(app, 'node_modules')
  for (const name of ['@types/node', 'undici-types']) cpSync(join(root, 'node_modules', name), join(modules, name), { recursive: true })
  const typeTests = join(root, '__test__/types')
  const names = readdirSync(typeTests).filter((name) => /\.[cm]ts$/.test(name))
  for (const name of names) copyFileSync(join(typeTests, name), join(app, name))
  // What the README shows first is TypeScript too.
  writeFileSync(join(app, 'example-call.mts'), exampleAfter('## The first tool call'))
  writeFileSync(join(app, 'example-tool.mts'), exampleAfter('## Write a tool'))
  const common = { strict: true, noEmit: true, target: 'es2023', types: ['node'], noImplicitOverride: true }
  const kinds = {
    nodenext: { module: 'nodenext' },
    node16: { module: 'node16', moduleResolution: 'node16' },
    bundler: { module: 'preserve', moduleResolution: 'bundler' },
  }
  for (const [kind, options] of Object.entries(kinds)) {
    const config = join(app, `tsconfig.${kind}.json`)
    writeFileSync(config, JSON.stringify({ compilerOptions: { ...common, ...options }, include: ['*.mts', '*.cts'] }))
    assert.equal(output(process.execPath, [typescript, '--project', config]), '', kind)
  }
})

test('linters of packages have no complaint', () => {
  const publint = join(root, 'node_modules/publint/src/cli.js')
  assert.match(output(process.execPath, [publint, 'run', rootTarball, '--strict']), /All good/)
  // It resolves types in every way there is, and tells by its exit code.
  output(process.execPath, [join(root, 'node_modules/@arethetypeswrong/cli/dist/index.js'), rootTarball])
})

for (const [format, extension, banner] of [
  ['cjs', 'cjs', ''],
  ['esm', 'mjs', "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)"],
]) {
  test(`esbuild makes one file of it and the addon, as ${format}`, async () => {
    const { build } = await import('esbuild')
    const outdir = join(top, `bundle-${format}`)
    await build({
      absWorkingDir: app,
      entryPoints: ['main.mjs'],
      outfile: join(outdir, `main.${extension}`),
      bundle: true,
      platform: 'node',
      format,
      banner: { js: banner },
      loader: { '.node': 'copy' },
      logLevel: 'error',
    })
    writeFileSync(join(outdir, 'note.txt'), 'it works bundled\n')
    assert.equal(output(process.execPath, [`main.${extension}`], { cwd: outdir }), 'it works bundled\n')
  })
}

for (const { path } of here.filter(({ name }) => name === 'bun')) {
  test('Bun compiles it into one program that needs nothing beside it', () => {
    const empty = join(top, 'empty')
    mkdirSync(empty)
    const program = join(empty, process.platform === 'win32' ? 'program.exe' : 'program')
    output(path, ['build', '--compile', 'main.mjs', '--outfile', program])
    writeFileSync(join(empty, 'note.txt'), 'it works compiled\n')
    assert.equal(output(program, [], { cwd: empty }), 'it works compiled\n')
  })
}

test('where addons are not allowed, it says so and what to do', () => {
  const permission = process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission'
  const node = [[permission, '--allow-fs-read=*'], ['--no-addons']].map((flags) => run(process.execPath, [...flags, 'main.mjs']))
  const deno = here.filter(({ name }) => name === 'deno').map(({ path }) => run(path, ['run', '--no-prompt', '--allow-read', '--allow-env', 'main.cjs']))
  for (const { status, stderr } of [...node, ...deno]) {
    assert.equal(status, 1)
    assert.match(stderr, /native addon, and this process may not load one/)
  }
  for (const { stderr } of node) assert.match(stderr, /--allow-addons[\s\S]*code: 'addon_not_allowed'/)
  for (const { stderr } of deno) assert.match(stderr, /--allow-ffi/)
  assert.equal(output(process.execPath, [permission, '--allow-addons', '--allow-fs-read=*', 'main.mjs']), 'it works\n')
})

test('what a user downloads is small', () => {
  const [ours, addons] = [rootTarball, platformTarball].map((path) => statSync(path).size)
  assert.ok(ours < 500_000, `${ours} bytes`)
  // A debug build is marked by its age; see scripts/build.mjs. Without Bun a tarball is larger than the published one.
  const isRelease = statSync(addon).mtimeMs > 0
  if (isRelease && here.some(({ name }) => name === 'bun')) assert.ok(ours + addons <= MOST_DOWNLOADED, `${ours} + ${addons} bytes`)
})
