// Renderers: a picture of each tool at two widths, and what must hold whatever arrives.
//
// After a change of the looks: `UPDATE_PICTURES=1 node --test __test__/js/render.test.mjs`, then look at the difference.

import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, it } from 'node:test'

import * as core from '../../src/js/index.js'
import { samples } from './render-samples.mjs'

const native = createRequire(import.meta.url)('../../src/js/native.cjs')
const { renderToolCall, renderToolResult, toolRenderers } = core
const collapsed = { expanded: false, isPartial: false }
const expanded = { expanded: true, isPartial: false }
const partial = { expanded: false, isPartial: true, spinnerFrame: 2 }

/** All states of a sample, as people see them. */
function picture({ tool, args, result }, width) {
  const { renderCall, renderResult } = toolRenderers[tool]
  const states = {
    'running': [...renderCall(args, partial).render(width), ...renderResult({ content: result.content }, partial, undefined, args).render(width)],
    'collapsed': [...renderCall(args, collapsed).render(width), ...renderResult(result, collapsed, undefined, args).render(width)],
    'expanded': renderResult(result, expanded, undefined, args).render(width),
  }
  return Object.entries(states).map(([state, lines]) => `── ${state} ${'─'.repeat(width - state.length - 4)}\n${lines.map((line) => line.trimEnd()).join('\n')}\n`).join('')
}

describe('pictures', () => {
  for (const sample of samples) {
    const name = sample.name ?? sample.tool
    it(name, () => {
      const path = new URL(`../fixtures/pictures/${name}.txt`, import.meta.url)
      const drawn = [60, 120].map((width) => picture(sample, width)).join('\n')
      if (process.env.UPDATE_PICTURES) writeFileSync(path, drawn)
      assert.ok(existsSync(path), `there is no picture of ${name} yet`)
      assert.equal(drawn, readFileSync(path, 'utf8'))
    })
  }

  it('are there for every tool of the package', () => {
    const missing = Object.keys(toolRenderers).filter((name) => !samples.some(({ tool }) => tool === name))
    const session = { cwd: process.cwd(), hasUI: false, settings: { get() {} }, getSessionFile: () => null, getSessionSpawns: () => null }
    assert.deepEqual(missing.filter((name) => ({ ...core.BUILTIN_TOOLS, ...core.HIDDEN_TOOLS })[name]?.(session)), [])
  })
})

describe('whatever arrives', () => {
  const oddities = [undefined, null, 5, 'text', [], {}, { path: 5 }, { ops: 'x' }, { ops: [null] }, { edits: [1] }, { calculations: [null] }, { path: '한글'.repeat(99) }, { command: 'a\nb\x1b[31m\tc' }]
  const results = [undefined, null, {}, { content: 'x' }, { content: [{ type: 'text' }] }, { content: [], details: { phases: [{}] } }, { details: { diff: 5, displayContent: 5, tools: [null] } }, { isError: true, details: { perFileResults: [null, 5, { errorText: 5 }] } }, new Error('no'), { isError: true, content: [{ type: 'text', text: '가\t나'.repeat(50) }] }]

  it('something is drawn, never too wide', () => {
    for (const { renderCall, renderResult } of Object.values(toolRenderers)) {
      for (const width of [1, 7, 60]) {
        const check = (view) => view.render(width).forEach((line) => assert.ok(native.displayWidth(line) <= Math.max(width, 2), line))
        for (const options of [collapsed, expanded, partial, undefined]) {
          oddities.forEach((args) => check(renderCall(args, options)))
          results.forEach((result, index) => check(renderResult(result, options, undefined, oddities[index])))
        }
      }
    }
  })

  it('a long result is cut, and the mark says how much is missing', () => {
    const text = Array.from({ length: 5000 }, (_, index) => `line ${index}`).join('\n')
    const draw = (name, options) => toolRenderers[name].renderResult({ content: [{ type: 'text', text }] }, options).render(80)
    assert.equal(draw('bash', collapsed)[0], '  … 4990 earlier lines')
    assert.equal(draw('bash', collapsed).at(-1), '  line 4999')
    assert.equal(draw('find', collapsed).at(-1), '  … 4990 more lines')
    assert.equal(draw('find', expanded).length, 2001)
  })

  it('a wide line goes on below itself when expanded, and nothing of it is lost', () => {
    const text = '한글'.repeat(40)
    const lines = toolRenderers.find.renderResult({ content: [{ type: 'text', text }] }, expanded).render(21)
    assert.equal(lines.map((line) => line.trim()).join(''), text)
  })
})

describe('themes and hooks', () => {
  const theme = { fg: (color, text) => `<${color}>${text}</>`, bold: (text) => `*${text}*` }

  it('paint after the width is measured', () => {
    const [line] = toolRenderers.read.renderCall({ path: 'a.txt' }, collapsed, theme).render(60)
    assert.equal(line, '<accent>• </><toolTitle>*Read*</><accent> a.txt</>')
  })

  it('may be called with the theme in second place', () => {
    assert.deepEqual(toolRenderers.read.renderCall({ path: 'a' }, theme).render(60), toolRenderers.read.renderCall({ path: 'a' }, collapsed, theme).render(60))
  })

  it('that lack a colour or fail still leave the words', () => {
    const poor = { fg: () => { throw new Error('unknown colour') } }
    assert.deepEqual(toolRenderers.read.renderCall({ path: 'a' }, collapsed, poor).render(60), ['• Read a'])
    const broken = { name: 'read', label: 'x', renderCall: () => { throw new Error('broken') } }
    assert.deepEqual(renderToolCall(broken, { path: 'a' }, collapsed).render(60), ['• Read a'])
  })

  it('a hook is called as it declares', () => {
    const calls = []
    const two = { name: 'x', renderCall: (args, second) => calls.push(second) }
    const three = { name: 'x', renderCall: (args, second, third) => calls.push(second, third), renderResult: (result, options, given, args) => calls.push(args) }
    renderToolCall(two, {}, collapsed, theme)
    renderToolCall(three, {}, collapsed, theme)
    renderToolResult(three, {}, collapsed, theme, 'args')
    assert.deepEqual(calls, [theme, collapsed, theme, 'args'])
  })

  it('tools that nobody knows are drawn by their label', () => {
    assert.deepEqual(renderToolCall({ name: 'my_tool', label: 'Mine' }, { a: 'one', b: 2, c: {} }, collapsed).render(60), ['• Mine one · 2'])
    assert.deepEqual(renderToolResult(undefined, { content: [{ type: 'text', text: 'done' }] }, collapsed).render(60), ['  done'])
  })
})
