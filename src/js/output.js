// Cutting texts, and the words for what was cut. Rules and words are the engine's; an uncut text is the caller's own.

import native from './native.cjs'
import { callNativeSync, invalidArgument } from './errors.js'
import { OutputMetaBuilder } from './output-meta.js'
import { describe } from './session.js'

/** @typedef {import('../../index.d.ts').OutputMeta} OutputMeta */
/** @typedef {import('../../index.d.ts').ReadWindow} ReadWindow */
/** @typedef {import('../../index.d.ts').TruncationOptions} TruncationOptions */
/** @typedef {import('../../index.d.ts').TruncationResult} TruncationResult */
/** @typedef {import('../../index.d.ts').TruncationDirection} TruncationDirection */

const constants = JSON.parse(native.outputConstants())

/** @type {3000} */
export const DEFAULT_MAX_LINES = constants.maxLines
/** @type {51200} */
export const DEFAULT_MAX_BYTES = constants.maxBytes
/** @type {number} */
export const DEFAULT_ARTIFACT_MAX_BYTES = constants.artifactMaxBytes

/**
 * Whole lines from the start.
 * @param {string} content
 * @param {TruncationOptions} [options]
 * @returns {TruncationResult}
 */
export function truncateHead(content, options) {
  return result(window(content, 'head', options))
}

/**
 * Whole lines from the end; of an oversized last line its end.
 * @param {string} content
 * @param {TruncationOptions} [options]
 * @returns {TruncationResult}
 */
export function truncateTail(content, options) {
  return result(window(content, 'tail', options))
}

/**
 * Both ends, with a marker between them.
 * @param {string} content
 * @param {TruncationOptions} [options]
 * @returns {TruncationResult}
 */
export function truncateMiddle(content, options) {
  return result(window(content, 'middle', options))
}

/**
 * Both ends, with the lines they really are.
 * @param {string} content
 * @param {TruncationOptions} [options]
 * @returns {ReadWindow}
 */
export function truncateMiddleWindows(content, options) {
  return window(content, 'middle', options)
}

/**
 * The side that `options.direction` names.
 * @param {string} content
 * @param {TruncationOptions} [options]
 * @returns {TruncationResult}
 */
export function truncateContent(content, options) {
  return result(window(content, options?.direction ?? 'head', options))
}

/**
 * The first bytes, whole characters only.
 * @param {string | Uint8Array} data
 * @param {number} maxBytes
 * @returns {import('../../index.d.ts').ByteTruncationResult}
 */
export function truncateHeadBytes(data, maxBytes) {
  if (typeof data !== 'string' && !(data instanceof Uint8Array)) throw invalidArgument('data', `expected a text or bytes, got ${describe(data)}`)
  checkSize(maxBytes, 'maxBytes')
  const [text, bytes] = native.cutBytes(data, maxBytes)
  return { text, bytes }
}

/**
 * A byte count for people.
 * @param {number} bytes
 * @returns {string}
 */
export function formatBytes(bytes) {
  checkSize(bytes, 'bytes')
  return native.formatBytes(bytes)
}

/**
 * The closing notice of metadata, as it stands behind a body; empty when there is nothing to tell.
 * @param {OutputMeta | undefined} meta
 * @returns {string}
 */
export function formatOutputNotice(meta) {
  return meta ? rendered(meta)[0] : ''
}

/**
 * The closing notice and the notices in it.
 * @param {OutputMeta} meta
 * @returns {[string, import('../../index.d.ts').ToolNotice[]]}
 */
export function rendered(meta) {
  return JSON.parse(callNativeSync(() => native.renderNotices(JSON.stringify(meta))))
}

/**
 * A text without the closing notice of its metadata; blanks behind the notice go with it.
 * @param {string} text
 * @param {OutputMeta | undefined} meta
 * @returns {string}
 */
export function stripOutputNotice(text, meta) {
  const notice = formatOutputNotice(meta).trimEnd()
  if (notice === '') return text
  const trimmed = text.trimEnd()
  if (trimmed.endsWith(notice)) return trimmed.slice(0, -notice.length)
  // A result without a body begins with its notice.
  return trimmed === notice.trimStart() ? '' : text
}

/**
 * The words for a cut, without brackets.
 * @param {import('../../index.d.ts').TruncationMeta} truncation
 * @returns {string}
 */
export function formatTruncationMetaNotice(truncation) {
  return callNativeSync(() => native.truncationNotice(JSON.stringify(truncation)))
}

/**
 * The closing notice of a text cut by {@link truncateHead}; empty for an uncut one.
 * @param {TruncationResult} truncation
 * @param {import('../../index.d.ts').HeadTruncationNoticeOptions} [options]
 * @returns {string}
 */
export function formatHeadTruncationNotice(truncation, options) {
  return formatOutputNotice(new OutputMetaBuilder().truncation(truncation, { ...options, direction: 'head' }).get())
}

/**
 * The words for a kept text.
 * @param {string} artifactId
 * @param {number} [artifactTruncatedBytes] what is missing even there
 * @returns {string}
 */
export function formatArtifactReference(artifactId, artifactTruncatedBytes) {
  return native.artifactReference(String(artifactId), artifactTruncatedBytes)
}

/**
 * The same for a terminal.
 * @param {string} artifactId
 * @param {import('../../index.d.ts').NoticeTheme} theme
 * @returns {string}
 */
export function formatStyledArtifactReference(artifactId, theme) {
  return theme.fg('muted', formatArtifactReference(artifactId))
}

/**
 * The words for a cut, for a terminal; null where nothing was cut.
 * @param {OutputMeta | undefined} meta
 * @param {import('../../index.d.ts').NoticeTheme} theme
 * @returns {string | null}
 */
export function formatStyledTruncationWarning(meta, theme) {
  return meta?.truncation ? theme.fg('warning', `[${formatTruncationMetaNotice(meta.truncation)}]`) : null
}

/**
 * The first items of a list, and which limit was reached. `headLimit` is what the caller asked for, `limit` the tool's own.
 * @template T
 * @param {T[]} items
 * @param {import('../../index.d.ts').ListLimitOptions} [options]
 * @returns {import('../../index.d.ts').ListLimitResult<T>}
 */
export function applyListLimit(items, { limit, headLimit, limitType = 'result' } = {}) {
  const exceeded = (/** @type {number | undefined} */ most) => most !== undefined && most > 0 && items.length > most
  const limitReached = exceeded(limit) ? limit : undefined
  const headLimitReached = exceeded(headLimit) ? headLimit : undefined
  const reached = { ...(limitReached && { [`${limitType}Limit`]: limitReached }), ...(headLimitReached && { headLimit: headLimitReached }) }
  const meta = new OutputMetaBuilder().limits(reached).get()?.limits ?? {}
  const kept = items.slice(0, Math.min(limitReached ?? Infinity, headLimitReached ?? Infinity))
  return { items: kept, ...(limitReached && { limitReached }), ...(headLimitReached && { headLimitReached }), meta }
}

/**
 * @param {string} content
 * @param {TruncationDirection} direction
 * @param {TruncationOptions} [options]
 * @returns {ReadWindow}
 */
function window(content, direction, options = {}) {
  if (typeof content !== 'string') throw invalidArgument('content', `expected a text, got ${describe(content)}`)
  if (!['head', 'tail', 'middle'].includes(direction)) throw invalidArgument('options.direction', 'expected `head`, `tail` or `middle`')
  const { maxLines, maxBytes, maxHeadLines, maxHeadBytes } = options
  for (const [name, value] of Object.entries({ maxLines, maxBytes, maxHeadLines, maxHeadBytes })) {
    if (value !== undefined) checkSize(value, `options.${name}`)
  }
  const cut = callNativeSync(() => native.cutText(content, direction, { maxLines, maxBytes, maxHeadLines, maxHeadBytes }))
  const { totalLines, totalBytes } = cut
  if (cut.meta === undefined) return { content, totalLines, totalBytes }
  const { truncatedBy, outputLines, outputBytes, elidedLines, elidedBytes, ...told } = JSON.parse(cut.meta)
  return {
    content: /** @type {string} */ (cut.content),
    truncated: true,
    truncatedBy,
    totalLines,
    totalBytes,
    outputLines,
    outputBytes,
    ...(elidedLines !== undefined && { elidedLines, elidedBytes }),
    lastLinePartial: Boolean(cut.lastLinePartial),
    firstLineExceedsLimit: Boolean(cut.firstLineExceeds),
    ...(cut.lastLinePartial && { lastLineExceedsLimit: true }),
    direction: told.direction,
    ...pick(told, ['shownRange', 'headRange', 'tailRange', 'partialLine']),
    ...(cut.head !== undefined && { head: cut.head, tail: cut.tail }),
  }
}

/**
 * A window as the plain result that callers know.
 * @param {ReadWindow} window
 * @returns {TruncationResult}
 */
function result({ direction, shownRange, headRange, tailRange, partialLine, head, tail, ...plain }) {
  return plain
}

/**
 * @param {Record<string, any>} object
 * @param {string[]} keys
 */
function pick(object, keys) {
  return Object.fromEntries(keys.filter((key) => object[key] !== undefined).map((key) => [key, object[key]]))
}

/**
 * @param {unknown} value
 * @param {string} path
 */
function checkSize(value, path) {
  if (typeof value !== 'number' || Number.isNaN(value) || value < 0) throw invalidArgument(path, `expected a number of at least 0, got ${typeof value === 'number' ? value : describe(value)}`)
}
