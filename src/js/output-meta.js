// The builder of output metadata: notes what it is told and asks the engine once.

import native from './native.cjs'
import { callNativeSync } from './errors.js'

/** @typedef {import('../../index.d.ts').OutputMeta} OutputMeta */
/** @typedef {import('../../index.d.ts').CutOptions} CutOptions */

/** Collects what a tool knows of its output. The same thing told twice: the later wins. */
export class OutputMetaBuilder {
  /** @type {unknown[][]} */
  #calls = []

  /**
   * @param {import('../../index.d.ts').TruncationResult} result
   * @param {CutOptions} options
   */
  truncation(result, options) {
    return this.#note('truncation', countsOf(result), options)
  }

  /**
   * @param {import('../../index.d.ts').ReadWindow} windows
   * @param {Partial<CutOptions>} [options]
   */
  truncationWindows(windows, options) {
    return this.#note('truncationWindows', countsOf(windows), options)
  }

  /**
   * @param {import('../../index.d.ts').OutputSummary} summary
   * @param {CutOptions} options
   */
  truncationFromSummary(summary, options) {
    return this.#note('truncationFromSummary', countsOf(summary), options)
  }

  /**
   * @param {string} text what is shown
   * @param {CutOptions & { totalLines?: number, totalBytes?: number }} options
   */
  truncationFromText(text, options) {
    const [outputLines, outputBytes] = native.measureText(text)
    return this.#note('truncationFromText', { outputLines, outputBytes }, options)
  }

  /** @param {number} reached @param {number} [suggestion] */
  matchLimit(reached, suggestion) {
    return this.#note('matchLimit', reached, suggestion)
  }

  /** @param {number} reached @param {number} [suggestion] */
  resultLimit(reached, suggestion) {
    return this.#note('resultLimit', reached, suggestion)
  }

  /** @param {number} reached @param {number} [suggestion] */
  headLimit(reached, suggestion) {
    return this.#note('headLimit', reached, suggestion)
  }

  /** @param {{ matchLimit?: number, resultLimit?: number, headLimit?: number, columnMax?: number }} limits */
  limits(limits) {
    return this.#note('limits', limits)
  }

  /** @param {number} maxColumn */
  columnTruncated(maxColumn) {
    return this.#note('columnTruncated', maxColumn)
  }

  /** @param {string} path */
  sourcePath(path) {
    return this.#note('sourcePath', path)
  }

  /** @param {string} url */
  sourceUrl(url) {
    return this.#note('sourceUrl', url)
  }

  /** @param {string} address */
  sourceInternal(address) {
    return this.#note('sourceInternal', address)
  }

  /** @param {string} summary @param {string[]} messages */
  diagnostics(summary, messages) {
    return this.#note('diagnostics', summary, messages)
  }

  /**
   * The metadata; absent when there is nothing to tell.
   * @returns {OutputMeta | undefined}
   */
  get() {
    if (this.#calls.length === 0) return undefined
    const meta = callNativeSync(() => native.buildOutputMeta(JSON.stringify(this.#calls)))
    return meta === null ? undefined : JSON.parse(meta)
  }

  /** @param {unknown[]} call */
  #note(...call) {
    this.#calls.push(call)
    return this
  }
}

/** @returns {OutputMetaBuilder} */
export function outputMeta() {
  return new OutputMetaBuilder()
}

/**
 * Collects the result of a tool: blocks, details, metadata.
 * @template {object} D
 */
export class ToolResultBuilder {
  /** @type {any[]} */
  #content = []
  #meta = new OutputMetaBuilder()
  #isError = false
  /** @type {D | undefined} */
  #details

  /** @param {D} [details] */
  constructor(details) {
    this.#details = details
  }

  /** @param {string} text */
  text(text) {
    this.#content = [{ type: 'text', text }]
    return this
  }

  /** @param {any[]} blocks */
  content(blocks) {
    this.#content = blocks
    return this
  }

  /** @param {boolean} [isError] */
  error(isError = true) {
    this.#isError = isError
    return this
  }

  /** @returns {import('../../index.d.ts').AgentToolResult<D>} */
  done() {
    const told = this.#meta.get()
    const { meta: earlier } = /** @type {import('../../index.d.ts').DetailsWithMeta} */ (this.#details ?? {})
    const meta = told || earlier ? { ...earlier, ...told } : undefined
    const details = meta ? { ...this.#details, meta } : this.#details
    const result = { content: this.#content, ...(details && { details }), ...(this.#isError && { isError: true }) }
    return /** @type {import('../../index.d.ts').AgentToolResult<D>} */ (result)
  }

  /** @param {string} method @param {unknown[]} call */
  tell(method, call) {
    /** @type {any} */ (this.#meta)[method](...call)
    return this
  }
}

// What the metadata builder is told, the result builder passes on.
for (const method of Object.getOwnPropertyNames(OutputMetaBuilder.prototype)) {
  if (method === 'constructor' || method === 'get') continue
  Object.defineProperty(ToolResultBuilder.prototype, method, {
    value: function (/** @type {unknown[]} */ ...call) {
      return this.tell(method, call)
    },
    writable: true,
    configurable: true,
  })
}

/**
 * @template {object} D
 * @param {D} [details]
 * @returns {import('../../index.d.ts').ToolResultBuilder<D>}
 */
export function toolResult(details) {
  return /** @type {any} */ (new ToolResultBuilder(details))
}

/**
 * A cut without its texts: only counts and ranges cross to the engine.
 * @param {any} cut
 */
function countsOf(cut) {
  const { content, output, head, tail, ...counts } = cut ?? {}
  return counts
}
