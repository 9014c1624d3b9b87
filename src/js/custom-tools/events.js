// What happens to a session, told to the tools that want to know.

import { renderError } from '../errors.js'

/** @typedef {import('../../../index.d.ts').CustomToolSessionEvent} CustomToolSessionEvent */
/** @typedef {import('../../../index.d.ts').CustomToolContext} CustomToolContext */
/** @typedef {import('../../../index.d.ts').LoadedCustomTool} LoadedCustomTool */

/** How long a tool may hold up the others, and the end of the session. */
const PATIENCE = 10_000

/** Who hears of trouble with a tool. @type {WeakMap<object, { warn?(message: string): void }>} */
const loggers = new WeakMap()

/**
 * @param {object} tool
 * @param {{ warn?(message: string): void }} logger
 */
export function rememberLogger(tool, logger) {
  loggers.set(tool, logger)
}

/**
 * @param {object} tool
 * @param {string} message
 */
export function warnAbout(tool, message) {
  try {
    loggers.get(tool)?.warn?.(message)
  } catch {
    // A logger that fails is no reason to fail.
  }
}

/**
 * Calls every tool's `onSession` in order, each awaited; an error is logged and ignored.
 * @param {readonly LoadedCustomTool[]} tools
 * @param {CustomToolSessionEvent} event
 * @param {CustomToolContext} ctx
 */
export async function emitCustomToolSessionEvent(tools, event, ctx) {
  for (const { tool, path } of tools) {
    try {
      await soon(tool.onSession?.(event, ctx))
    } catch (error) {
      warnAbout(tool, `The custom tool ${path} failed on the session event ${event?.reason}: ${renderError(error)}`)
    }
  }
}

/** @param {unknown} work */
async function soon(work) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer
  const end = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no end within ${PATIENCE} ms`)), PATIENCE)
  })
  try {
    await Promise.race([work, end])
  } finally {
    clearTimeout(timer)
  }
}
