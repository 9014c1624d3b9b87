// Cutting texts, metadata, notices and growing outputs, through the addon.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import * as core from '../../src/js/index.js'

const lines = (count) => Array.from({ length: count }, (_, index) => `line ${index + 1}`).join('\n')
const refused = { name: 'ToolError', code: 'invalid_arguments' }

describe('cuts', () => {
  it('return what fits as it is, lone surrogates included', () => {
    const odd = 'a\ud800b\r\n'
    for (const cut of [core.truncateHead, core.truncateTail, core.truncateMiddle, core.truncateContent]) {
      assert.deepEqual(cut(odd), { content: odd, totalLines: 2, totalBytes: 7 })
    }
  })

  it('use the default budgets', () => {
    assert.equal(core.DEFAULT_MAX_LINES, 3000)
    assert.equal(core.DEFAULT_MAX_BYTES, 51200)
    assert.equal(core.truncateHead(lines(3001)).outputLines, 3000)
    assert.equal(core.truncateTail('x'.repeat(51201)).outputBytes, 51200)
    assert.equal(core.truncateHead('\n'.repeat(9000), { maxLines: Infinity }).truncated, undefined)
  })

  it('show both ends as the lines they are', () => {
    const window = core.truncateMiddleWindows(lines(100), { maxLines: 10, maxHeadLines: 3 })
    assert.deepEqual([window.headRange, window.tailRange], [{ start: 1, end: 3 }, { start: 94, end: 100 }])
    assert.equal(window.head, lines(3))
    assert.ok(window.tail.startsWith('line 94\n') && window.content.endsWith(window.tail))
    assert.equal(core.truncateMiddleWindows('a').direction, undefined)
  })

  it('take the side that is asked for', () => {
    const [head, tail, middle] = ['head', 'tail', 'middle'].map((direction) => core.truncateContent(lines(9), { maxLines: 2, direction }).content)
    assert.equal(head, 'line 1\nline 2')
    assert.equal(tail, 'line 8\nline 9')
    assert.match(middle, /^line 1\n\[… 7 lines elided \(50B\) …\]\nline 9$/)
  })

  it('of bytes split no character and take raw bytes too', () => {
    assert.deepEqual(core.truncateHeadBytes('a한글', 5), { text: 'a한', bytes: 4 })
    assert.deepEqual(core.truncateHeadBytes(new TextEncoder().encode('a한글'), 6), { text: 'a한', bytes: 4 })
    assert.deepEqual(core.truncateHeadBytes(Uint8Array.of(0x61, 0xff, 0x62), 2), { text: 'a\ufffd', bytes: 2 })
    assert.deepEqual(core.truncateHeadBytes('', 0), { text: '', bytes: 0 })
  })

  it('refuse what is no text and no size', () => {
    for (const bad of [undefined, null, 5, {}]) assert.throws(() => core.truncateHead(bad), refused)
    for (const bad of [-1, NaN, '5', null]) assert.throws(() => core.truncateTail('a', { maxBytes: bad }), refused)
    assert.throws(() => core.truncateContent('a', { direction: 'left' }), refused)
    assert.throws(() => core.truncateHeadBytes([1], 1), refused)
    assert.throws(() => core.formatBytes(-1), refused)
  })
})

describe('metadata', () => {
  it('has real windows, moved to where the text begins', () => {
    const window = core.truncateMiddleWindows(lines(100), { maxLines: 10, maxHeadLines: 3 })
    const { truncation } = core.outputMeta().truncationWindows(window, { startLine: 501, totalFileLines: 900, artifactId: '4' }).get()
    assert.deepEqual([truncation.headRange, truncation.tailRange], [{ start: 501, end: 503 }, { start: 594, end: 600 }])
    assert.deepEqual([truncation.elidedLines, truncation.totalLines, truncation.artifactId], [90, 900, '4'])
  })

  it('calls a piece of a single line a partial line', () => {
    const { truncation } = core.outputMeta().truncation(core.truncateTail('x'.repeat(100), { maxBytes: 10 }), { direction: 'tail' }).get()
    assert.deepEqual(truncation.partialLine, { line: 1, bytes: 10, sourceBytes: 100 })
    assert.equal(truncation.shownRange, undefined)
  })

  it('names counts that are none', () => {
    const told = core.outputMeta().matchLimit(-4)
    assert.throws(() => told.get(), refused)
  })

  it('of a result goes with its details', () => {
    const result = core.toolResult({ count: 3 }).text('body').resultLimit(5).sourcePath('/a').done()
    assert.deepEqual(result, {
      content: [{ type: 'text', text: 'body' }],
      details: { count: 3, meta: { source: { type: 'path', value: '/a' }, limits: { resultLimit: { reached: 5, suggestion: 10 } } } },
    })
    assert.deepEqual(core.toolResult().text('x').error().done(), { content: [{ type: 'text', text: 'x' }], isError: true })
  })
})

describe('notices', () => {
  const meta = core.outputMeta().truncation(core.truncateHead(lines(50), { maxLines: 10 }), { direction: 'head', artifactId: '9' }).matchLimit(5).get()

  it('stand behind a blank line in one bracket', () => {
    const notice = core.formatOutputNotice(meta)
    assert.match(notice, /^\n\n\[[^\n]*1-10 of 50[^\n]*:11[^\n]*artifact:\/\/9[^\n]*\. 5 [^\n]*10[^\n]*\]$/)
    assert.ok(notice.includes(core.formatTruncationMetaNotice(meta.truncation)))
    assert.equal(core.formatOutputNotice(undefined), '')
    assert.equal(core.formatOutputNotice({ truncation: { ...meta.truncation, noticeOwner: 'body' } }), '')
  })

  it('are stripped exactly, with the blanks behind them', () => {
    const notice = core.formatOutputNotice(meta)
    assert.equal(core.stripOutputNotice(`body${notice}`, meta), 'body')
    assert.equal(core.stripOutputNotice(`body \n${notice} \n\n`, meta), 'body \n')
    assert.equal(core.stripOutputNotice(notice.trimStart(), meta), '')
    for (const text of ['body', `body${notice}!`, 'body ']) assert.equal(core.stripOutputNotice(text, meta), text)
    assert.equal(core.stripOutputNotice('body ', undefined), 'body ')
  })

  it('of a head say where to go on', () => {
    const cut = core.truncateHead(lines(50), { maxLines: 10 })
    assert.match(core.formatHeadTruncationNotice(cut, { startLine: 21, totalFileLines: 70 }), /21-30 of 70.*:31/)
    assert.equal(core.formatHeadTruncationNotice(core.truncateHead('a')), '')
  })

  it('name a kept text and what is missing of it', () => {
    assert.match(core.formatArtifactReference('7'), /artifact:\/\/7$/)
    assert.match(core.formatArtifactReference('7', 2048), /2\.0KB.*artifact:\/\/7$/)
    const theme = { fg: (color, text) => `<${color}>${text}` }
    assert.match(core.formatStyledArtifactReference('7', theme), /^<muted>.*artifact:\/\/7$/)
    assert.match(core.formatStyledTruncationWarning(meta, theme), /^<warning>\[.*1-10 of 50.*\]$/)
    assert.equal(core.formatStyledTruncationWarning({}, theme), null)
  })
})

describe('applyListLimit', () => {
  it('cuts to the smaller limit and reports the exceeded ones', () => {
    const items = [1, 2, 3, 4]
    assert.deepEqual(core.applyListLimit(items, { limit: 4 }), { items, meta: {} })
    assert.deepEqual(core.applyListLimit(items, { limit: 3, headLimit: 2, limitType: 'match' }), {
      items: [1, 2],
      limitReached: 3,
      headLimitReached: 2,
      meta: { matchLimit: { reached: 3, suggestion: 6 }, headLimit: { reached: 2, suggestion: 4 } },
    })
    assert.deepEqual(core.applyListLimit(items, { limit: 0 }).items, items)
    assert.notEqual(core.applyListLimit(items).items, items)
  })
})

describe('growing outputs', () => {
  it('are shown by their last bytes', () => {
    const updates = []
    const buffer = new core.TailBuffer(10)
    const push = core.streamTailUpdates(buffer, (update) => updates.push(update.content[0].text))
    for (const chunk of ['abc', '한글한글', 'xyz']) push(chunk)
    assert.equal(buffer.text(), '한글xyz')
    assert.equal(buffer.bytes(), 9)
    assert.deepEqual(updates, ['abc', '글한글', '한글xyz'])
    core.streamTailUpdates(buffer, undefined)('!')
  })

  it('are summed up, and kept whole where a part is not shown', async () => {
    const saved = []
    const sink = new core.OutputSink({ spillThreshold: 100, headBytes: 50, save: async (text) => String(saved.push(text) - 1) })
    const whole = lines(200)
    const bytes = new TextEncoder().encode(`${whole} 한`)
    for (let at = 0; at < bytes.length; at += 7) sink.push(bytes.subarray(at, at + 7))
    const summary = await sink.dump('a notice')
    assert.ok(summary.output.startsWith('[a notice]\nline 1\n') && summary.output.endsWith('line 200 한'))
    assert.deepEqual([summary.truncated, summary.totalLines, summary.totalBytes, summary.artifactId], [true, 200, bytes.length, '0'])
    assert.deepEqual(saved, [`${whole} 한`])
    await sink.dump()
    assert.equal(saved.length, 1)
    const { truncation } = core.outputMeta().truncationFromSummary(summary, { direction: 'middle' }).get()
    assert.deepEqual([truncation.headRange, truncation.artifactId], [summary.headRange, '0'])
  })

  it('that fit are whole and not kept', async () => {
    const sink = new core.OutputSink({ save: () => assert.fail('nothing to keep') })
    const writer = sink.createInput().getWriter()
    await writer.write('a\n')
    await writer.write(Uint8Array.of(0xed, 0x95))
    await writer.write(Uint8Array.of(0x9c))
    await writer.close()
    const sizes = { totalLines: 2, totalBytes: 5, outputLines: 2, outputBytes: 5 }
    assert.deepEqual(await sink.dump(), { output: 'a\n한', truncated: false, ...sizes })
  })
})

describe('settings of outputs', () => {
  const of = (values) => ({ get: (key) => values[key] })

  it('have defaults and are KiB', () => {
    assert.equal(core.resolveBashOutputSinkHeadBytes(of({})), 0)
    assert.equal(core.resolveBashOutputSinkTailBytes(of({})), core.BASH_DEFAULT_OUTPUT_TAIL_BYTES)
    assert.equal(core.resolveBashOutputSinkTailBytes(of({ 'tools.artifactTailBytes': 0.5 })), 512)
    assert.equal(core.resolveOutputSinkHeadBytes(undefined), 20480)
    assert.equal(core.resolveOutputSinkHeadBytes(of({ 'tools.artifactHeadBytes': 0 })), 0)
    assert.equal(core.resolveOutputMaxColumns(undefined), 768)
    assert.equal(core.resolveOutputMaxColumns(of({ 'tools.outputMaxColumns': 0 })), 0)
    assert.equal(core.resolveOutputMaxColumns(of({ 'tools.outputMaxColumns': 'wide' })), 768)
  })
})
