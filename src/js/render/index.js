// How calls and results look in a terminal: one line for the call, a summary and some lines for the result. Whatever
// arrives, something is drawn, and never wider than asked for.

import { renderError } from '../errors.js'
import { builtinSpecs, hiddenSpecs } from '../specs.js'
import { subjectOf } from './calls.js'
import { drawings, plain } from './results.js'
import { View, wrapped } from './view.js'

export { BASH_DEFAULT_PREVIEW_LINES } from './results.js'

/**
 * @typedef {import('./view.js').Line} Line
 * @typedef {import('./view.js').RenderTheme} RenderTheme
 * @typedef {import('../../../index.d.ts').RenderResultOptions} RenderResultOptions
 * @typedef {import('../../../index.d.ts').ToolRenderer} ToolRenderer
 */

const frames = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'
/** Lines of a result that say enough while it is collapsed. */
const COLLAPSED = 10
/** Lines that are drawn at most: an interface is no pager. */
const EXPANDED = 2000
const collapsed = Object.freeze({ expanded: false, isPartial: false })

/**
 * @param {string} name
 * @param {string} label
 * @returns {ToolRenderer}
 */
function rendererOf(name, label) {
  return Object.freeze({
    renderCall: (/** @type {any} */ args, /** @type {any} */ ...rest) => {
      const { options, theme } = optionsAndTheme(rest)
      return new View(() => [callLine(name, label, args, options)], theme)
    },
    renderResult: (/** @type {any} */ result, /** @type {any} */ options, /** @type {any} */ theme, /** @type {any} */ args) =>
      new View((width) => resultLines(name, result, { ...collapsed, ...options }, args, width), theme),
  })
}

/** The renderers of all tools by name, also of those that a host implements. @type {Readonly<Record<string, ToolRenderer>>} */
export const toolRenderers = Object.freeze(
  Object.assign(Object.create(null), Object.fromEntries([...builtinSpecs, ...hiddenSpecs].map(({ name, label }) => [name, rendererOf(name, label)]))),
)

export const resolveToolRenderer = toolRenderers.resolve
export const todoWriteToolRenderer = toolRenderers.todo_write
/** Edits look the same in every mode. */
export const vimToolRenderer = toolRenderers.edit

/**
 * Draws a call: by the tool's own hook, else as its name is known here, else by its label.
 * @param {any} tool
 * @param {any} args
 * @param {RenderResultOptions} options
 * @param {RenderTheme} [theme]
 */
export function renderToolCall(tool, args, options, theme) {
  const hook = tool?.renderCall
  const own = typeof hook === 'function' ? attempt(() => (hook.length === 2 ? hook.call(tool, args, theme) : hook.call(tool, args, options, theme))) : undefined
  return own ?? fallback(tool).renderCall(args, options, theme)
}

/**
 * The same for a result, whole or as far as it is there.
 * @param {any} tool
 * @param {any} result
 * @param {RenderResultOptions} options
 * @param {RenderTheme} [theme]
 * @param {any} [args]
 */
export function renderToolResult(tool, result, options, theme, args) {
  const hook = tool?.renderResult
  const own = typeof hook === 'function' ? attempt(() => hook.call(tool, result, options, theme, args)) : undefined
  return own ?? fallback(tool).renderResult(result, options, theme, args)
}

/** @param {any} tool @returns {ToolRenderer} */
function fallback(tool) {
  const name = String(tool?.name ?? 'tool')
  return toolRenderers[name] ?? rendererOf(name, String(tool?.label ?? name))
}

/** A hook that fails must not take the interface with it. @template T @param {() => T} draw */
function attempt(draw) {
  try {
    return draw()
  } catch {
    return undefined
  }
}

/** `(args, options, theme)`, or the older `(args, theme)`. @param {any[]} rest */
function optionsAndTheme([first, second]) {
  const isTheme = typeof first?.fg === 'function'
  return { options: { ...collapsed, ...(isTheme ? {} : first) }, theme: isTheme ? first : second }
}

/**
 * @param {string} name
 * @param {string} label
 * @param {any} args
 * @param {RenderResultOptions} options
 * @returns {Line}
 */
function callLine(name, label, args, options) {
  const [subject, ...rest] = subjectOf(name, args)
  const mark = options.isPartial ? spinner(options) : '•'
  return [
    ['accent', `${mark} `],
    ['title', label],
    ['accent', subject === undefined ? '' : ` ${subject}`],
    ['muted', rest.map((part) => ` · ${part}`).join('')],
  ]
}

/**
 * @param {string} name
 * @param {any} result
 * @param {RenderResultOptions} options
 * @param {any} args
 * @param {number} width
 * @returns {Line[]}
 */
function resultLines(name, result, options, args, width) {
  const drawing = Object.hasOwn(drawings, name) ? drawings[name] : {}
  const isThrown = result instanceof Error
  const shown = { text: textOf(result), details: isThrown ? /** @type {any} */ (result).context : result?.details, args, expanded: Boolean(options.expanded), isPartial: Boolean(options.isPartial) }
  const failed = (isThrown || Boolean(result?.isError)) && !options.isPartial
  const summary = failed ? undefined : attempt(() => drawing.summary?.(shown))
  const body = failed && !hasOwnBody(name, shown) ? plain(shown.text).map(([[, text]]) => /** @type {Line} */ ([['error', text]])) : bodyOf(drawing, shown)
  const pictures = (Array.isArray(result?.content) ? result.content : []).filter((/** @type {any} */ block) => block?.type === 'image')
  const head = headLine(summary, failed, options)
  const lines = [...body, ...pictures.map((/** @type {any} */ { mimeType }) => /** @type {Line} */ ([['muted', `[${mimeType}]`]]))]
  const drawn = options.expanded ? laidOut(lines, EXPANDED, drawing.keep, width - 2) : laidOut(lines, drawing.lines ?? COLLAPSED, drawing.keep)
  return [...(head ? [head] : []), ...drawn.map((line) => /** @type {Line} */ ([['', '  '], ...line]))]
}

/** A list that was refused is still worth seeing, and so is which of several files failed. @param {string} name @param {any} shown */
function hasOwnBody(name, { expanded, details }) {
  return (name === 'todo_write' && expanded) || (name === 'edit' && Array.isArray(details?.perFileResults))
}

/** @param {import('./results.js').Drawing} drawing @param {any} shown */
function bodyOf(drawing, shown) {
  return attempt(() => drawing.body?.(shown)) ?? plain(shown.text)
}

/** @param {string | undefined} summary @param {boolean} failed @param {RenderResultOptions} options @returns {Line | undefined} */
function headLine(summary, failed, options) {
  if (options.isPartial) return [['accent', spinner(options)], ['muted', summary ? ` ${summary}` : ' running']]
  if (failed) return [['error', '✗ failed']]
  return summary ? [['success', '✓ '], ['muted', summary]] : undefined
}

/**
 * As many lines as are drawn, and a mark for the others. No more is laid out than that, however long the result is.
 * @param {Line[]} lines
 * @param {number} most
 * @param {'head' | 'tail'} [keep]
 * @param {number} [width] of lines that go on below themselves
 * @returns {Line[]}
 */
function laidOut(lines, most, keep = 'head', width) {
  const drawn = /** @type {Line[][]} */ ([])
  let count = 0
  // A mark in the place of a single line would save nothing.
  while (drawn.length < lines.length && count <= most + 1) {
    const line = lines[keep === 'tail' ? lines.length - 1 - drawn.length : drawn.length]
    const rows = width === undefined ? [line] : unfolded(line, width)
    drawn.push(rows)
    count += rows.length
  }
  const all = (keep === 'tail' ? drawn.reverse() : drawn).flat()
  if (drawn.length === lines.length && count <= most + 1) return all
  const hidden = lines.length - drawn.length + count - most
  if (keep === 'tail') return [[['dim', `… ${hidden} earlier lines`]], ...all.slice(-most)]
  return [...all.slice(0, most), [['dim', `… ${hidden} more lines`]]]
}

/** An expanded line goes on below itself; a margin of numbers stays in its place. @param {Line} line @param {number} width @returns {Line[]} */
function unfolded(line, width) {
  const [last, ...before] = line.filter(([, text]) => text !== '').toReversed()
  if (!last) return [line]
  const margin = before.toReversed()
  const used = margin.reduce((columns, [, text]) => columns + [...text].length, 0)
  const room = Math.max(1, width - used)
  const [style, text] = last
  const most = EXPANDED * room
  const [first, ...rest] = wrapped([style, text.slice(0, most)], room)
  // Nobody reads a line as long as that to its end.
  if (text.length > most) rest.push([[style, '…']])
  return [[...margin, ...first], ...rest.map((piece) => /** @type {Line} */ ([['', ' '.repeat(used)], ...piece]))]
}

/** @param {any} result */
function textOf(result) {
  if (result instanceof Error) return renderError(result)
  const blocks = Array.isArray(result?.content) ? result.content : []
  return blocks.filter((/** @type {any} */ block) => block?.type === 'text').map((/** @type {any} */ { text }) => String(text)).join('\n')
}

/** @param {RenderResultOptions} options */
function spinner({ spinnerFrame = 0 }) {
  return frames[Math.abs(Math.trunc(spinnerFrame)) % frames.length] ?? frames[0]
}
