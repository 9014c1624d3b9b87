// Lines of styled text that fit whatever width they are drawn at. How wide a character is, is the engine's.

import native from '../native.cjs'

/**
 * A piece of a line: a colour of the theme (`title` is bold, '' is plain) and its text.
 * @typedef {[style: string, text: string]} Span
 * @typedef {Span[]} Line
 * @typedef {import('../../../index.d.ts').RenderTheme} RenderTheme
 */

/** Of a text, more than so many units for each column are never looked at: it is cut anyway. */
const UNITS = 32

/** What interfaces draw: asked for its lines with every change of the width. */
export class View {
  /** @type {{ width: number, lines: string[] } | undefined} */
  #drawn
  #lines
  #theme

  /**
   * @param {(width: number) => Line[]} lines
   * @param {RenderTheme} [theme]
   */
  constructor(lines, theme) {
    this.#lines = lines
    this.#theme = theme
  }

  /**
   * @param {number} width columns, at least 1
   * @returns {string[]}
   */
  render(width) {
    if (this.#drawn?.width !== width) {
      this.#drawn = { width, lines: this.#lines(width).map((line) => painted(line, width, this.#theme)) }
    }
    return this.#drawn.lines
  }

  /** Draws anew: the theme has changed. */
  invalidate() {
    this.#drawn = undefined
  }
}

/**
 * @param {Line} line
 * @param {number} width
 * @param {RenderTheme} [theme]
 */
function painted(line, width, theme) {
  const most = columns(width) * UNITS + 1
  const texts = native.fitToWidth(line.map(([, text]) => text.slice(0, most)), columns(width))
  return texts.map((text, index) => colored(line[index][0], text, theme)).join('')
}

/**
 * @param {string} style
 * @param {string} text
 * @param {RenderTheme} [theme]
 */
function colored(style, text, theme) {
  if (text === '' || style === '' || !theme) return text
  try {
    return style === 'title' ? theme.fg('toolTitle', theme.bold?.(text) ?? text) : theme.fg(style, text)
  } catch {
    // A theme that lacks a colour still shows the words.
    return text
  }
}

/**
 * A long line as the lines it takes, in one style.
 * @param {Span} span
 * @param {number} width
 * @returns {Line[]}
 */
export function wrapped([style, text], width) {
  return native.wrapToWidth(text, columns(width)).map((piece) => [[style, piece]])
}

/** @param {number} width */
function columns(width) {
  return Number.isFinite(width) ? Math.max(0, Math.trunc(width)) : 0
}
