// Vectors of the notice wrapper: one call of a tool that answers or throws as told.

import * as core from '../../src/js/index.js'
import { exactFaults, subsetFaults } from './compare.mjs'
import { artifactStore, sessionOf } from './session.mjs'

export const wrapperKinds = { meta_wrapper: runWrapper }

class CustomError extends core.ToolError {
  render() {
    return 'rendered'
  }
}

const thrown = {
  ToolError: () => new core.ToolError('tool said no'),
  Error: () => new Error('plain error'),
  custom: () => new CustomError('not rendered'),
  string: () => 'plain',
}

async function runWrapper(one) {
  const { expected, result = { content: [{ type: 'text', text: '@full' }] } } = one
  const full = fullText(one.gen)
  const artifacts = artifactStore()
  const execute = async () => {
    if (one.throws) throw thrown[one.throws]()
    return { ...result, content: result.content.map((block) => (block.text === '@full' ? { ...block, text: full } : block)) }
  }
  const tool = { name: one.name ?? 'probe', execute, ...(one.noSession ? {} : { session: sessionOf(one.settings, { artifacts }) }) }
  const wrapped = core.wrapToolWithMetaNotice(tool)
  const replaced = wrapped.execute
  const faults = [
    ...exactFaults(true, wrapped === tool, 'same object'),
    ...exactFaults(true, replaced !== execute, 'execute is replaced'),
    ...exactFaults(true, core.wrapToolWithMetaNotice(wrapped).execute === replaced, 'wrapping twice does nothing'),
  ]
  try {
    const came = await wrapped.execute('vector', {})
    return [...faults, ...resultFaults(expected, came), ...exactFaults(expected.savedFullText ? full : undefined, artifacts.texts[0], 'saved text')]
  } catch (error) {
    if (!one.throws) throw error
    return [...faults, ...exactFaults(expected.threw, error.message, 'message'), ...exactFaults(true, error instanceof Error, 'is an Error')]
  }
}

function resultFaults(expected, { content, details, isError }) {
  if (expected.threw !== undefined) return [{ where: 'the call', expected: 'an error', actual: 'success' }]
  return [
    ...subsetFaults(expected.blocks, content.map((block, index) => blockFacts(block, expected.blocks[index], details)), 'blocks'),
    ...subsetFaults(expected.details, details, 'details', { exact: ['meta'] }),
    ...exactFaults(expected.isError, isError, 'isError'),
  ]
}

/** What the vectors say about a block: size, beginning, and whether something was cut or added. */
function blockFacts({ type, text }, expected, details = {}) {
  if (type !== 'text') return { type }
  const { notices = [] } = details
  const first = expected?.first === '@notice' ? '@notice' : text.split('\n')[0].slice(0, 40)
  const has = (isMarker) => notices.some((notice) => (notice.kind === 'elision_marker') === isMarker && text.includes(notice.text))
  return { type, first, lines: text.split('\n').length, bytes: Buffer.byteLength(text), hasNotice: has(false), hasMarker: has(true) }
}

/** Numbered lines: six digits, a blank, then as many x as asked for. */
function fullText({ lines, width } = { lines: 0, width: 0 }) {
  return Array.from({ length: lines }, (_, index) => `${String(index + 1).padStart(6, '0')} ${'x'.repeat(width)}`).join('\n')
}
