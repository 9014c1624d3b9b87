// The vector runner over the fixtures, and the runner itself: what it calls passed, failed and not run.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const fixtures = join(root, '__test__/fixtures')

const outside = mkdtempSync(join(tmpdir(), 'vectors-test-'))
after(() => rmSync(outside, { recursive: true, force: true }))

/** Runs the command; it belongs to Node, whatever runs this test. */
function run(...args) {
  const { status, stdout, stderr } = spawnSync('node', [join(root, 'scripts/vectors.mjs'), ...args], { encoding: 'utf8', cwd: outside })
  return { status, stdout, stderr, last: stdout.trimEnd().split('\n').at(-1) }
}

let folders = 0

/** A folder outside the repository with the given files. */
function folder(files) {
  const path = join(outside, String(folders++))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true })
    writeFileSync(join(path, name), JSON.stringify(content))
  }
  return path
}

const essential = (id, names, expected) => ({ id, essentialOverride: names, reference: expected })

test('the fixtures pass, file by file', () => {
  const selection = { create_tools: 120, essential_names: 8, initial_partition: 26, registry: 38 }
  const discovery = { discovery_descriptor: 21, discovery_helpers: 10, discovery_search: 116, discovery_tokenize: 120 }
  const choice = { tool_choice: 919, refusals: 13, queue: 80, resolve: 20 }
  const output = { format_bytes: 11, meta_wrapper: 20, output_meta: 17, truncation: 170 }
  const calls = { validation: 159, intent: 15, schema_upgrade: 20, loop: 57 }
  const custom = { custom_tools: 55 }
  const executors = { bash: 86, find: 61, read: 195, search: 91, write: 46, ast_grep: 45, ast_edit: 29, todo_write: 45, small_tools: 45 }
  // Not run: the grammar of database addresses, which here depends on the tables there are.
  const inPart = { path_selectors: [142, 23] }
  const edit = { replace: 78, patch: 94, apply_patch: 62, hashline: 117, hashline_hashes: 438, vim: 204 }
  const counts = { ...selection, ...discovery, ...choice, ...output, ...calls, ...custom, ...executors, ...edit }
  const { status, stdout } = run(join(fixtures, 'vectors'))
  const whole = Object.entries(counts).map(([name, count]) => [name, [count, 0]])
  for (const [name, [passed, notRun]] of [...whole, ...Object.entries(inPart)]) {
    assert.match(stdout, new RegExp(`^\\w+/${name}\\.json: ${passed} passed, 0 failed, ${notRun} not run$`, 'm'), stdout)
  }
  assert.equal(status, 0)
})

test('every changed expectation gives its reason and belongs to a case', () => {
  const names = ['essential_names', 'initial_partition', 'registry', 'tool_choice', 'queue', 'resolve', 'truncation', 'meta_wrapper', 'validation', 'intent', 'loop', 'custom_tools']
  for (const name of names) {
    const read = (path) => JSON.parse(readFileSync(join(fixtures, path), 'utf8'))
    const ids = new Set(read(`vectors/core/${name}.json`).cases.map((one) => one.id ?? one.name))
    for (const [id, { expected, why }] of Object.entries(read(`changed/${name}.json`))) {
      assert.ok(ids.has(id), `${name}: ${id}`)
      assert.ok(expected !== undefined && why.length > 20, `${name}: ${id}`)
    }
  }
})

test('every changed expectation says what is expected and why', () => {
  for (const name of readdirSync(join(fixtures, 'changed'))) {
    for (const [id, { expect, expected = expect, why }] of Object.entries(JSON.parse(readFileSync(join(fixtures, 'changed', name), 'utf8')))) {
      assert.ok(expected !== undefined && expected.why === undefined && why.length > 20, `${name}: ${id}`)
    }
  }
})

test('a wrong expectation fails, with a difference and exit code 1', () => {
  const cases = [essential('right', ['write', 'read'], ['write', 'read']), essential('wrong', ['write', 'read'], ['read', 'bash'])]
  const { status, stdout, last } = run(folder({ 'core/essential_names.json': { meta: {}, cases } }))
  assert.equal(status, 1)
  assert.equal(last, '1 passed, 1 failed, 0 not run')
  assert.match(stdout, /✗ core\/essential_names\.json {2}wrong\n {2}names: - expected, \+ actual\n/)
  assert.match(stdout, /^ {2}- bash$/m)
  assert.match(stdout, /^ {2}\+ write$/m)
})

test('wrong selections fail in each kind', () => {
  const select = { id: 'a', request: ['read'], tools: ['read', 'resolve'] }
  const split = { id: 'b', expected: { active: ['read'], registry: ['read', 'bash'], selected: [], enabled: true } }
  const row = { name: 'read', hidden: false, built: true, label: 'Reed', loadMode: 'essential', parameterKeys: ['path'] }
  const files = { create_tools: select, initial_partition: split, registry: row }
  const wrapped = Object.entries(files).map(([name, one]) => [`${name}.json`, { meta: {}, cases: [one] }])
  const { status, last, stdout } = run(folder(Object.fromEntries(wrapped)))
  assert.equal(last, '0 passed, 3 failed, 0 not run', stdout)
  assert.equal(status, 1)
})

test('kinds nobody drives are not run', () => {
  const { status, stdout, last } = run(folder({ 'weather.json': { meta: {}, cases: [{ id: 'rain' }, { id: 'snow' }] }, 'plain.json': ['a', 'b', 'c'] }))
  assert.equal(status, 0)
  assert.equal(last, '0 passed, 0 failed, 5 not run')
  assert.match(stdout, /2 × nothing here drives `weather`/)
})

test('quirks are not run', () => {
  const one = { id: 'q', mode: 'replace', files: {}, params: {}, expect: { error_kind: 'never' } }
  const { status, last } = run(folder({ 'edit/quirks/replace.json': [one], 'replace.json': [{ ...one, quirk: 'a reason' }] }))
  assert.equal(status, 0)
  assert.equal(last, '0 passed, 0 failed, 2 not run')
})

test('tools and edit modes that do not exist are not run', () => {
  const exec = { id: 'x', tool: 'no_such_tool', tree: {}, settings: {}, params: {}, expect: { text: '' } }
  const edit = { id: 'y', mode: 'no_such_mode', files: {}, params: {}, expect: { files: {} } }
  const { status, last, stdout } = run(folder({ 'a.json': [exec], 'b.json': [edit] }))
  assert.equal(status, 0)
  assert.equal(last, '0 passed, 0 failed, 2 not run')
  assert.match(stdout, /there is no tool `no_such_tool` yet/)
})

test('changed expectations follow the file name to any folder', () => {
  const cases = [essential('ess-case', ['READ'], [])]
  assert.equal(run(folder({ 'essential_names.json': { meta: {}, cases } })).last, '1 passed, 0 failed, 0 not run')
  assert.equal(run(folder({ 'other_name.json': { meta: {}, cases } })).last, '0 passed, 1 failed, 0 not run')
})

test('--only takes a file name, an id, or the beginning of ids', () => {
  const cases = ['ab', 'ac', 'b'].map((id) => essential(id, ['read'], ['read']))
  const target = folder({ 'one.json': { meta: {}, cases }, 'two.json': { meta: {}, cases: [essential('z', ['bash'], ['bash'])] } })
  const passed = (only) => Number.parseInt(run(target, '--only', only).last, 10)
  assert.deepEqual(['one', 'one.json', 'two', 'a*', 'b'].map(passed), [3, 3, 1, 2, 1])
  assert.equal(run(target, '--only', 'nothing').status, 2)
})

test('a single file can be named', () => {
  const target = join(folder({ 'one.json': { meta: {}, cases: [essential('a', ['read'], ['read'])] } }), 'one.json')
  assert.equal(run(target).last, '1 passed, 0 failed, 0 not run')
})

test('a missing folder or argument is a usage error', () => {
  for (const args of [[], [join(outside, 'gone')], ['a', 'b']]) {
    const { status, stderr } = run(...args)
    assert.equal(status, 2, stderr)
    assert.notEqual(stderr, '')
  }
})
