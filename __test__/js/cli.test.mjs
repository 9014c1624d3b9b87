// The command line: what it prints, how it ends, and that its tools are those of a session.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { root, temporaryDirectory } from '../runtime/process.mjs'
import { tool } from './custom-tree.mjs'

const before = 'Deno' in globalThis ? ['run', '--allow-all', '--no-check'] : []
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** Starts the command in a directory; `ended` is what became of it. */
function start(cwd, arguments_, { input, env } = {}) {
  const child = spawn(process.execPath, [...before, join(root, 'src/js/cli.js'), ...arguments_], { cwd, env: { ...process.env, NO_COLOR: '1', TOOL_CORE_LOG: '', ...env } })
  const texts = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr']) child[name].setEncoding('utf8').on('data', (chunk) => (texts[name] += chunk))
  child.stdin.end(input)
  const ended = new Promise((resolve, reject) => child.on('error', reject).on('close', (code, signal) => resolve({ code: code ?? signal, ...texts })))
  return { child, ended }
}

const run = (cwd, arguments_, options) => start(cwd, arguments_, options).ended
const json = ({ stdout }) => JSON.parse(stdout)

test('call prints the text of a result', async (t) => {
  const cwd = temporaryDirectory(t)
  writeFileSync(join(cwd, 'a.txt'), 'one\ntwo\n')
  const { code, stdout, stderr } = await run(cwd, ['call', 'read', '{"path":"a.txt"}'])
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
  assert.match(stdout, /one\n.*two\n/)
})

test('arguments come from standard input, the directory from --cwd, and --json shows the whole result', async (t) => {
  const cwd = temporaryDirectory(t)
  writeFileSync(join(cwd, 'a.txt'), 'one\n')
  const result = await run(root, ['call', 'read', '-', '--cwd', cwd, '--json'], { input: '{"path":"a.txt"}' })
  assert.equal(result.code, 0, result.stderr)
  const { content, details } = json(result)
  assert.equal(content[0].type, 'text')
  assert.match(content[0].text, /one/)
  assert.ok(Array.isArray(details.notices ?? []))
})

test('settings are given by dotted key or nested', async (t) => {
  const cwd = temporaryDirectory(t)
  for (const settings of [{ 'calc.enabled': true }, { calc: { enabled: true } }]) {
    const { code, stdout } = await run(cwd, ['schema', 'calc', '--settings', JSON.stringify(settings)])
    assert.equal(code, 0)
    assert.equal(JSON.parse(stdout).name, 'calc')
  }
})

test('a failure ends with 1, and --json names its code', async (t) => {
  const cwd = temporaryDirectory(t)
  const plain = await run(cwd, ['call', 'read', '{"path":"nowhere.txt"}'])
  assert.deepEqual([plain.code, plain.stdout], [1, ''])
  assert.match(plain.stderr, /nowhere\.txt.*\(path_not_found\)\n$/)
  const asJson = await run(cwd, ['call', 'read', '{"path":"nowhere.txt"}', '--json'])
  assert.equal(asJson.code, 1)
  assert.equal(json(asJson).error.code, 'path_not_found')
  assert.equal(json(asJson).error.context.path, 'nowhere.txt')
})

test('a wrong command line ends with 2', async (t) => {
  const cwd = temporaryDirectory(t)
  const wrong = [
    [],
    ['frobnicate'],
    ['call'],
    ['call', 'no_such_tool'],
    ['call', 'toString'],
    ['call', 'read', '{'],
    ['call', 'read', '[]'],
    ['call', 'read', '{}', 'more'],
    ['call', 'read', '{"pth":1}'],
    ['call', 'calc', '{"expression":"1"}'],
    ['list', '--settings', '3'],
    ['list', '--nonsense'],
    ['list', '--tool', 'nowhere.mjs'],
  ]
  const ends = await Promise.all(wrong.map((arguments_) => run(cwd, arguments_)))
  ends.forEach(({ code, stdout, stderr }, at) => {
    assert.deepEqual({ code, stdout }, { code: 2, stdout: '' }, wrong[at].join(' '))
    assert.ok(stderr.trim().length > 10 && !stderr.includes('\n    at '), stderr)
  })
})

test('list, --help and --version', async (t) => {
  const cwd = temporaryDirectory(t)
  const [names, listed, help, versions] = await Promise.all([['list'], ['list', '--json'], ['--help'], ['--version']].map((arguments_) => run(cwd, arguments_)))
  for (const { code, stderr } of [names, listed, help, versions]) assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
  const tools = json(listed).map(({ name }) => name)
  assert.ok(tools.includes('read') && tools.includes('edit'))
  assert.deepEqual(names.stdout.trimEnd().split('\n').map((line) => line.split(' ')[0]), tools)
  assert.match(help.stdout, /call NAME/)
  assert.equal(versions.stdout, `${version}\n`)
})

test('a custom tool can be tried, also where its result is an error or none', async (t) => {
  const cwd = temporaryDirectory(t)
  const module = (name, body) => writeFileSync(join(cwd, `${name}.mjs`), `export default () => (${tool(name, `async execute(id, params) { ${body} }`)})\n`)
  module('echo', 'return { content: [{ type: "text", text: JSON.stringify(params) }] }')
  module('sad', 'return { content: [{ type: "text", text: "no" }], isError: true }')
  module('nothing', '')
  module('round', 'const details = {}; details.self = details; return { content: [], details }')
  const call = (name, ...more) => run(cwd, ['call', name, '{"a":1}', '--tool', `${name}.mjs`, ...more])
  const [echo, sad, nothing, round] = await Promise.all([call('echo'), call('sad'), call('nothing'), call('round', '--json')])
  assert.deepEqual(echo, { code: 0, stdout: '{"a":1}\n', stderr: '' })
  assert.deepEqual([sad.code, sad.stdout], [1, 'no\n'])
  assert.equal(nothing.code, 0)
  assert.equal(round.code, 1)
  assert.match(json(round).error.message, /circular|cyclic/i)
})

test('--apply applies the preview that a call leaves', async (t) => {
  const cwd = temporaryDirectory(t)
  writeFileSync(join(cwd, 'a.js'), 'before(1)\n')
  const arguments_ = ['call', 'ast_edit', '{"ops":[{"pat":"before($A)","out":"after($A)"}],"paths":["a.js"]}']
  assert.equal((await run(cwd, arguments_)).code, 0)
  assert.equal(readFileSync(join(cwd, 'a.js'), 'utf8'), 'before(1)\n')
  const { code, stderr } = await run(cwd, [...arguments_, '--apply'])
  assert.equal(code, 0, stderr)
  assert.equal(readFileSync(join(cwd, 'a.js'), 'utf8'), 'after(1)\n')
})

test('TOOL_CORE_LOG leaves a line for each call, and none for tools that it does not name', async (t) => {
  const cwd = temporaryDirectory(t)
  writeFileSync(join(cwd, 'a.txt'), 'one\n')
  const call = (level, path) => run(cwd, ['call', 'read', JSON.stringify({ path })], { env: { TOOL_CORE_LOG: level } })
  const time = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`
  const [plain, debug, failed, other] = await Promise.all([call('calls', 'a.txt'), call('debug:read', 'a.txt'), call('1', 'b.txt'), call('debug:write', 'a.txt')])
  assert.match(plain.stderr, new RegExp(`^${time} read cli \\d+\\.\\d ms ok\\n$`))
  assert.match(debug.stderr, new RegExp(`^${time} read cli starts \\{"path":"a\\.txt"\\}\\n${time} read cli \\d+\\.\\d ms ok \\d+ characters`))
  assert.match(failed.stderr, new RegExp(`^${time} read cli \\d+\\.\\d ms path_not_found\\n`))
  assert.equal(other.stderr, '')
  for (const { stdout } of [plain, debug, other]) assert.match(stdout, /one/)
})

test('an interrupted call ends its command and the program', { skip: process.platform === 'win32' && 'Windows has no signals to send' }, async (t) => {
  const cwd = temporaryDirectory(t)
  const { child, ended } = start(cwd, ['call', 'bash', '{"command":"echo $$ > pid; sleep 300"}'])
  const file = join(cwd, 'pid')
  while (child.exitCode === null && !(existsSync(file) && readFileSync(file, 'utf8').includes('\n'))) await new Promise((resolve) => setTimeout(resolve, 20))
  // Not `child.kill`: Deno takes what it sent for how the child ended.
  process.kill(child.pid, 'SIGINT')
  const { code, stderr } = await ended
  assert.equal(code, 1, stderr)
  assert.throws(() => process.kill(Number(readFileSync(file, 'utf8')), 0), { code: 'ESRCH' })
})
