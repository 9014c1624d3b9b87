// The notice wrapper around a tool's execute: closing notice appended, errors rendered. What a notice says is the
// engine's.

import native from './native.cjs'
import { invalidArgument, renderError, ToolAbortError } from './errors.js'
import { describe } from './session.js'

const wrapped = Symbol.for('gajae-tool-core.notices')

/**
 * Replaces `execute` of a tool by one that appends the notice of `details.meta` and throws rendered errors.
 * Returns the same object; wrapping twice does nothing.
 * @template {import('../../index.d.ts').AgentTool<any, any, any>} T
 * @param {T} tool
 * @returns {T}
 */
export function wrapToolWithMetaNotice(tool) {
  if (typeof tool?.execute !== 'function') throw invalidArgument('tool.execute', `expected a function, got ${describe(tool?.execute)}`)
  if (/** @type {any} */ (tool)[wrapped]) return tool
  const execute = tool.execute
  tool.execute = async function (...call) {
    try {
      return appendNotice(await execute.apply(this, call))
    } catch (error) {
      throw rendered(error)
    }
  }
  Object.defineProperty(tool, wrapped, { value: true })
  return tool
}

/** @param {any} result */
function appendNotice(result) {
  const meta = result?.details?.meta
  if (!meta || !Array.isArray(result.content)) return result
  const [appended, notices] = JSON.parse(native.renderNotices(JSON.stringify(meta)))
  if (appended === '') return result
  const last = result.content.findLastIndex((/** @type {any} */ block) => block?.type === 'text')
  const content = [...result.content]
  if (last === -1) content.push({ type: 'text', text: appended.trimStart() })
  else content[last] = { ...content[last], text: content[last].text + appended }
  const details = { ...result.details, notices: [...(result.details.notices ?? []), ...notices] }
  return { ...result, content, details }
}

/**
 * A thrown value as a plain error with the rendered message; identity and facts are kept.
 * @param {any} error
 */
function rendered(error) {
  if (error instanceof ToolAbortError) return error
  if (error instanceof Error && renderError(error) === error.message) return error
  const plain = new Error(typeof error?.render === 'function' ? error.render() : renderError(error))
  for (const key of ['name', 'code', 'path', 'context', 'cause']) {
    if (error?.[key] !== undefined) Object.defineProperty(plain, key, { value: error[key], configurable: true, writable: true })
  }
  return plain
}
