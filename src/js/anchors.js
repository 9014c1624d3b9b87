// Line anchors as `read` prints them and `edit` takes them, for hosts that print lines themselves.

import native from './native.cjs'
import { invalidArgument } from './errors.js'
import { describe } from './session.js'
import { textArgument } from './text-argument.js'

/** Stands between an anchor and its line. */
export const HL_BODY_SEP = '|'

/** The same in a regular expression. */
export const HL_BODY_SEP_RE_RAW = '\\|'

/**
 * The two letters of a line.
 * @param {number} _number does not matter: equal lines have equal letters
 * @param {string} line
 */
export function computeLineHash(_number, line) {
  return native.lineLetters(textArgument(line, 'line'))
}

/**
 * The anchor of a line.
 * @param {number} number
 * @param {string} line
 */
export function formatLineHash(number, line) {
  return `${number}${computeLineHash(number, line)}`
}

/**
 * A line behind its anchor.
 * @param {number} number
 * @param {string} line
 */
export function formatHashLine(number, line) {
  return `${formatLineHash(number, line)}${HL_BODY_SEP}${line}`
}

/**
 * Every line of a text behind its anchor.
 * @param {string} lines with LF between them
 * @param {number} [start] the number of the first one
 */
export function formatHashLines(lines, start = 1) {
  if (!Number.isSafeInteger(start) || start < 1 || start > 2 ** 31) throw invalidArgument('startLine', `expected a line number, got ${describe(start)}`)
  return native.anchoredLines(textArgument(lines, 'text'), start)
}
