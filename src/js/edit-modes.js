// The modes of `edit`, for hosts that show calls while they arrive.

import { homedir } from 'node:os'
import native from './native.cjs'
import { callNativeSync, ToolError } from './errors.js'
import { modeFacts, settingsSnapshot } from './session.js'
import { callNative } from './signal.js'

/** @typedef {import('../../index.d.ts').EditMode} EditMode */
/** @typedef {import('../../index.d.ts').EditStreamingStrategy} EditStreamingStrategy */

export const constants = JSON.parse(native.editConstants())

/** @type {readonly EditMode[]} */
export const EDIT_MODES = Object.freeze(constants.modes)

/** @type {number} */
export const MAX_EDIT_FILE_BYTES = constants.maxBytes

/**
 * The mode of a name.
 * @param {string | null} [mode]
 * @returns {EditMode | undefined}
 */
export function normalizeEditMode(mode) {
  return EDIT_MODES.find((known) => known === mode)
}

/**
 * The mode that `edit` has in a session.
 * @param {import('../../index.d.ts').EditModeSessionLike} session
 * @returns {EditMode}
 */
export function resolveEditMode(session) {
  const context = { cwd: '/', settings: settingsSnapshot(session.settings, 'edit'), ...modeFacts(session) }
  return /** @type {EditMode} */ (callNativeSync(() => native.editMode(JSON.stringify(context))))
}

/** Lines of arriving arguments that are shown. */
const SHOWN_LINES = 12

/** The JSON text behind arguments that are not whole yet. @type {WeakMap<object, string>} */
const arriving = new WeakMap()

/**
 * @param {EditMode} mode
 * @returns {EditStreamingStrategy}
 */
function strategyOf(mode) {
  return Object.freeze({
    extractCompleteEdits(/** @type {any} */ args, /** @type {string | undefined} */ partialJson) {
      // What of it is whole is decided by whoever previews it.
      const known = { ...args }
      if (partialJson !== undefined) arriving.set(known, partialJson)
      return known
    },
    async computeDiffPreview(/** @type {any} */ args, /** @type {import('../../index.d.ts').StreamingDiffContext} */ { cwd, signal, fuzzyThreshold, allowFuzzy }) {
      const settings = { 'edit.mode': mode, ...(allowFuzzy !== undefined && { 'edit.fuzzyMatch': allowFuzzy }), ...(fuzzyThreshold !== undefined && { 'edit.fuzzyThreshold': fuzzyThreshold }) }
      const context = JSON.stringify({ cwd, home: homedir(), settings })
      try {
        const previews = JSON.parse(await callNative(signal, (handle) => native.previewEdit(arriving.get(args) ?? JSON.stringify(args), context, handle)))
        return previews.length > 0 ? previews : null
      } catch (error) {
        if (error instanceof ToolError && error.code === 'unsupported') return null
        throw error
      }
    },
    renderStreamingFallback(/** @type {any} */ args, /** @type {import('../../index.d.ts').NoticeTheme} */ theme) {
      const lines = textsOf(args).join('\n').trimEnd().split('\n')
      const shown = lines.slice(-SHOWN_LINES).map((line) => theme.fg('toolOutput', line))
      return lines.join('') === '' ? '' : `\n\n${shown.join('\n')}\n${theme.fg('dim', '…')}`
    },
  })
}

/** @type {Readonly<Record<EditMode, EditStreamingStrategy>>} */
export const EDIT_MODE_STRATEGIES = Object.freeze(
  /** @type {Record<EditMode, EditStreamingStrategy>} */ (Object.fromEntries(EDIT_MODES.map((mode) => [mode, strategyOf(mode)]))),
)

/**
 * The texts of arguments that grow while they arrive.
 * @param {any} args
 * @returns {string[]}
 */
function textsOf(args) {
  const edits = Array.isArray(args?.edits) ? args.edits : []
  return [args?.input, ...edits.flatMap((/** @type {any} */ edit) => [edit?.diff, edit?.new_text]), ...(Array.isArray(args?.steps) ? args.steps.map(String) : [])].filter((text) => typeof text === 'string')
}
