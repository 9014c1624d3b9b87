// `edit`: one tool whose arguments and texts follow the mode of its session, which may change.

import native from '../native.cjs'
import { invalidArgument } from '../errors.js'
import { callContext, checkSession, describe, sessionState, withEditMode } from '../session.js'
import { callNative } from '../signal.js'
import { defineNativeTool } from './native-tool.js'

/** @typedef {import('../../../index.d.ts').ToolSession} ToolSession */

/** What models are told, by mode. @type {Map<string, string>} */
const texts = new Map()

/** Changes pieces of files. */
export class EditTool {
  /** @param {ToolSession} session */
  constructor(session) {
    defineNativeTool(this, 'edit', session, native.execEdit, withEditMode)
    const told = toldByMode(session)
    // An environment that names no mode is told now, not with the first call.
    told()
    for (const field of ['description', 'parameters', 'customFormat']) {
      // Own properties that close over the session, so that a copy of the tool still has them.
      Object.defineProperty(this, field, { get: () => told()[field], enumerable: true, configurable: true })
    }
  }
}

/**
 * What an edit would do, while its arguments still arrive.
 * @param {ToolSession} session
 * @param {string} argumentsText JSON text that may lack its end
 * @param {AbortSignal} [signal]
 * @returns {Promise<import('../../../index.d.ts').PerFileDiffPreview[]>}
 */
export async function previewEdit(session, argumentsText, signal) {
  checkSession(session)
  if (typeof argumentsText !== 'string') throw invalidArgument('argumentsText', `expected a text, got ${describe(argumentsText)}`)
  const context = JSON.stringify(withEditMode(callContext(session, 'edit')))
  return JSON.parse(await callNative(signal, (handle) => native.previewEdit(argumentsText, context, handle, sessionState(session))))
}

/**
 * What models are told in the mode that is set now; one object for each mode, so that its schema is read once.
 * @param {ToolSession} session
 * @returns {() => Record<string, any>}
 */
function toldByMode(session) {
  /** @type {Map<string, Record<string, any>>} */
  const known = new Map()
  return () => {
    const mode = native.editMode(JSON.stringify(withEditMode(callContext(session, 'edit'))))
    let told = known.get(mode)
    if (told === undefined) {
      if (!texts.has(mode)) texts.set(mode, native.editTexts(mode))
      told = /** @type {Record<string, any>} */ (JSON.parse(/** @type {string} */ (texts.get(mode))))
      known.set(mode, told)
    }
    return told
  }
}
