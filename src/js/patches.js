// Patches and the texts around them, for hosts that show or check them before a call.

import native from './native.cjs'
import { callNativeSync, invalidArgument, ToolError } from './errors.js'
import { toJson } from './json.js'
import { callContext, describe } from './session.js'
import { callNative } from './signal.js'
import { textArgument } from './text-argument.js'

/** What says that a patch cannot be read, whatever the files hold. */
const unreadable = new Set([
  'bad_hunk_header',
  'empty_patch',
  'empty_update',
  'envelope_missing_begin',
  'envelope_missing_end',
  'missing_diff',
  'multi_file_diff',
  'no_hunks',
  'patch_parse',
])

/** A patch that cannot be read. */
export class ParseError extends ToolError {
  /**
   * @param {string} message
   * @param {number} [lineNumber]
   * @param {Record<string, unknown>} [context]
   */
  constructor(message, lineNumber, context) {
    super(message, { code: 'patch_parse', ...context })
    this.lineNumber = lineNumber
  }
}

/**
 * A text with LF at the end of all lines.
 * @param {string} text
 */
export function normalizeToLF(text) {
  return textArgument(text, 'text').replace(/\r\n?/g, '\n')
}

/**
 * A text and the byte-order mark before it.
 * @param {string} content
 */
export function stripBom(content) {
  const has = textArgument(content, 'content').startsWith('\uFEFF')
  return has ? { bom: '\uFEFF', text: content.slice(1) } : { bom: '', text: content }
}

/**
 * A line as lines of patches are compared: without blanks around it, look-alikes in ASCII, composed.
 * @param {string} line
 */
export function normalizeUnicode(line) {
  return native.unicodeForm(textArgument(line, 'line'))
}

/**
 * The hunks of a diff without what surrounds them.
 * @param {string} diff
 */
export function normalizeDiff(diff) {
  return native.bareDiff(normalizeToLF(diff))
}

/**
 * The operations of an envelope, one for each file.
 * @param {{ input: string }} params
 * @returns {import('../../index.d.ts').ApplyPatchEntry[]}
 */
export function expandApplyPatchToEntries({ input }) {
  textArgument(input, 'input')
  try {
    return JSON.parse(callNativeSync(() => native.envelopeEntries(input)))
  } catch (error) {
    throw asParseError(error)
  }
}

/**
 * The same for the text alone.
 * @param {string} patchText
 */
export function parseApplyPatch(patchText) {
  return expandApplyPatchToEntries({ input: patchText })
}

/**
 * What an entry would make of a file. Nothing is written.
 * @param {import('../../index.d.ts').PatchInput} input
 * @param {import('../../index.d.ts').PreviewPatchOptions} options
 * @returns {Promise<import('../../index.d.ts').ApplyPatchResult>}
 */
export async function previewPatch({ path, op, rename, diff }, options) {
  if (typeof options?.cwd !== 'string') throw invalidArgument('options.cwd', `expected an absolute path, got ${describe(options?.cwd)}`)
  const { cwd, fuzzyThreshold, allowFuzzy, signal } = options
  if ('fs' in options && options.fs !== undefined) throw new ToolError('Not supported: previews of patches in file systems of the host', { code: 'unsupported', feature: 'options.fs' })
  const values = { 'edit.fuzzyMatch': allowFuzzy, 'edit.fuzzyThreshold': fuzzyThreshold }
  const settings = { get: (/** @type {string} */ key) => values[/** @type {keyof typeof values} */ (key)] }
  // What the caller asks for counts, whatever the environment says.
  const context = { ...callContext({ cwd, settings, hasUI: false, getSessionFile: () => null, getSessionSpawns: () => null }, 'edit'), env: [] }
  const arguments_ = toJson({ path, edits: [{ op, ...(rename !== undefined && { rename }), ...(diff !== undefined && { diff }) }] }, 'input')
  try {
    const [{ change, oldContent, newContent }] = await callNative(signal, (handle) => native.previewPatch(arguments_, JSON.stringify(context), handle))
    const { warnings, newPath, ...facts } = JSON.parse(change)
    const contents = { ...(oldContent !== undefined && { oldContent }), ...(newContent !== undefined && { newContent }) }
    return { change: { ...facts, ...(newPath && { newPath }), ...contents }, ...(warnings.length > 0 && { warnings }) }
  } catch (error) {
    throw asParseError(error)
  }
}

/**
 * Rejects for a file that a program generates (`auto_generated_file`). One that is not there may be made.
 * @param {string} absolutePath
 * @param {string} [displayPath] the path in errors
 */
export async function assertEditableFile(absolutePath, displayPath = absolutePath) {
  await callNative(undefined, () => native.assertEditable(textArgument(absolutePath, 'absolutePath'), textArgument(displayPath, 'displayPath')))
}

/** @param {unknown} error */
function asParseError(error) {
  if (!(error instanceof ToolError) || !unreadable.has(error.code)) return error
  const { line } = error.context ?? {}
  return new ParseError(error.message, typeof line === 'number' ? line : undefined, { ...error.context, code: error.code })
}
