// Renderers on what the executors really give: every tool, good, empty and failing, at two widths.

import assert from 'node:assert/strict'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'

import * as core from '../../src/js/index.js'
import { testSession } from './session.mjs'

const native = createRequire(import.meta.url)('../../src/js/native.cjs')
const isWindows = process.platform === 'win32'
const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'render-real-')))
after(() => rmSync(cwd, { recursive: true, force: true }))

writeFileSync(join(cwd, 'a.ts'), `call(1)\ncall('${'한글 wide '.repeat(60)}')\n\tcall(\u001b[31m\u0007)\n`)
writeFileSync(join(cwd, 'empty.txt'), '')
writeFileSync(join(cwd, 'binary.bin'), Buffer.from([0, 1, 2, 27, 255, 0]))
writeFileSync(join(cwd, 'odd\u001b[2Jname\u0085.txt'), 'odd\n')

const session = testSession({
  cwd,
  settings: { 'edit.mode': 'replace' },
  goalRuntime: true,
  skills: [{ name: 'review', content: 'Look.\n' }],
  sendCustomMessage: async () => {},
})

/** Names, then the arguments of calls one after another. */
const calls = {
  read: [{ path: 'a.ts' }, { path: 'empty.txt' }, { path: 'binary.bin' }, { path: '.' }, { path: 'gone' }],
  search: [{ pattern: 'call' }, { pattern: 'nowhere_at_all' }, { pattern: '(' }, { pattern: 'odd' }],
  find: [{ paths: ['**/*'] }, { paths: ['*.none'] }, { paths: ['gone/x'] }],
  write: [{ path: 'b.txt', content: 'a\r\nb\u001b[31m\n' }, { path: 'c.txt', content: '' }, { path: '.', content: 'x' }],
  edit: [
    { path: 'b.txt', edits: [{ old_text: 'a', new_text: '\u001b]0;title\u0007a' }] },
    { path: 'b.txt', edits: [{ old_text: 'not there', new_text: 'x' }] },
  ],
  bash: [{ command: 'printf "\\033[2J\\001x\\ty\\n"; seq 100' }, { command: 'true' }, { command: 'echo out; exit 3' }, { command: 'echo x', timeout: 0.1 }],
  ast_grep: [{ pat: 'call($A)', paths: ['a.ts'] }, { pat: 'none($A)', paths: ['.'] }, { pat: 'call(', paths: ['a.ts'] }],
  ast_edit: [{ ops: [{ pat: 'call($A)', out: 'made($A)' }], paths: ['a.ts'] }, { ops: [{ pat: 'none($A)', out: 'x' }], paths: ['a.ts'] }],
  resolve: [{ action: 'discard', reason: 'a\u001b[31mb' }],
  todo_write: [{ ops: [{ op: 'init', list: [{ phase: 'One\u001b[0m', items: ['a\nb', '한글'.repeat(80)] }] }] }, { ops: [{ op: 'start', task: 'not there' }] }],
  goal: [{ op: 'create', objective: 'x\u001b[31m\ny' }, { op: 'get' }, { op: 'create', objective: '' }],
  skill: [{ name: 'review' }, { name: 'none' }],
  calc: [{ calculations: [{ expression: '2 ** 64' }] }, { calculations: [{ expression: '1 / 0' }] }],
  yield: [{ result: { data: { text: '\u001b[31m', list: [1, 2] } } }, { result: { error: 'no\u0007' } }],
  report_finding: [{ title: 't\u001b[31m', body: 'b\n\n\tc', priority: 'P1', confidence: 0.5, file_path: 'a.ts', line_start: 1, line_end: 2 }],
}

const states = [{ expanded: false, isPartial: false }, { expanded: true, isPartial: false }, { expanded: false, isPartial: true, spinnerFrame: 3 }]

/** No line may be wider than asked for, or hold what moves a cursor. */
function check(name, lines, width) {
  for (const line of lines) {
    assert.ok(native.displayWidth(line) <= width, `${name}: ${native.displayWidth(line)} of ${width} columns: ${JSON.stringify(line)}`)
    // eslint-disable-next-line no-control-regex
    assert.doesNotMatch(line, /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/, `${name}: ${JSON.stringify(line)}`)
  }
}

describe('what an executor gives', () => {
  for (const [name, all] of Object.entries(calls)) {
    it(`is drawn: ${name}`, { skip: isWindows }, async () => {
      const tool = await ({ ...core.BUILTIN_TOOLS, ...core.HIDDEN_TOOLS })[name](session)
      const { renderCall, renderResult } = core.toolRenderers[name]
      for (const args of all) {
        const result = await tool.execute('id', args).catch((error) => error)
        for (const width of [60, 120]) {
          for (const options of states) {
            check(name, renderCall(args, options).render(width), width)
            const drawn = renderResult(result, options, undefined, args).render(width)
            assert.ok(drawn.length > 0, `${name} ${JSON.stringify(args)} draws nothing`)
            check(name, drawn, width)
          }
        }
      }
    })
  }
})

describe('a result of any size', () => {
  const draw = (name, text, options) => core.toolRenderers[name].renderResult({ content: [{ type: 'text', text }] }, options).render(60)

  it('costs no more than what is drawn of it', () => {
    let looked = 0
    const { fitToWidth, wrapToWidth } = native
    native.fitToWidth = (pieces, columns) => ((looked += pieces.join('').length), fitToWidth(pieces, columns))
    native.wrapToWidth = (line, columns) => ((looked += line.length), wrapToWidth(line, columns))
    try {
      for (const text of ['x'.repeat(2_000_000), 'line of a log\n'.repeat(50_000), `${' '.repeat(500_000)}x`]) {
        for (const name of ['bash', 'read']) {
          for (const options of states) {
            looked = 0
            draw(name, text, options)
            assert.ok(looked < 500_000, `${name} looked at ${looked} characters`)
          }
        }
      }
    } finally {
      Object.assign(native, { fitToWidth, wrapToWidth })
    }
  })

  it('is drawn from the end that is kept, with a word on the rest', () => {
    const text = Array.from({ length: 9_000 }, (_, index) => `${index} ${'x'.repeat(100)}`).join('\n')
    const [head, tail] = [draw('find', text, states[1]), draw('bash', text, states[1])]
    assert.equal(head.length, 2_001)
    assert.match(head[0], /^ {2}0 x/)
    assert.match(head.at(-1), /… 8001 more lines/)
    assert.match(tail[0], /… 8001 earlier lines/)
    assert.match(tail.at(-2), /^ {2}8999 x/)
  })
})
