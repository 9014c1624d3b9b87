// Rules of paths, patches and notebooks as functions: what hosts import from the tool core beside its tools.

import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'

import * as core from '../../src/js/index.js'

const posix = { skip: process.platform === 'win32' }
const theme = { fg: (_colour, text) => text }

describe('paths', posix, () => {
  let directory
  before(() => {
    directory = mkdtempSync(join(tmpdir(), 'paths-'))
    writeFileSync(join(directory, 'don’t.txt'), '')
  })
  after(() => rmSync(directory, { recursive: true }))

  it('are expanded', () => {
    for (const [path, expected] of [['~', '/h'], ['~/a', '/h/a'], ['~user', '~user'], ['a/~', 'a/~']]) assert.equal(core.expandTilde(path, '/h'), expected)
    for (const [path, expected] of [
      ['@~/a b', `${homedir()}/a b`],
      ['@/x', '/x'],
      ['@scope/x', '@scope/x'],
      ['file:///a%20b', '/a b'],
      ['src/./a', 'src/./a'],
    ]) assert.equal(core.expandPath(path), expected)
    assert.throws(() => core.expandPath('file://host/a'), { code: 'io_error' })
  })

  it('are resolved', () => {
    for (const [path, expected] of [['a/../b', '/w/b'], ['/', '/w'], ['/x/./y', '/x/y'], ['.', '/w']]) assert.equal(core.resolveToCwd(path, '/w'), expected)
    assert.throws(() => core.resolveToCwd('agent://1', '/w'), { code: 'internal_url_as_path' })
    assert.throws(() => core.resolveToCwd('', '/w'), { code: 'empty_path' })
    assert.throws(() => core.resolveToCwd(7, '/w'), { code: 'invalid_arguments' })
    assert.equal(core.resolveReadPath("don't.txt", directory), join(directory, 'don’t.txt'))
    assert.equal(core.resolveReadPath('none.txt', directory), join(directory, 'none.txt'))
  })

  it('are shown', () => {
    for (const [path, options, expected] of [
      ['/w/src/a', {}, 'src/a'],
      ['src', { trailingSlash: true }, 'src/'],
      ['/w', { trailingSlash: true }, '.'],
      ['/elsewhere', {}, '/elsewhere'],
      ['agent://1', {}, 'agent://1'],
      ['local:/plan.md', { trailingSlash: true }, 'local://plan.md'],
    ]) assert.equal(core.formatPathRelativeToCwd(path, '/w', options), expected)
    assert.equal(core.normalizeLocalScheme('local://a'), 'local://a')
    for (const [text, expected] of [['"a"', 'a'], ['"', '"'], ['"a', '"a'], ["'a'", "'a'"], ['""', '']]) assert.equal(core.stripOuterDoubleQuotes(text), expected)
  })

  it('are told from their selectors', () => {
    for (const [text, path, sel] of [
      ['a.ts', 'a.ts'],
      ['a.ts:5-9', 'a.ts', '5-9'],
      ['a.ts:raw:5-9', 'a.ts', 'raw:5-9'],
      ['C:\\x', 'C:\\x'],
      ['a.ts:nope', 'a.ts:nope'],
    ]) assert.deepEqual(core.splitPathAndSel(text), sel === undefined ? { path } : { path, sel })
  })

  it('are listed by directory', () => {
    const sections = { 'a.ts': { modelLines: ['1'], headerSuffix: ' (x)' }, 'src/b.ts': { modelLines: ['2'], displayLines: ['two'] }, 'src/c.ts': { modelLines: [], skip: true }, 'd.ts': { modelLines: [] }, 'src/e.ts': { modelLines: ['3'] } }
    const { model, display } = core.formatGroupedFiles(Object.keys(sections), (file) => sections[file])
    assert.deepEqual(model, ['# a.ts (x)', '1', '', '# src/', '## b.ts', '2', '## e.ts', '3', '', '# d.ts'])
    assert.deepEqual(display, ['# a.ts (x)', '1', '', '# src/', '## b.ts', 'two', '## e.ts', '3', '', '# d.ts'])
  })
})

describe('modes of edit', () => {
  const settings = (values) => ({ get: (key) => values[key] })

  it('have names', () => {
    assert.deepEqual([...core.EDIT_MODES].sort(), ['apply_patch', 'hashline', 'patch', 'replace', 'vim'])
    for (const mode of core.EDIT_MODES) assert.equal(core.normalizeEditMode(mode), mode)
    for (const text of ['', null, undefined, 'toString', 'Patch']) assert.equal(core.normalizeEditMode(text), undefined)
    assert.equal(core.resolveEditMode({ settings: settings({ 'edit.mode': 'vim' }) }), 'vim')
    assert.equal(core.resolveEditMode({ settings: settings({}) }), 'hashline')
    const byModel = settings({ 'edit.modelVariants': { special: 'patch' } })
    assert.equal(core.resolveEditMode({ settings: byModel, getActiveModelString: () => 'p/special' }), 'patch')
  })

  it('decide what stands before lines', () => {
    for (const [values, options, expected] of [
      [{}, {}, { lineNumbers: true, hashLines: true }],
      [{}, { raw: true }, { lineNumbers: false, hashLines: false }],
      [{}, { immutable: true }, { lineNumbers: false, hashLines: false }],
      [{ readLineNumbers: true }, { immutable: true }, { lineNumbers: true, hashLines: false }],
      [{ readHashLines: false }, {}, { lineNumbers: false, hashLines: false }],
      [{ 'edit.mode': 'replace' }, {}, { lineNumbers: false, hashLines: false }],
    ]) assert.deepEqual(core.resolveFileDisplayMode({ settings: settings(values) }, options), expected)
    assert.equal(core.resolveFileDisplayMode({ settings: settings({}), hasEditTool: false }).hashLines, false)
  })

  it('preview what arrives', async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'modes-'))
    try {
      writeFileSync(join(cwd, 'a.txt'), 'one\ntwo\n')
      const strategy = core.EDIT_MODE_STRATEGIES.replace
      const whole = { path: 'a.txt', edits: [{ old_text: 'two', new_text: 'three' }] }
      const [{ path, diff }] = await strategy.computeDiffPreview(whole, { cwd })
      assert.equal(path, 'a.txt')
      assert.match(diff, /three/)
      const arriving = strategy.extractCompleteEdits({ path: 'a.txt', edits: [{ old_text: 'two', new_text: 'thr' }] }, '{"path":"a.txt","edits":[{"old_text":"two","new_text":"thr')
      assert.equal(await strategy.computeDiffPreview(arriving, { cwd }), null)
      const patch = core.EDIT_MODE_STRATEGIES.patch
      const raw = JSON.stringify({ path: 'a.txt', edits: [{ diff: '@@\n-one\n+first\n@@\n-two\n+second\n' }] })
      const upTo = (end) => patch.computeDiffPreview(patch.extractCompleteEdits({}, raw.slice(0, raw.indexOf(end))), { cwd })
      assert.equal(await upTo('+first'), null)
      assert.match((await upTo('+second'))[0].diff, /first\n 2\|two/)
      const envelope = { input: '*** Begin Patch\n*** Update File: a.txt\n@@\n-two\n+second\n*** End Patch\n' }
      assert.match((await core.EDIT_MODE_STRATEGIES.apply_patch.computeDiffPreview(envelope, { cwd }))[0].diff, /second/)
      assert.equal(await core.EDIT_MODE_STRATEGIES.vim.computeDiffPreview({ file: 'a.txt', steps: [{ kbd: ['dd'] }] }, { cwd }), null)
      assert.equal(readFileSync(join(cwd, 'a.txt'), 'utf8'), 'one\ntwo\n')
      for (const mode of core.EDIT_MODES) {
        assert.equal(core.EDIT_MODE_STRATEGIES[mode].renderStreamingFallback({}, theme), '')
        assert.match(core.EDIT_MODE_STRATEGIES[mode].renderStreamingFallback({ input: 'arrived' }, theme), /arrived/)
      }
    } finally {
      rmSync(cwd, { recursive: true })
    }
  })
})

describe('patches', () => {
  it('are taken apart', () => {
    const input = ['*** Begin Patch', '*** Add File: a', '+x', '*** Update File: b', '*** Move to: c', '@@', '-y', '+z', '*** Delete File: d', '*** End Patch'].join('\n')
    assert.deepEqual(core.expandApplyPatchToEntries({ input }), [
      { path: 'a', op: 'create', diff: 'x\n' },
      { path: 'b', op: 'update', rename: 'c', diff: '@@\n-y\n+z' },
      { path: 'd', op: 'delete' },
    ])
  })

  it('say where they cannot be read', () => {
    for (const [input, code, line] of [
      ['nothing', 'envelope_missing_begin'],
      ['*** Begin Patch\n*** Add File: a\n+x', 'envelope_missing_end'],
      ['*** Begin Patch\n*** Begin Patch\n*** End Patch', 'bad_hunk_header', 2],
    ]) {
      assert.throws(() => core.expandApplyPatchToEntries({ input }), (error) => {
        assert.ok(error instanceof core.ParseError && error instanceof core.ToolError)
        assert.equal(error.code, code)
        assert.equal(error.lineNumber, line)
        return true
      })
    }
  })

  it('lose what surrounds their hunks', () => {
    const hunk = '@@ -1 +1 @@\n-a\n+b'
    for (const around of [
      hunk,
      `*** Begin Patch\n*** Update File: x\n${hunk}\n*** End Patch\n`,
      `diff --git a/x b/x\nindex 1..2\n--- a/x\n+++ b/x\n${hunk}\n`,
      `--- a/x\r\n+++ b/x\r\n${hunk.replaceAll('\n', '\r\n')}\r\n`,
    ]) assert.equal(core.normalizeDiff(around), hunk)
    // Lines that go and come look like names, too.
    assert.equal(core.normalizeDiff('@@\n--- a\n+++ b'), '@@\n--- a\n+++ b')
  })

  it('compare texts in a form of their own', () => {
    assert.equal(core.normalizeToLF('a\r\nb\rc\n'), 'a\nb\nc\n')
    assert.deepEqual(core.stripBom('\uFEFFa'), { bom: '\uFEFF', text: 'a' })
    assert.deepEqual(core.stripBom('a'), { bom: '', text: 'a' })
    assert.equal(core.normalizeUnicode('  “a”\u2014b\u00A0c '), '"a"-b c')
  })

  it('are previewed without a change', async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'patch-'))
    try {
      writeFileSync(join(cwd, 'a.txt'), 'one\r\ntwo\r\n')
      const preview = (input) => core.previewPatch(input, { cwd })
      assert.deepEqual(await preview({ path: 'a.txt', op: 'update', diff: '@@\n-two\n+three' }), {
        change: { type: 'update', path: join(cwd, 'a.txt'), oldContent: 'one\r\ntwo\r\n', newContent: 'one\r\nthree\r\n' },
      })
      assert.deepEqual((await preview({ path: 'a.txt', op: 'update', rename: 'b.txt', diff: '@@\n-two\n+three' })).change.newPath, join(cwd, 'b.txt'))
      assert.deepEqual((await preview({ path: 'new.txt', op: 'create', diff: '+x' })).change, { type: 'create', path: join(cwd, 'new.txt'), newContent: 'x\n' })
      assert.deepEqual((await preview({ path: 'a.txt', op: 'delete' })).change, { type: 'delete', path: join(cwd, 'a.txt'), oldContent: 'one\r\ntwo\r\n' })
      await assert.rejects(preview({ path: 'a.txt', op: 'update', diff: '@@\n one\n-none\n+x' }), { code: 'lines_not_found' })
      await assert.rejects(preview({ path: 'a.txt', op: 'update', diff: '@@' }), (error) => error instanceof core.ParseError)
      await assert.rejects(core.previewPatch({ path: 'a', op: 'delete' }, { cwd, fs: {} }), { code: 'unsupported' })
      await assert.rejects(core.previewPatch({ path: 'a', op: 'delete' }), { code: 'invalid_arguments' })
      assert.equal(readFileSync(join(cwd, 'a.txt'), 'utf8'), 'one\r\ntwo\r\n')
    } finally {
      rmSync(cwd, { recursive: true })
    }
  })

  it('do not change files that programs make', async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'generated-'))
    try {
      writeFileSync(join(cwd, 'a.ts'), '// Code generated by protoc. DO NOT EDIT.\n')
      writeFileSync(join(cwd, 'b.ts'), 'export {}\n')
      await assert.rejects(core.assertEditableFile(join(cwd, 'a.ts'), 'a.ts'), { code: 'auto_generated_file', path: 'a.ts' })
      await core.assertEditableFile(join(cwd, 'b.ts'))
      await core.assertEditableFile(join(cwd, 'none.ts'))
      await assert.rejects(core.assertEditableFile(cwd), { code: 'io_error' })
      assert.ok(core.MAX_EDIT_FILE_BYTES > 1_000_000)
    } finally {
      rmSync(cwd, { recursive: true })
    }
  })
})

describe('notebooks', () => {
  it('keep their layout', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'notebooks-'))
    try {
      const path = join(directory, 'a.ipynb')
      for (const text of ['{\n    "cells": [],\n    "metadata": {},\n    "nbformat": 4,\n    "nbformat_minor": 5\n}\n', '{"cells":[],"metadata":{},"nbformat":4,"nbformat_minor":5}']) {
        writeFileSync(path, text)
        assert.equal(core.serializeNotebookDocument(await core.readNotebookDocument(path)), text)
      }
      await assert.rejects(core.readNotebookDocument(join(directory, 'none.ipynb'), 'none.ipynb'), { code: 'path_not_found', path: 'none.ipynb' })
      writeFileSync(path, '{"cells":')
      await assert.rejects(core.readNotebookDocument(path), { code: 'notebook_bad_json' })
      writeFileSync(path, '{}')
      await assert.rejects(core.readNotebookDocument(path), { code: 'notebook_bad_structure' })
      mkdirSync(join(directory, 'b.ipynb'))
      await assert.rejects(core.readNotebookDocument(join(directory, 'b.ipynb')), { code: 'io_error' })
    } finally {
      rmSync(directory, { recursive: true })
    }
  })

  it('are made', () => {
    assert.deepEqual(core.splitNotebookSource('a\n\nb'), ['a\n', '\n', 'b'])
    assert.deepEqual(core.splitNotebookSource(''), [])
    assert.deepEqual(core.createNotebookCell('markdown', 'x'), { cell_type: 'markdown', metadata: {}, source: ['x'] })
    assert.deepEqual(core.createNotebookCell('code', '').outputs, [])
    assert.throws(() => core.createNotebookCell('other', ''), { code: 'invalid_arguments' })
    const notebook = core.createEmptyNotebook()
    notebook.cells.push(core.createNotebookCell('raw', 'x'))
    assert.deepEqual(JSON.parse(core.serializeNotebookDocument(notebook)), notebook)
    assert.match(core.serializeNotebookDocument(notebook), /^\{\n "cells"/)
  })
})
