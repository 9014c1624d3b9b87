// What becomes of whatever a tool gives back or throws: content that a model can be sent.

import native from '../native.cjs'
import { invalidArgument, renderError, ToolError } from '../errors.js'
import { describe } from '../session.js'

/** @typedef {import('../../../index.d.ts').ToolFailureKind} ToolFailureKind */
/** @typedef {{ content: any[], details: any, isError: boolean }} Outcome */

/** What the engine is asked to clean: control characters but tab and newline, and lone surrogates. */
const unclean = /[^\P{Cc}\t\n]|\p{Surrogate}/u

/**
 * A text without terminal sequences, control characters and lone surrogates. Real U+FFFD stay.
 * @param {string} text
 * @returns {string}
 */
export function sanitizeText(text) {
  if (typeof text !== 'string') throw invalidArgument('text', `expected a text, got ${describe(text)}`)
  return unclean.test(text) ? native.sanitizeText(text) : text
}

/**
 * Anything that a tool gave back. Unknown blocks go; without content it is a failure that keeps its details.
 * @param {any} value
 * @returns {Outcome}
 */
export function coerceResult(value) {
  const details = value?.details === undefined ? {} : value.details
  if (!Array.isArray(value?.content)) return { content: textContent('The tool gave back no content'), details, isError: true }
  return { content: value.content.flatMap(coerceBlock), details, isError: Boolean(value.isError) }
}

/** @param {any} block */
function coerceBlock(block) {
  if (block?.type === 'text' && typeof block.text === 'string') return [{ type: 'text', text: sanitizeText(block.text) }]
  const isImage = block?.type === 'image' && typeof block.data === 'string' && typeof block.mimeType === 'string'
  return isImage ? [{ type: 'image', data: block.data, mimeType: block.mimeType }] : []
}

/** Characters of a blank text that are told. */
const MOST_BLANKS = 100

/**
 * Content that every provider takes: some refuse a text without words, and what they are sent instead says so.
 * @param {any[]} content
 * @returns {any[]}
 */
export function withWords(content) {
  const isBlank = (/** @type {any} */ block) => block.type === 'text' && block.text.trim() === ''
  if (content.length > 0 && !content.some(isBlank)) return content
  const rest = content.filter((block) => !isBlank(block))
  if (rest.length > 0) return rest
  const text = content.map((block) => block.text).join('\n')
  return textContent(text === '' ? '(empty)' : `(nothing but white space: ${JSON.stringify(text.slice(0, MOST_BLANKS))})`)
}

/**
 * A call that failed.
 * @param {ToolFailureKind} failureKind
 * @param {string} text
 * @returns {Outcome}
 */
export function failure(failureKind, text) {
  return errorOutcome(text, { failureKind })
}

/**
 * A call that was not run, or was ended, for a reason outside of it.
 * @param {string} text
 * @returns {Outcome}
 */
export function notRun(text) {
  return errorOutcome(text, {})
}

/**
 * A thrown value, as a result.
 * @param {unknown} error
 * @param {ToolFailureKind} [failureKind]
 * @returns {Outcome}
 */
export function thrown(error, failureKind) {
  const perFileResults = error instanceof ToolError ? error.context?.perFileResults : undefined
  return errorOutcome(textOf(error), { ...(failureKind && { failureKind }), ...(perFileResults ? { perFileResults } : {}) })
}

/**
 * The text of a thrown value; never empty, never throws.
 * @param {any} error
 */
export function textOf(error) {
  try {
    const text = renderError(error)
    if (typeof text === 'string' && text.trim() !== '') return text
    return typeof error?.name === 'string' && error.name !== '' ? error.name : 'The tool failed without a message'
  } catch {
    return 'The tool failed with an error that cannot be shown'
  }
}

/**
 * @param {string} text
 * @param {Record<string, unknown>} details
 * @returns {Outcome}
 */
function errorOutcome(text, details) {
  return { content: textContent(sanitizeText(text)), details, isError: true }
}

/** @param {string} text */
function textContent(text) {
  return [{ type: 'text', text }]
}
