// Notebooks as documents, for hosts that change their cells. `edit` has a way of its own, which keeps every other byte.

import native from './native.cjs'
import { invalidArgument } from './errors.js'
import { callNative } from './signal.js'
import { textArgument } from './text-argument.js'

/** @typedef {import('../../index.d.ts').NotebookDocument} NotebookDocument */
/** @typedef {import('../../index.d.ts').NotebookCell} NotebookCell */

/** How the file of a document is laid out. @type {WeakMap<NotebookDocument, { indent: string, end: string }>} */
const layouts = new WeakMap()

/** A notebook without cells. @returns {NotebookDocument} */
export function createEmptyNotebook() {
  return { cells: [], metadata: {}, nbformat: 4, nbformat_minor: 5 }
}

/**
 * A cell that was never run.
 * @param {NotebookCell['cell_type']} cellType
 * @param {string} source
 * @returns {NotebookCell}
 */
export function createNotebookCell(cellType, source) {
  if (!['code', 'markdown', 'raw'].includes(cellType)) throw invalidArgument('cellType', 'expected `code`, `markdown` or `raw`')
  return { cell_type: cellType, metadata: {}, source: splitNotebookSource(source), ...(cellType === 'code' && { execution_count: null, outputs: [] }) }
}

/**
 * A source as notebooks keep it: its lines, each with its LF.
 * @param {string} content
 * @returns {string[]}
 */
export function splitNotebookSource(content) {
  return textArgument(content, 'content') === '' ? [] : content.split(/(?<=\n)/)
}

/**
 * Reads a notebook; what is none is refused (`notebook_bad_json`, `notebook_bad_structure`).
 * @param {string} absolutePath
 * @param {string} [displayPath] the path in errors
 * @returns {Promise<NotebookDocument>}
 */
export async function readNotebookDocument(absolutePath, displayPath = absolutePath) {
  const text = await callNative(undefined, () => native.notebookText(textArgument(absolutePath, 'absolutePath'), textArgument(displayPath, 'displayPath')))
  const document = JSON.parse(text)
  layouts.set(document, { indent: /^\s*\{\r?\n([ \t]+)/.exec(text)?.[1] ?? '', end: /\r?\n$/.exec(text)?.[0] ?? '' })
  return document
}

/**
 * The text of a notebook, indented as its file was and with the same end; a new one as Jupyter writes it.
 * @param {NotebookDocument} notebook
 */
export function serializeNotebookDocument(notebook) {
  const { indent, end } = layouts.get(notebook) ?? { indent: ' ', end: '\n' }
  return `${JSON.stringify(notebook, null, indent)}${end}`
}
