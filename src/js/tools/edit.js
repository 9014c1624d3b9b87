// `edit`, whose arguments and texts follow the mode that is set.

import native from '../native.cjs'
import { callNativeSync } from '../errors.js'
import { callContext } from '../session.js'
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
    const env = variables.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))
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

/** @param {ToolSession} session */
function modelName(session) {
  const model = /** @type {any} */ (session).model
  return typeof model?.id === 'string' ? `${model.provider ?? ''}/${model.id}` : undefined
}
