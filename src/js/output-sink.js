// Growing outputs: what is kept of them, and what is shown while they grow.

import native from './native.cjs'
import { settingsSnapshot } from './session.js'

/** @typedef {import('../../index.d.ts').SettingsLike} SettingsLike */

const constants = JSON.parse(native.outputConstants())

/** Bytes of a command's output that are shown where no setting says otherwise. @type {number} */
export const BASH_DEFAULT_OUTPUT_TAIL_BYTES = constants.bashTailBytes

/**
 * Bytes of the start of a command's output that are shown.
 * @param {SettingsLike} settings
 */
export function resolveBashOutputSinkHeadBytes(settings) {
  return kibibytes(settings, 'tools.artifactHeadBytes') ?? 0
}

/**
 * Bytes of the end of a command's output that are shown.
 * @param {SettingsLike} settings
 */
export function resolveBashOutputSinkTailBytes(settings) {
  return kibibytes(settings, 'tools.artifactTailBytes') ?? BASH_DEFAULT_OUTPUT_TAIL_BYTES
}

/**
 * Bytes of the start of any other output that are shown.
 * @param {SettingsLike | undefined} settings
 */
export function resolveOutputSinkHeadBytes(settings) {
  return kibibytes(settings, 'tools.artifactHeadBytes') ?? constants.sinkHeadBytes
}

/**
 * Characters of a line that are shown; 0: any number.
 * @param {SettingsLike | undefined} settings
 */
export function resolveOutputMaxColumns(settings) {
  return Math.floor(numberOf(settings, 'tools.outputMaxColumns') ?? constants.maxColumns)
}

/** The last bytes of a growing text, whole characters only. */
export class TailBuffer {
  #window

  /** @param {number} maxBytes */
  constructor(maxBytes) {
    this.#window = new native.OutputWindow(0, maxBytes, 0)
  }

  /** @param {string} text */
  append(text) {
    this.#window.push(text)
  }

  text() {
    return this.#window.show().text
  }

  /** Bytes of {@link text}. */
  bytes() {
    return native.measureText(this.text())[1]
  }
}

/**
 * Sends what a buffer shows after each piece that is appended.
 * @param {TailBuffer} tailBuffer
 * @param {import('../../index.d.ts').AgentToolUpdateCallback<any, any> | undefined} onUpdate
 * @returns {(chunk: string) => void}
 */
export function streamTailUpdates(tailBuffer, onUpdate) {
  return (chunk) => {
    tailBuffer.append(chunk)
    onUpdate?.({ content: [{ type: 'text', text: tailBuffer.text() }], details: {} })
  }
}

/** Takes an output piece by piece and keeps a bounded part of it; on request the whole of it, for the host's store. */
export class OutputSink {
  #window
  #options
  /** The whole output, as long as it may become an artifact. @type {string[]} */
  #whole = []
  #wholeUnits = 0
  /** @type {Promise<string | undefined> | undefined} */
  #saved
  #decoder = new TextDecoder()
  #lastUpdate = 0

  /** @param {import('../../index.d.ts').OutputSinkOptions} [options] */
  constructor(options = {}) {
    const { headBytes = 0, tailBytes = options.spillThreshold ?? constants.maxBytes, maxColumns = 0 } = options
    this.#options = options
    this.#window = new native.OutputWindow(headBytes, tailBytes, maxColumns)
  }

  /** @param {string | Uint8Array} chunk bytes may end in the middle of a character */
  push(chunk) {
    const text = typeof chunk === 'string' ? this.#decoder.decode() + chunk : this.#decoder.decode(chunk, { stream: true })
    this.#take(text)
  }

  /** A stream that ends up here. @returns {WritableStream<string | Uint8Array>} */
  createInput() {
    return new WritableStream({ write: (chunk) => this.push(chunk), close: () => this.#take(this.#decoder.decode()) })
  }

  /**
   * What is shown of everything so far, and how much there was.
   * @param {string} [notice] a line to put before it
   * @returns {Promise<import('../../index.d.ts').OutputSummary>}
   */
  async dump(notice) {
    this.#take(this.#decoder.decode())
    const { text, totalLines, totalBytes, meta } = this.#window.show()
    const { truncation, limits } = JSON.parse(meta)
    const [outputLines, outputBytes] = native.measureText(text)
    const artifactId = this.#options.artifactId ?? (truncation && (await this.#save()))
    const { direction, headRange, tailRange, elidedLines, elidedBytes } = truncation ?? {}
    return {
      output: notice ? `[${notice}]\n${text}` : text,
      truncated: truncation !== undefined,
      totalLines,
      totalBytes,
      outputLines,
      outputBytes,
      ...(direction === 'middle' && { direction, headRange, tailRange, elidedLines, elidedBytes }),
      ...(limits?.columnTruncated && { columnMax: limits.columnTruncated.maxColumn }),
      ...(artifactId !== undefined && { artifactId }),
    }
  }

  /** @param {string} text */
  #take(text) {
    if (text === '') return
    this.#window.push(text)
    this.#remember(text)
    const { onChunk, chunkThrottleMs = 0 } = this.#options
    const now = performance.now()
    if (!onChunk || (chunkThrottleMs > 0 && this.#lastUpdate > 0 && now - this.#lastUpdate < chunkThrottleMs)) return
    this.#lastUpdate = now
    onChunk(text)
  }

  /** @param {string} text */
  #remember(text) {
    if (!this.#options.save || this.#wholeUnits >= constants.artifactMaxBytes) return
    this.#whole.push(text)
    this.#wholeUnits += text.length
  }

  /** Saves what was remembered, once. */
  async #save() {
    const { save } = this.#options
    if (!save) return undefined
    this.#saved ??= Promise.resolve(save(native.cutBytes(this.#whole.join(''), constants.artifactMaxBytes)[0]))
    return this.#saved
  }
}

/**
 * @param {SettingsLike | undefined} settings
 * @param {string} key
 */
function kibibytes(settings, key) {
  const value = numberOf(settings, key)
  return value === undefined ? undefined : Math.floor(value * 1024)
}

/**
 * A number of at least 0 that the host set.
 * @param {SettingsLike | undefined} settings
 * @param {string} key
 */
function numberOf(settings, key) {
  const value = settings && settingsSnapshot(settings, 'bash')[key]
  return typeof value === 'number' && value >= 0 ? value : undefined
}
