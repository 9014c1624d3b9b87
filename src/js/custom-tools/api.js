// What a tool module is handed: one object for each loader, which no module can change for the others.

import libraries from './libraries.cjs'
import { execCommand } from './exec.js'
import { invalidArgument, ToolError } from '../errors.js'
import { describe } from '../session.js'

/** @typedef {import('../../../index.d.ts').CustomToolAPI} CustomToolAPI */
/** @typedef {import('../../../index.d.ts').CustomToolUIContext} CustomToolUIContext */
/** @typedef {import('../../../index.d.ts').PushPendingAction} PushPendingAction */

/**
 * An interface that answers nothing, for hosts without one.
 * @returns {CustomToolUIContext}
 */
export function createNoOpUIContext() {
  return {
    select: async () => undefined,
    confirm: async () => false,
    input: async () => undefined,
    editor: async () => undefined,
    custom: async () => undefined,
    notify() {},
    setStatus() {},
    setEditorText() {},
    getEditorText: () => '',
    theme: {},
  }
}

/**
 * A logger that has every level, whatever the host's has; without one it is silent.
 * @param {any} [logger]
 */
export function completeLogger(logger) {
  const level = (/** @type {string} */ name) => [name, (/** @type {any[]} */ ...args) => logger?.[name]?.(...args)]
  return Object.freeze(Object.fromEntries(['debug', 'info', 'warn', 'error'].map(level)))
}

/**
 * The object, and what changes `ui` and `hasUI` for everyone who holds it.
 * @param {{ pi: unknown, cwd: string, logger: any, pushPendingAction?: PushPendingAction }} host
 * @returns {{ api: CustomToolAPI, setUIContext(ui: CustomToolUIContext, hasUI: boolean): void }}
 */
export function createApi({ pi, cwd, logger, pushPendingAction }) {
  let ui = createNoOpUIContext()
  let hasUI = false
  const api = {
    cwd,
    exec: (/** @type {string} */ command, /** @type {string[]} */ args, /** @type {any} */ options) => execCommand(command, args, cwd, options),
    get ui() {
      return ui
    },
    get hasUI() {
      return hasUI
    },
    logger,
    get typebox() {
      return libraries.typebox()
    },
    get zod() {
      return libraries.zod()
    },
    pi,
    pushPendingAction: (/** @type {any} */ action) => stage(action, pushPendingAction),
  }
  return {
    // Accessors stay alive in a frozen object.
    api: /** @type {any} */ (Object.freeze(api)),
    setUIContext(newUI, newHasUI) {
      ui = newUI
      hasUI = Boolean(newHasUI)
    },
  }
}

/**
 * Hands a preview to the host.
 * @param {any} action
 * @param {PushPendingAction} [pushPendingAction]
 */
function stage(action, pushPendingAction) {
  if (typeof action !== 'object' || action === null) throw invalidArgument('action', `expected an object, got ${describe(action)}`)
  const { label, sourceToolName = 'custom_tool', details } = action
  if (typeof label !== 'string') throw invalidArgument('action.label', `expected a text, got ${describe(label)}`)
  if (typeof action.apply !== 'function') throw invalidArgument('action.apply', `expected a function, got ${describe(action.apply)}`)
  if (!pushPendingAction) {
    throw new ToolError('This host takes no previews: it gave `pushPendingAction` to nobody', { code: 'tool_unavailable', tool: sourceToolName, reason: 'no pushPendingAction' })
  }
  pushPendingAction({
    label,
    sourceToolName,
    apply: (reason, extra) => action.apply(reason, extra),
    reject: action.reject && ((reason, extra) => action.reject(reason, extra)),
    ...(details === undefined ? {} : { details }),
  })
}
