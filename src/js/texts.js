// What `edit` does with texts and how it shows it, for hosts that hold texts themselves.

import native from './native.cjs'
import { constants, EDIT_MODE_STRATEGIES } from './edit-modes.js'
import { callNativeSync, invalidArgument } from './errors.js'
import { describe } from './session.js'
import { textArgument } from './text-argument.js'

/** How alike a text and its place must be. @type {number} */
export const DEFAULT_FUZZY_THRESHOLD = constants.threshold

/**
 * A diff with numbered lines, as results of `edit` have it.
 * @param {string} oldContent
 * @param {string} newContent
 * @param {number} [contextLines]
 */
export function generateDiffString(oldContent, newContent, contextLines = 4) {
  return compare(oldContent, newContent, false, contextLines)
}

/**
 * A diff in hunks, as results of modes `patch` and `apply_patch` have it.
 * @param {string} oldContent
 * @param {string} newContent
 * @param {number} [contextLines]
 */
export function generateUnifiedDiffString(oldContent, newContent, contextLines = 3) {
  return compare(oldContent, newContent, true, contextLines)
}

/**
 * @param {string} oldContent
 * @param {string} newContent
 * @param {boolean} hunks
 * @param {number} contextLines
 * @returns {import('../../index.d.ts').DiffResult}
 */
function compare(oldContent, newContent, hunks, contextLines) {
  if (!Number.isSafeInteger(contextLines) || contextLines < 0 || contextLines > 2 ** 31) throw invalidArgument('contextLines', `expected a number of lines, got ${describe(contextLines)}`)
  const [old, changed] = [textArgument(oldContent, 'oldContent'), textArgument(newContent, 'newContent')]
  const { diff, firstChangedLine } = JSON.parse(callNativeSync(() => native.compareTexts(old, changed, hunks, contextLines)))
  return { diff, firstChangedLine: firstChangedLine ?? undefined }
}

/**
 * A text with another one replaced in it.
 * @param {string} content
 * @param {string} oldText
 * @param {string} newText
 * @param {import('../../index.d.ts').ReplaceOptions} options
 * @returns {import('../../index.d.ts').ReplaceResult}
 */
export function replaceText(content, oldText, newText, { fuzzy, all, threshold = DEFAULT_FUZZY_THRESHOLD }) {
  if (!(threshold >= 0 && threshold <= 1)) throw invalidArgument('options.threshold', `expected a number from 0 to 1, got ${describe(threshold)}`)
  const edit = JSON.stringify({ old_text: textArgument(oldText, 'oldText'), new_text: textArgument(newText, 'newText'), all: Boolean(all) })
  return JSON.parse(callNativeSync(() => native.replaceInText(textArgument(content, 'content'), edit, Boolean(fuzzy), threshold)))
}

/**
 * Throws for the content of a file that a program generates (`auto_generated_file`).
 * @param {string} content
 * @param {string} displayPath its name counts, and the kind of comments
 */
export function assertEditableFileContent(content, displayPath) {
  callNativeSync(() => native.assertEditableText(textArgument(content, 'content'), textArgument(displayPath, 'displayPath')))
}

/**
 * What replacing a text would do to a file.
 * @param {string} path
 * @param {string} oldText
 * @param {string} newText
 * @param {string} cwd
 * @param {boolean} [fuzzy]
 * @param {boolean} [all]
 * @param {number} [threshold]
 */
export function computeEditDiff(path, oldText, newText, cwd, fuzzy = true, all = false, threshold = undefined) {
  const edits = [{ old_text: oldText, new_text: newText, ...(all && { all }) }]
  return preview('replace', { path, edits }, { cwd, allowFuzzy: fuzzy, fuzzyThreshold: threshold })
}

/**
 * What operations on lines would do to the first file they name.
 * @param {{ input: string, path?: string }} input
 * @param {string} cwd
 */
export function computeHashlineDiff({ input, path }, cwd) {
  return preview('hashline', { input, ...(path !== undefined && { path }) }, { cwd })
}

/**
 * @param {import('../../index.d.ts').EditMode} mode
 * @param {object} args
 * @param {import('../../index.d.ts').StreamingDiffContext} context
 * @returns {Promise<import('../../index.d.ts').DiffResult | import('../../index.d.ts').DiffError>}
 */
async function preview(mode, args, context) {
  const [{ diff, firstChangedLine, error } = {}] = (await EDIT_MODE_STRATEGIES[mode].computeDiffPreview(args, context)) ?? []
  return diff === undefined ? { error: error ?? 'The arguments name no change' } : { diff, firstChangedLine }
}
