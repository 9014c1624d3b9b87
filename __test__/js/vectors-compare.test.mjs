// What the vector runner lets pass as the same outcome: words are free, facts and places are not.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { subsetFaults } from '../../scripts/vectors/compare.mjs'
import { outcomeFaults } from '../../scripts/vectors/exec.mjs'

const window = { kind: 'meta_window', literal: '[Showing lines 3-8 of 11. Use :9 to continue]', facts: { start: 3, end: 8, total: '11' } }
const expected = { text: `3|c\n\n${window.literal}`, notices: [window], details: {} }

/** An outcome whose closing bracket holds the given notices. */
function outcome(notices, { body = '3|c', isError = false, ...details } = {}) {
  const bracket = notices.length > 0 ? `\n\n[${notices.map(({ text }) => text).join('. ')}]` : ''
  return { text: body + bracket, images: [], details: { ...details, notices }, isError }
}

const own = { kind: 'meta_window', text: 'Lines 3 to 8, 11 in all', start: 3, end: 8, total: 11, more: true }

const wheres = (faults) => faults.map(({ where }) => where)

test('a notice may be worded freely and know more', () => {
  assert.deepEqual(outcomeFaults(expected, outcome([own])), [])
})

test('a wrong fact, a missing notice, an additional one, another body, a failed call are faults', () => {
  assert.deepEqual(wheres(outcomeFaults(expected, outcome([{ ...own, end: 7 }]))), ['notice meta_window.end'])
  assert.deepEqual(wheres(outcomeFaults(expected, outcome([]))), ['notices', 'text'])
  assert.deepEqual(wheres(outcomeFaults(expected, outcome([own, { kind: 'column_cap', text: 'cut', max: 9 }]))), ['text'])
  assert.deepEqual(wheres(outcomeFaults(expected, outcome([own], { body: '3|d' }))), ['text'])
  assert.deepEqual(wheres(outcomeFaults(expected, outcome([own], { isError: true }))), ['isError'])
  assert.deepEqual(wheres(outcomeFaults(expected, { error: { kind: 'io_error', message: 'm', data: {} } })), ['the call'])
})

test('a notice of another kind is not the expected one', () => {
  assert.deepEqual(wheres(outcomeFaults(expected, outcome([{ ...own, kind: 'meta_count' }]))), ['notices'])
})

test('prose of ours stands for one line the vector does not mark', () => {
  const notice = { kind: 'empty_folder', text: 'Nothing in here' }
  const said = { text: 'Nothing in here', images: [], details: { notices: [notice] }, isError: false }
  assert.deepEqual(outcomeFaults({ text: '(empty)' }, said), [])
  assert.deepEqual(wheres(outcomeFaults({ text: 'a\nb' }, said)), ['text'])
  assert.deepEqual(wheres(outcomeFaults({ text: '' }, said)), ['text'])
})

test('a notice without literal stands in the text as its kind, one without kind as any line', () => {
  const notices = [{ kind: 'meta_window', facts: { end: 8 } }]
  assert.deepEqual(outcomeFaults({ text: '3|c\n\n<meta_window>', notices }, outcome([own])), [])
  assert.deepEqual(wheres(outcomeFaults({ text: '<meta_window>\n\n3|c', notices }, outcome([own]))), ['text'])
  const any = [{ literal: '<notice>', facts: { end: 8 } }]
  assert.deepEqual(outcomeFaults({ text: '3|c\n\n<notice>', notices: any }, outcome([own])), [])
  assert.deepEqual(wheres(outcomeFaults({ notices: any }, outcome([{ ...own, end: 1 }]))), ['notice.end'])
})

test('bounds for texts whose words are not fixed', () => {
  const said = outcome([], { body: 'see artifact://0\nxxxx' })
  assert.deepEqual(outcomeFaults({ text_contains: ['xx'], line_max_bytes: 16, artifact_mentions: 1 }, said), [])
  assert.deepEqual(wheres(outcomeFaults({ text_contains: ['y'], line_max_bytes: 9, artifact_mentions: 2 }, said)), [
    'mentions',
    'mentions of the artifact',
    'a line',
  ])
})

test('details are a subset, but meta and files are exact and null is absent', () => {
  const faults = (wanted, details) => wheres(outcomeFaults({ details: wanted }, outcome([], details)))
  assert.deepEqual(faults({ a: 1, b: null }, { a: 1, c: 2 }), [])
  assert.deepEqual(faults({ a: 1, b: null }, { a: 1, b: 0 }), ['details.b'])
  assert.deepEqual(faults({ meta: { a: 1 } }, { meta: { a: 1, b: 2 } }), ['details.meta.b'])
  assert.deepEqual(faults({ files: ['a'] }, { files: ['a', 'b'] }), ['details.files'])
  assert.deepEqual(faults({ a: '1' }, { a: 1 }), ['details.a'])
})

test('error kinds with two names are one; mentions must stand in the message', () => {
  const failed = (kind, message = 'gone.txt') => ({ error: { kind, message, data: {} } })
  assert.deepEqual(outcomeFaults({ error_kind: 'cancelled' }, failed('aborted')), [])
  assert.deepEqual(outcomeFaults({ error_kind: 'file_not_found', mentions: ['gone.txt'] }, failed('path_not_found')), [])
  assert.deepEqual(wheres(outcomeFaults({ error_kind: 'io_error' }, failed('path_not_found'))), ['error kind'])
  assert.deepEqual(wheres(outcomeFaults({ error_kind: 'io_error' }, outcome([]))), ['error kind'])
  assert.deepEqual(wheres(outcomeFaults({ error_kind: 'io_error', mentions: ['x.txt'] }, failed('io_error'))), ['mentions'])
})

test('the output in a failed command is exact, the sentence around it is not', () => {
  const notices = [{ kind: 'exit_code', literal: 'Command exited with code 3', facts: { code: 3 } }]
  const expect = { error_kind: 'nonzero_exit', error_text: 'out\n\n\nCommand exited with code 3', notices }
  const failed = (message) => wheres(outcomeFaults(expect, { error: { kind: 'nonzero_exit', message, data: {} } }))
  assert.deepEqual(failed('out\n\n\nEnded: 3'), [])
  assert.deepEqual(failed('out\n\nEnded: 3'), ['message'])
  assert.deepEqual(failed('out\n\n\nEnded'), ['notice exit_code.code'])
})

test('long texts are known by size, digest and ends', () => {
  const sha256 = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
  const long = { $long: { chars: 3, bytes: 3, sha256, head: 'a', tail: 'c' } }
  assert.deepEqual(subsetFaults(long, 'abc', 'text'), [])
  assert.deepEqual(wheres(subsetFaults(long, 'abd', 'text')), ['text.sha256', 'text.tail'])
})
