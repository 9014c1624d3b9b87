// `edit`, whose arguments and texts follow the mode that is set.

import native from '../native.cjs'
import { callNativeSync, invalidArgument } from '../errors.js'
import { callContext, checkSession, describe, rememberEnvironment, sessionState } from '../session.js'
import { callNative } from '../signal.js'
import { afterWrites } from './after-write.js'
import { defineNativeTool } from './native-tool.js'

/** @typedef {import('../../../index.d.ts').ToolSession} ToolSession */
/** @typedef {{ description: string, parameters: object, customFormat?: object, customWireName?: string }} Texts */

/** Edits files. */
export class EditTool {
  /** @param {ToolSession} session */
  constructor(session) {
    defineNativeTool(this, 'edit', session, native.execEdit, afterWrites('edit', session))
    rememberEnvironment(session)
    const mode = () => callNativeSync(() => native.editMode(JSON.stringify(callContext(session, 'edit'))))
    // A variable that names no mode is told now, not with the first call.
    mode()
    /** Each mode has one schema object for as long as the tool lives. @type {Map<string, Texts>} */
    const known = new Map()
    const texts = () => {
      const name = mode()
      const texts = known.get(name) ?? JSON.parse(native.editTexts(name) ?? '{}')
      known.set(name, texts)
      return texts
    }
    for (const field of /** @type {const} */ (['description', 'parameters', 'customFormat', 'customWireName'])) {
      Object.defineProperty(this, field, { get: () => texts()[field], enumerable: true, configurable: true })
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
  const context = JSON.stringify(callContext(session, 'edit'))
  return JSON.parse(await callNative(signal, (handle) => native.previewEdit(argumentsText, context, handle, sessionState(session))))
}
