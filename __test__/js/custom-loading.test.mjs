// Tool modules: what of a module becomes tools, and that a broken one says why and stops nobody.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { describe, it } from 'node:test'
import { CustomToolLoader, loadCustomTools } from '../../src/js/index.js'
import { codesOf, discover, factory, namesOf, tool, tree } from './custom-tree.mjs'

const isWindows = process.platform === 'win32'
const isDeno = 'Deno' in globalThis

/** Modules in the project's folder. */
const project = (files) => Object.fromEntries(Object.entries(files).map(([name, content]) => [`project/.xcsh/tools/${name}`, content]))

describe('modules', () => {
  it('load in every form, on every runtime', async (t) => {
    const result = await discover(
      tree(
        t,
        project({
          'a.js': `export default () => (${tool('plain')})`,
          'b.mjs': `export default async () => [${tool('array1')}, ${tool('array2')}]`,
          'c.cjs': `module.exports = () => (${tool('common')})`,
          'd.ts': `enum Kind { A = 'typed' }\nnamespace N { export const name = Kind.A }\nexport default (pi: { cwd: string }) => ({ ...${tool('x')}, name: N.name as string })`,
          'e.mts': `import { part } from './parts/part'\nawait null\nexport default () => part satisfies object`,
          'parts/part.ts': `export const part = ${tool('imported')}`,
          'f.cjs': `Object.defineProperty(exports, '__esModule', { value: true }); exports.default = () => (${tool('compiled')})`,
          'g.mjs': `export default ${tool('object')}`,
          'h/package.json': { main: './src/main' },
          'h/src/main.ts': factory('packaged'),
          'i/index.mjs': factory('indexed'),
        }),
      ),
    )
    assert.deepEqual(result.errors, [])
    assert.deepEqual(namesOf(result), ['plain', 'array1', 'array2', 'common', 'typed', 'imported', 'compiled', 'object', 'packaged', 'indexed'])
  })

  it('load from paths that mean something in a URL', async (t) => {
    // Bun imports nothing from a path with a question mark, in any way; Windows has none.
    const folder = process.versions.bun || isWindows ? 'to ols #1%20' : 'to ols #1%20?'
    const files = { [`project/${folder}/ü.mjs`]: factory('odd'), [`project/${folder}/t.ts`]: factory('typed') }
    const result = await discover(tree(t, files), { configured: [`${folder}/ü.mjs`, `${folder}/t.ts`] })
    assert.deepEqual(result.errors, [])
    assert.deepEqual(namesOf(result), ['odd', 'typed'])
  })

  it('of either module system load in a folder of the other, or say how to', async (t) => {
    const files = { ...project({ 'a.js': factory('esm') }), 'project/package.json': { type: 'commonjs' } }
    assert.deepEqual(namesOf(await discover(tree(t, files))), ['esm'])
    const other = { ...project({ 'a.js': `module.exports = () => (${tool('cjs')})` }), 'project/package.json': { type: 'module' } }
    const { tools, errors } = await discover(tree(t, other))
    if (tools.length === 0) assert.match(errors[0].error, /module is not defined/)
  })

  it('may be large', async (t) => {
    const padding = `// ${'x'.repeat(100)}\n`.repeat(100_000)
    assert.deepEqual(namesOf(await discover(tree(t, project({ 'a.mjs': padding + factory('large') })))), ['large'])
  })

  it('of megabytes are not translated, which would take minutes', async (t) => {
    const long = (source) => `// ${'x'.repeat(1_100_000)}\n${source}`
    const result = await discover(tree(t, project({ 'a.ts': long(factory('typed')), 'b/package.json': { main: 'bundle.mjs' }, 'b/bundle.mjs': long(factory('bundled')) })))
    if (process.versions.bun) return assert.deepEqual(namesOf(result), ['typed', 'bundled'])
    assert.deepEqual(namesOf(result), ['bundled'])
    assert.match(result.errors[0].error, /1100\d+ bytes/)
  })

  it('of 10 MB that are damaged end in an error of their own', async (t) => {
    const result = await discover(tree(t, project({ 'a.cjs': new Uint8Array(10_000_000).fill(0xff), 'b.mjs': factory('fine') })))
    assert.deepEqual(namesOf(result), ['fine'])
    assert.deepEqual(codesOf(result), [['a.cjs', 'load_failed']])
  })
})

describe('a broken module', () => {
  const broken = {
    'throws.mjs': ["\n\nthrow new Error('on import')", 'load_failed', /on import/],
    'throws-text.mjs': ["throw 'only text'", 'load_failed', /only text/],
    'throws-nothing.mjs': ['throw undefined', 'load_failed', /undefined/],
    'throws-silent.mjs': ["throw new Error('')", 'load_failed', /without words/],
    'throws-hostile.mjs': ["throw { get message() { throw 1 } }", 'load_failed', /cannot be shown/],
    'factory-throws.ts': ["export default (pi: unknown) => { throw new Error('in the factory') }", 'load_failed', /in the factory/],
    'factory-rejects.mjs': ["export default async () => { throw new Error('later') }", 'load_failed', /later/],
    'import-missing.mjs': ["import './nowhere.mjs'; export default () => ({})", 'load_failed', /nowhere\.mjs/],
    'syntax.mjs': ['const a = 1\n\nexport default ( => {', 'load_failed', /syntax\.mjs:3/],
    'syntax.cjs': ['const a = 1\nmodule.exports = ( => {', 'load_failed', /syntax\.cjs:2/],
    'syntax.ts': ['const a: number = 1\n\nexport default ( => {', 'load_failed', /syntax\.ts:3/],
    'empty.mjs': ['', 'not_a_function', /default export/],
    'named-only.mjs': [`export const tool = () => (${tool('x')})`, 'not_a_function', /default export/],
    'class.mjs': ['export default class Tool { execute() {} }', 'not_a_function', /class/],
    'text.mjs': ["export default 'tool'", 'not_a_function', /string/],
    'promise.mjs': ['export default Promise.resolve([])', 'not_a_function', /default export/],
    'incomplete-object.mjs': ["export default { name: 'x' }", 'not_a_function', /default export/],
    'undefined.mjs': ['export default () => undefined', 'invalid_tool', /expected a tool/],
    'null.mjs': ['export default async () => null', 'invalid_tool', /expected a tool/],
    'nested-array.mjs': ['export default () => [[]]', 'invalid_tool', /array/],
    'no-name.mjs': ['export default () => ({ parameters: {}, execute() {} })', 'invalid_tool', /`name`/],
    'bad-name.mjs': ["export default () => ({ name: 'two words', parameters: {}, execute() {} })", 'invalid_tool', /two words/],
    'no-execute.mjs': ["export default () => ({ name: 'x', parameters: {} })", 'invalid_tool', /`execute`/],
    'no-parameters.mjs': ["export default () => ({ name: 'x', execute() {} })", 'invalid_tool', /`parameters`/],
    'getter.mjs': ["export default () => ({ get name() { throw new Error('get out') } })", 'invalid_tool', /get out/],
    'proxy.mjs': ["export default () => new Proxy({}, { get() { throw new Error('trapped') } })", 'load_failed', /trapped/],
    // Deno ends where nothing but such a module waits.
    [isDeno ? 'never.ts' : 'never.mjs']: ['await new Promise(() => {})', 'timeout', /500 ms/],
    'factory-never.mjs': ['export default () => new Promise(() => {})', 'timeout', /500 ms/],
    'script.sh': ['echo', 'not_a_module', /script/],
    'words.md': ['# words', 'declarative_file', /describes/],
    'data.json': ['{', 'declarative_file', /describes/],
  }

  it('says why, with its place, and stops no other', async (t) => {
    const sources = Object.fromEntries(Object.entries(broken).map(([name, [source]]) => [name, source]))
    const place = tree(t, project({ ...sources, 'a-fine.mjs': factory('first'), 'z-fine.ts': factory('last') }))
    const result = await discover(place, { timeoutMs: 500 })
    assert.deepEqual(namesOf(result), ['first', 'last'])
    // In the order of the files.
    assert.deepEqual(codesOf(result).map(([name]) => name), Object.keys(broken).sort())
    for (const { path, error, code, source } of result.errors) {
      const [, expected, message] = broken[path.slice(place.at('project/.xcsh/tools/').length)]
      assert.equal(code, expected, path)
      assert.match(error, message, path)
      assert.equal(source.level, 'project')
    }
  })

  it('that blocks the others for long does not use up their time', async (t) => {
    const slow = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`s${at}.mjs`, `const end = Date.now() + 20; while (Date.now() < end);\n${factory(`slow${at}`)}`]))
    const result = await discover(tree(t, project(slow)), { timeoutMs: 2000 })
    assert.equal(result.tools.length, 30)
  })

  it('that comes to its tools too late is not heard', async (t) => {
    const result = await discover(tree(t, project({ 'a.mjs': `export default () => new Promise((_, no) => setTimeout(no, 50, new Error('late')))` })), { timeoutMs: 10 })
    await new Promise((resolve) => setTimeout(resolve, 100))
    assert.deepEqual(codesOf(result), [['a.mjs', 'timeout']])
  })
})

describe('what is no module', () => {
  it('directories, links that lead nowhere or in a circle, and pipes', { skip: isWindows && 'links need rights there' }, async (t) => {
    const place = tree(t, project({ 'fine.mjs': factory('fine'), 'tool.js/readme.txt': 'a directory', 'helpers/x.ts': 'export const x = 1', 'types.d.ts': 'export {}', 'notes.txt': 'x' }))
    const at = (name) => place.at('project/.xcsh/tools', name)
    symlinkSync('loop-b.mjs', at('loop-a.mjs'))
    symlinkSync('loop-a.mjs', at('loop-b.mjs'))
    symlinkSync('nowhere', at('gone.mjs'))
    symlinkSync('.', at('self'))
    symlinkSync('fine.mjs', at('again.mjs'))
    const hasPipe = spawnSync('mkfifo', [at('pipe.mjs')]).status === 0
    const result = await discover(place)
    // One file under two names is one module, under the first.
    assert.deepEqual(namesOf(result), ['fine'])
    const names = ['gone.mjs', 'loop-a.mjs', 'loop-b.mjs', ...(hasPipe ? ['pipe.mjs'] : []), 'tool.js']
    assert.deepEqual(codesOf(result).map(([name]) => name).sort(), names.sort())
  })

  it('a folder that cannot be read, or is a file, hides nothing', async (t) => {
    const place = tree(t, { 'project/.xcsh/tools': 'a file', 'home/.xcsh/agent/tools/a.mjs': factory('fine') })
    const result = await discover(place)
    assert.deepEqual(namesOf(result), ['fine'])
    assert.deepEqual(codesOf(result), [['tools', 'unreadable_folder']])
  })

  it('is passed over where it belongs to the folder as a package', async (t) => {
    const files = { 'package.json': {}, 'README.md': 'x', 'node_modules/x/index.js': factory('x'), '.hidden.mjs': factory('h'), 'a.mjs': factory('a') }
    const result = await discover(tree(t, project(files)))
    assert.deepEqual([namesOf(result), result.errors], [['a'], []])
  })
})

describe('metadata', () => {
  it('describes tools that do not describe themselves, and competes with none', async (t) => {
    const bare = (name) => `export default () => ({ name: '${name}', parameters: {}, execute() {} })`
    const files = {
      'by-file.mjs': bare('one'),
      'by-file.md': '---\nlabel: "The first"\ndescription: said in front\n---\nbody',
      'second.mjs': bare('two'),
      'about.json': { name: 'two', description: 'said in JSON' },
      'third.mjs': bare('three'),
      'third.md': 'said in the body',
      'own.mjs': factory('own'),
      'own.json': { description: 'not needed' },
      'stray.md': 'of nobody',
    }
    const result = await discover(tree(t, project(files)))
    const said = Object.fromEntries(result.tools.map(({ tool: { name, description } }) => [name, description]))
    assert.deepEqual(said, { one: 'said in front', own: 'd', two: 'said in JSON', three: 'said in the body' })
    assert.equal(result.tools[0].tool.label, 'The first')
    assert.deepEqual(codesOf(result), [['stray.md', 'declarative_file']])
  })

  it('of a frozen tool is told to be of no use', async (t) => {
    const files = { 'a.mjs': "export default () => Object.freeze({ name: 'a', parameters: {}, execute() {} })", 'a.md': 'words' }
    const result = await discover(tree(t, project(files)))
    assert.deepEqual([namesOf(result), codesOf(result)], [['a'], [['a.md', 'declarative_file']]])
  })
})

describe('names', () => {
  it('are unique, whatever their case, and the first keeps its own', async (t) => {
    const files = { 'a.mjs': factory('Same', 'read', 'fine'), 'b.mjs': factory('same', 'READ', 'other') }
    const result = await discover(tree(t, project(files)), { builtins: ['read'] })
    assert.deepEqual(namesOf(result), ['Same', 'fine', 'other'])
    assert.deepEqual(codesOf(result), [['a.mjs', 'name_conflict'], ['b.mjs', 'name_conflict'], ['b.mjs', 'name_conflict']])
    assert.match(result.errors[1].error, /`same`.*a\.mjs/)
  })

  it('of built-in tools may be taken where that is asked for, once', async (t) => {
    const files = { 'a.mjs': factory('read'), 'b.mjs': factory('read') }
    const result = await discover(tree(t, project(files)), { builtins: ['read'], allowOverride: true })
    assert.deepEqual([namesOf(result), codesOf(result)], [['read'], [['b.mjs', 'name_conflict']]])
  })

  it('hold for all that one loader loads', async (t) => {
    const place = tree(t, project({ 'a.mjs': factory('a'), 'b.mjs': factory('a', 'b') }))
    const loader = new CustomToolLoader(undefined, place.project, [])
    await loader.load([{ path: '.xcsh/tools/a.mjs' }])
    await loader.load([{ path: '.xcsh/tools/b.mjs' }])
    assert.deepEqual(namesOf(loader), ['a', 'b'])
    assert.deepEqual(loader.tools.map(({ path }) => path), ['.xcsh/tools/a.mjs', '.xcsh/tools/b.mjs'])
    assert.equal(loader.errors.length, 1)
  })
})

describe('switched off', () => {
  it('is what is named by file, tool or provider, and never imported', async (t) => {
    const files = {
      ...project({ 'off.mjs': "throw new Error('imported')", 'more.mjs': factory('gone', 'kept') }),
      'home/.claude/tools/c.mjs': "throw new Error('imported')",
      'home/.codex/tools/d.mjs': "throw new Error('imported')",
    }
    const result = await discover(tree(t, files), { disabled: ['off', 'tool:gone', 'claude', 'tool:d'] })
    assert.deepEqual([namesOf(result), result.errors], [['kept'], []])
  })
})

describe('trust', () => {
  const files = {
    'project/.xcsh/tools/p.mjs': "globalThis.ranUnasked = true; throw new Error('imported')",
    'project/.claude/tools/c.ts': "globalThis.ranUnasked = true; throw new Error('imported')",
    'home/.xcsh/agent/tools/u.mjs': factory('mine'),
    'project/conf.mjs': factory('configured'),
  }

  it('is asked for before anything of the project runs', async (t) => {
    const place = tree(t, files)
    const asked = []
    const trust = async (path, level) => {
      assert.equal(globalThis.ranUnasked, undefined)
      asked.push([path, level])
      return path.endsWith('conf.mjs')
    }
    const result = await discover(place, { trust, configured: ['conf.mjs'] })
    assert.equal(globalThis.ranUnasked, undefined)
    assert.deepEqual(namesOf(result), ['mine', 'configured'])
    assert.deepEqual(codesOf(result), [['p.mjs', 'untrusted'], ['c.ts', 'untrusted']])
    assert.deepEqual(asked, ['project/.xcsh/tools/p.mjs', 'project/.claude/tools/c.ts', 'project/conf.mjs'].map((path) => [place.at(...path.split('/')), 'project']))
  })

  it('that cannot be asked for is not given', async (t) => {
    for (const trust of [() => { throw new Error('no one there') }, async () => 'yes', () => undefined]) {
      const result = await discover(tree(t, files), { trust })
      assert.deepEqual(namesOf(result), ['mine'])
      assert.equal(globalThis.ranUnasked, undefined)
    }
  })

  it('is asked for where nobody says whose a path is', async (t) => {
    const place = tree(t, files)
    const source = { provider: 'native', providerName: 'n', level: 'user' }
    const paths = [{ path: 'conf.mjs' }, { path: place.at('home/.xcsh/agent/tools/u.mjs'), source }]
    const result = await loadCustomTools(paths, place.project, [], undefined, { trust: () => false })
    assert.deepEqual(namesOf(result), ['mine'])
  })

  it('of the user is not lent to a plugin that the project registers', async (t) => {
    const registry = { version: 2, plugins: { 'p@m': [{ scope: 'user', installPath: '../../plugin' }] } }
    const place = tree(t, { 'project/.xcsh/plugins/installed_plugins.json': registry, 'project/plugin/tools/a.mjs': factory('sly') })
    const result = await discover(place, { trust: () => false })
    assert.deepEqual(codesOf(result), [['a.mjs', 'untrusted']])
  })
})

describe('plugins', () => {
  const plugin = (name, manifest, files) => ({
    [`home/.xcsh/plugins/node_modules/${name}/package.json`]: { name, ...manifest },
    ...Object.fromEntries(Object.entries(files).map(([path, content]) => [`home/.xcsh/plugins/node_modules/${name}/${path}`, content])),
  })
  const dependencies = (...names) => ({ 'home/.xcsh/plugins/package.json': { dependencies: Object.fromEntries(names.map((name) => [name, '1'])) } })

  it('bring what their manifest names, with the features that are on', async (t) => {
    const features = { a: { default: true, tools: 'a.mjs' }, b: { tools: ['b.mjs'] } }
    const modules = { 'main.mjs': factory('main'), 'a.mjs': factory('feature_a'), 'b.mjs': factory('feature_b') }
    const files = { ...dependencies('@s/z', 'y'), ...plugin('@s/z', { xcsh: { tools: 'main.mjs', features } }, modules), ...plugin('y', { pi: { tools: ['dir', 'missing.mjs'] } }, { 'dir/index.ts': factory('y') }) }
    assert.deepEqual(namesOf(await discover(tree(t, files))), ['main', 'feature_a', 'y'])
    const locked = { ...files, 'home/.xcsh/plugins/xcsh-plugins.lock.json': { plugins: { '@s/z': { enabledFeatures: ['b'] }, y: { enabled: false } } } }
    assert.deepEqual(namesOf(await discover(tree(t, locked))), ['main', 'feature_b'])
    const overridden = { ...locked, 'project/.xcsh/plugin-overrides.json': { features: { '@s/z': [] } } }
    assert.deepEqual(namesOf(await discover(tree(t, overridden))), ['main'])
  })

  it('with a broken manifest are named, and hide no other', async (t) => {
    const files = { ...dependencies('x', 'y'), ...plugin('x', {}, { 'package.json': '{ not json' }), ...plugin('y', { xcsh: { tools: 'a.mjs' } }, { 'a.mjs': factory('y') }) }
    const result = await discover(tree(t, files))
    assert.deepEqual([namesOf(result), codesOf(result)], [['y'], [['package.json', 'plugin_manifest']]])
  })

  it('of marketplaces come from every registry, once, and only where they belong', async (t) => {
    const install = (path, more = {}) => [{ scope: 'user', installPath: path, version: '1', ...more }]
    const place = tree(t)
    const files = {
      'project/.xcsh/plugins/installed_plugins.json': { version: 2, plugins: { 'p@m': install(place.at('mk/p-project')) } },
      'home/.xcsh/plugins/installed_plugins.json': { version: 2, plugins: { 'p@m': install(place.at('mk/p-user')), 'no-market': [], 'q@m': [{}], 'r@m': install('~/r') } },
      'home/.claude/plugins/installed_plugins.json': { version: 2, plugins: { 's@m': install(place.at('mk/s'), { projectPath: '/elsewhere' }), 't@m': install(place.at('mk/t'), { scope: 'local', projectPath: place.project }) } },
      'mk/p-project/tools/a.mjs': factory('p_project'),
      'mk/p-user/tools/a.mjs': factory('p_user'),
      'home/r/tools/a.mjs': factory('r'),
      'mk/s/tools/a.mjs': factory('s'),
      'mk/t/tools/a.mjs': factory('t'),
    }
    for (const [path, content] of Object.entries(files)) place.write(path, content)
    const result = await discover(place)
    assert.deepEqual(result.tools.map(({ tool: { name }, source }) => [name, source.provider, source.level]), [
      ['p_project', 'claude-plugins', 'project'],
      ['r', 'claude-plugins', 'user'],
      ['t', 'claude-plugins', 'project'],
    ])
    assert.deepEqual(codesOf(result), Array(2).fill(['installed_plugins.json', 'plugin_registry']))
  })
})

describe('wrong input', () => {
  it('is named, and loads nothing', async (t) => {
    const place = tree(t, project({ 'a.mjs': "throw new Error('imported')" }))
    for (const [options, path] of [
      [{ trust: 'no' }, 'options.trust'],
      [{ timeoutMs: 0 }, 'options.timeoutMs'],
      [{ disabled: 'x' }, 'options.disabled'],
      [{ configured: [1] }, 'configuredPaths[0]'],
      [{ builtins: 'read' }, 'builtInToolNames'],
      [{ push: {} }, 'pushPendingAction'],
    ]) {
      await assert.rejects(discover(place, options), (error) => error.code === 'invalid_arguments' && error.context.issues[0].path === path, path)
    }
    await assert.rejects(loadCustomTools([], 'relative', []), /cwd/)
    await assert.rejects(loadCustomTools([{}], place.project, []), /paths\[0\]\.path/)
  })
})
