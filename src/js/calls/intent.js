// What a model says it wants with a call, apart from the arguments of the tool.

import { INTENT_FIELD } from '../intent.js'
import { isPlain } from './copy.js'

/**
 * Splits the intent off a call. Asked for tools of every policy and for unknown ones: a model may state it anywhere.
 * @param {import('../../../index.d.ts').AgentTool | undefined} tool
 * @param {any} arguments_ as the provider gave them
 * @returns {{ arguments: any, intent?: string }}
 */
export function splitIntent(tool, arguments_) {
  if (!isPlain(arguments_) || Array.isArray(arguments_)) return { arguments: arguments_ }
  const { [INTENT_FIELD]: said, ...rest } = /** @type {Record<string, unknown>} */ (arguments_)
  return { arguments: rest, intent: trimmed(said) ?? derived(tool, rest) }
}

/**
 * @param {import('../../../index.d.ts').AgentTool | undefined} tool
 * @param {Record<string, unknown>} arguments_
 */
function derived(tool, arguments_) {
  if (typeof tool?.intent !== 'function') return undefined
  try {
    return trimmed(tool.intent(arguments_))
  } catch {
    // A description only: a call never fails for want of one.
    return undefined
  }
}

/** @param {unknown} text */
function trimmed(text) {
  const plain = typeof text === 'string' ? text.trim() : ''
  return plain === '' ? undefined : plain
}
