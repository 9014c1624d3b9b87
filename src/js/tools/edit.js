// `edit`, whose arguments and texts follow the mode that is set.

import native from '../native.cjs'
import { callNativeSync, invalidArgument } from '../errors.js'
import { callContext, checkSession, describe, sessionState } from '../session.js'
import { callNative } from '../signal.js'
import { tellAfterWrites } from './after-write.js'
import { defineNativeTool } from './native-tool.js'

/** @typedef {import('../../../index.d.ts').ToolSession} ToolSession */
/** @typedef {{ description: string, parameters: object, customFormat?: object, customWireName?: string }} Texts */

/** What chooses the mode, or how much may differ, before any setting does. */
const variables = ['GJC_EDIT_VARIANT', 'PI_EDIT_VARIANT', 'PI_EDIT_FUZZY', 'PI_EDIT_FUZZY_THRESHOLD']

/** Edits files. */
export class EditTool {
  /** @param {ToolSession} session */
  constructor(session) {
    // Read once: a session does not change its ways because of what a program sets later.
    const env = environment()
    const complete = (/** @type {Record<string, any>} */ context) => ({ ...context, env, model: modelName(session) })
    defineNativeTool(this, 'edit', session, native.execEdit, complete)
    tellAfterWrites(this, session)
    const mode = () => callNativeSync(() => native.editMode(JSON.stringify(complete(callContext(session, 'edit')))))
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
  const context = JSON.stringify({ ...callContext(session, 'edit'), env: environment(), model: modelName(session) })
  return JSON.parse(await callNative(signal, (handle) => native.previewEdit(argumentsText, context, handle, sessionState(session))))
}

/** The variables that have a say, as they are now. */
export function environment() {
  return variables.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))
}

/**
 * The model of a session as `provider/id`, where it tells.
 * @param {{ model?: any, getActiveModelString?: () => string | undefined }} session
 */
export function modelName(session) {
  const { model } = session
  if (typeof model?.id === 'string') return `${model.provider ?? ''}/${model.id}`
  const name = session.getActiveModelString?.()
  return typeof name === 'string' ? name : undefined
}
