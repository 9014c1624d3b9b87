// Applying or discarding what another tool has staged.

import { throwIfAborted } from '../errors.js'
import { checkResolveParams, resolveInvoker } from '../resolve.js'
import { checkSession } from '../session.js'
import { toolIdentity } from './native-tool.js'

/** @typedef {import('../../../index.d.ts').ToolSession} ToolSession */

/** Applies or discards the newest preview. */
export class ResolveTool {
  /** @param {ToolSession} session */
  constructor(session) {
    checkSession(session)
    const tool = /** @type {any} */ (this)
    Object.assign(tool, toolIdentity('resolve'))
    tool.intent = intent
    tool.execute = async (
      /** @type {string} */ _toolCallId,
      /** @type {import('../../../index.d.ts').ResolveParams} */ params,
      /** @type {AbortSignal | undefined} */ signal,
    ) => {
      throwIfAborted(signal)
      checkResolveParams(params)
      return resolveInvoker(session)(params)
    }
  }
}

/** @param {{ action?: unknown, reason?: unknown }} args what has arrived of the arguments so far */
function intent({ action, reason } = {}) {
  const doing = action === 'discard' ? 'Discard' : action === 'apply' ? 'Apply' : 'Resolve'
  return typeof reason === 'string' && reason !== '' ? `${doing}: ${reason}` : `${doing} the preview`
}
