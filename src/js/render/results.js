// What a result comes to: a summary in one line, and the lines below it. Details are used where they are as they should
// be; the text that the model was given always is.

import { formatBytes } from '../output.js'
import { counted, linesOf } from './calls.js'

/**
 * @typedef {import('./view.js').Line} Line
 * @typedef {{ text: string, details: any, args: any, expanded: boolean, isPartial: boolean }} Shown
 * @typedef {object} Drawing
 * @property {(shown: Shown) => string | undefined} [summary]
 * @property {(shown: Shown) => Line[]} [body] the text where absent
 * @property {number} [lines] shown while collapsed
 * @property {'head' | 'tail'} [keep] which of them
 */

/** Lines of a command's output while it is collapsed. */
export const BASH_DEFAULT_PREVIEW_LINES = 10

const symbols = /** @type {Record<string, [string, string]>} */ ({
  pending: ['muted', '○'],
  in_progress: ['accent', '→'],
  completed: ['success', '✓'],
  abandoned: ['dim', '✗'],
})

const command = /** @type {Drawing} */ ({ keep: 'tail', lines: BASH_DEFAULT_PREVIEW_LINES, summary: commandSummary })

/** @type {Record<string, Drawing>} */
export const drawings = {
  read: { summary: readSummary, body: ({ details, text }) => numbered(details?.displayContent) ?? plain(text), lines: 8 },
  search: {
    summary: ({ details }) => found(details, 'match'),
    body: ({ details, text }) => plain(details?.displayContent ?? text),
    lines: 12,
  },
  find: { summary: ({ details }) => Number.isInteger(details?.fileCount) ? `${counted(details.fileCount, 'file')}${details.truncated ? ', and more' : ''}` : undefined },
  write: { body: ({ args, text }) => (typeof args?.content === 'string' ? plain(args.content) : plain(text)), summary: writeSummary, lines: 6 },
  edit: { summary: editSummary, body: editBody, lines: 16 },
  bash: command,
  recipe: command,
  ssh: command,
  ast_grep: { summary: ({ details }) => found(details, 'match'), body: ({ details, text }) => plain(details?.displayContent ?? text), lines: 12 },
  ast_edit: {
    summary: ({ details }) => Number.isInteger(details?.totalReplacements) ? `${counted(details.totalReplacements, 'replacement')} in ${counted(details.filesTouched ?? 0, 'file')}${details.applied ? '' : ', not applied yet'}` : undefined,
    body: ({ details, text }) => diff(details?.displayContent ?? text),
    lines: 16,
  },
  todo_write: { summary: todoSummary, body: todoBody, lines: 20 },
  goal: { summary: ({ details }) => details?.goal?.status, body: ({ details, text }) => (details?.goal ? plain(String(details.goal.objective)) : plain(text)) },
  skill: { summary: ({ details }) => Number.isInteger(details?.lineCount) ? `${details.name}, ${counted(details.lineCount, 'line')}` : undefined, body: ({ details, text }) => (details?.path ? [[['muted', details.path]]] : plain(text)) },
  yield: { summary: ({ details }) => details?.status, body: ({ details, text }) => (details?.data === undefined ? plain(text) : plain(JSON.stringify(details.data, null, 2))), lines: 6 },
  report_finding: {
    summary: ({ details }) => details?.title && `${details.priority} ${details.title}`,
    body: ({ details, text, expanded }) => (details?.file_path ? finding(details, expanded) : plain(text)),
  },
  resolve: { summary: ({ details }) => details?.action && `${details.action === 'apply' ? 'applied' : 'discarded'}${details.label ? `: ${details.label}` : ''}` },
  search_tool_bm25: {
    summary: ({ details }) => Array.isArray(details?.tools) ? counted(details.tools.length, 'tool') : undefined,
    body: ({ details, text }) => Array.isArray(details?.tools) ? details.tools.map((/** @type {any} */ { name, description }) => [['accent', name], ['muted', `  ${description ?? ''}`]]) : plain(text),
  },
}

/**
 * Lines of a text, without the line breaks at its ends.
 * @param {string} text
 * @returns {Line[]}
 */
export function plain(text) {
  return linesOf(text.replace(/^\n+/, '').trimEnd()).map((line) => [['toolOutput', line]])
}

/** @param {{ text: string, startLine: number } | undefined} content */
function numbered(content) {
  if (typeof content?.text !== 'string') return undefined
  const lines = linesOf(content.text)
  const first = content.startLine ?? 1
  const digits = String(first + lines.length - 1).length
  return lines.map((line, index) => /** @type {Line} */ ([['dim', `${String(first + index).padStart(digits)} `], ['toolOutput', line]]))
}

/** @param {string} text @returns {Line[]} */
function diff(text) {
  const styles = /** @type {Record<string, string>} */ ({ '+': 'toolDiffAdded', '-': 'toolDiffRemoved' })
  return linesOf(text).map((line) => [[styles[line[0]] ?? 'toolDiffContext', line]])
}

/** @param {Shown} shown */
function readSummary({ details, text }) {
  if (details?.image) return `${details.image.mimeType}, ${details.image.width} × ${details.image.height}, ${formatBytes(details.image.bytes)}`
  if (details?.isDirectory) return 'directory'
  const lines = linesOf(details?.displayContent?.text ?? text).length
  const marks = [details?.encoding, details?.binary && 'binary', details?.conflictCount > 0 && counted(details.conflictCount, 'conflict'), details?.summary && 'summary']
  return [counted(lines, 'line'), ...marks].filter(Boolean).join(', ')
}

/** @param {any} details @param {string} noun */
function found(details, noun) {
  if (!Number.isInteger(details?.matchCount)) return undefined
  if (details.matchCount === 0) return `no ${noun}`
  return `${counted(details.matchCount, noun)} in ${counted(details.fileCount ?? 0, 'file')}${details.truncated ? ', and more' : ''}`
}

/** @param {Shown} shown */
function writeSummary({ args, details }) {
  if (Number.isInteger(details?.resolved)) return `${counted(details.resolved, 'conflict')} resolved`
  return typeof args?.content === 'string' ? `${counted(linesOf(args.content).length, 'line')}, ${formatBytes(Buffer.byteLength(args.content))}` : undefined
}

/** @param {Shown} shown */
function editSummary({ details }) {
  if (typeof details?.diff !== 'string') return undefined
  const files = details.perFileResults?.length > 1 ? ` in ${counted(details.perFileResults.length, 'file')}` : ''
  const warnings = details.warnings?.length > 0 ? `, ${counted(details.warnings.length, 'warning')}` : ''
  return `${changedLines(details.diff)}${files}${warnings}`
}

/** @param {string} text */
function changedLines(text) {
  const starts = (/** @type {string} */ mark) => linesOf(text).filter((line) => line.startsWith(mark)).length
  return `+${starts('+')} −${starts('-')}`
}

/** Several files one after the other, also where nothing was changed because one of them failed. @param {Shown} shown @returns {Line[]} */
function editBody({ details, text }) {
  if (Array.isArray(details?.perFileResults)) return details.perFileResults.flatMap(fileLines)
  return typeof details?.diff === 'string' ? diff(details.diff) : plain(text)
}

/** @param {any} file @returns {Line[]} */
function fileLines({ path, diff: text = '', op, move, isError, applied, errorText = '', displayErrorText = errorText }) {
  const [style, mark] = isError ? ['error', '✗'] : applied === false ? ['muted', '○'] : ['success', '✓']
  const name = `${path}${move ? ` → ${move}` : ''}`
  const what = isError ? '' : `  ${[op === 'update' ? undefined : op, changedLines(text), applied === false && 'not made'].filter(Boolean).join(', ')}`
  const below = isError ? plain(displayErrorText).map(([[, line]]) => /** @type {Line} */ ([['error', `  ${line}`]])) : diff(text)
  return [[[style, `${mark} `], ['accent', name], ['muted', what]], ...below]
}

/** @param {Shown} shown */
function commandSummary({ details, text, isPartial }) {
  if (details?.async) return `background job ${details.async.jobId}, ${details.async.state}`
  return isPartial || text.trim() !== '' ? undefined : 'no output'
}

/** @param {Shown} shown */
function todoSummary({ details }) {
  if (!Array.isArray(details?.phases)) return undefined
  const tasks = details.phases.flatMap((/** @type {any} */ { tasks }) => tasks)
  const done = tasks.filter((/** @type {any} */ { status }) => status === 'completed' || status === 'abandoned').length
  return tasks.length === 0 ? 'nothing to do' : `${done} of ${counted(tasks.length, 'task')} settled`
}

/** Collapsed only the phase where the work stands, expanded all of them with their notes. @param {Shown} shown @returns {Line[]} */
function todoBody({ details, text, expanded }) {
  if (!Array.isArray(details?.phases)) return plain(text)
  const isOpen = (/** @type {any} */ { tasks }) => tasks.some((/** @type {any} */ { status }) => status === 'pending' || status === 'in_progress')
  const phases = expanded ? details.phases : details.phases.filter(isOpen).slice(0, 1)
  return phases.flatMap((/** @type {any} */ { name, tasks }) => [[['title', name]], ...tasks.flatMap((/** @type {any} */ task) => todoLines(task, expanded))])
}

/** @param {any} task @param {boolean} expanded @returns {Line[]} */
function todoLines({ content, status, notes = [] }, expanded) {
  const [style, symbol] = symbols[status] ?? ['', '?']
  const settled = status === 'completed' || status === 'abandoned'
  const more = !expanded && notes.length > 0 ? ` (${counted(notes.length, 'note')})` : ''
  const line = /** @type {Line} */ ([[style, `  ${symbol} `], [settled ? 'dim' : '', content], ['muted', more]])
  const lines = expanded ? notes.flatMap((/** @type {string} */ note) => linesOf(note)) : []
  return [line, ...lines.map((/** @type {string} */ text) => /** @type {Line} */ ([['muted', `      ${text}`]]))]
}

/** @param {any} details @param {boolean} expanded @returns {Line[]} */
function finding({ file_path: path, line_start: start, line_end: end, confidence, body }, expanded) {
  const place = `${path}:${start}${end === start ? '' : `-${end}`}`
  const line = /** @type {Line} */ ([['accent', place], ['muted', `  ${Math.round(confidence * 100)} % sure`]])
  return [line, ...(expanded ? plain(String(body ?? '')) : [])]
}
