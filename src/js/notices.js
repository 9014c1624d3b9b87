// The notice wrapper around a tool's execute: long results cut, closing notice appended, errors rendered. What is cut
// and what a notice says is the engine's.

import { invalidArgument, renderError, ToolAbortError } from './errors.js'
import { logged } from './log.js'
import { rendered as renderedNotices } from './output.js'
import { describe } from './session.js'
import { bounded } from './spill.js'

/** On a wrapped `execute`: what its wrapper knows. On the function, so that a copy of the tool counts as wrapped too. */
const wrapped = Symbol.for('gajae-tool-core.notices')

/**
 * Replaces `execute` of a tool by one that cuts long results, appends the notice of `details.meta` and throws rendered
 * errors. Returns the same object; wrapping twice does nothing but tell the session where it was missing.
 * @template {import('../../index.d.ts').AgentTool<any, any, any>} T
 * @param {T} tool
 * @param {import('../../index.d.ts').ToolSession} [session] has the settings and the store; absent: the tool's own `session`
 * @returns {T}
 */
export function wrapToolWithMetaNotice(tool, session) {
  if (typeof tool?.execute !== 'function') throw invalidArgument('tool.execute', `expected a function, got ${describe(tool?.execute)}`)
  const known = /** @type {any} */ (tool.execute)[wrapped]
  if (known) {
    known.session ??= session
    return tool
  }
  const { execute, name } = tool
  const state = { session }
  // A frozen tool cannot be changed; a view of it can.
  const open = Object.getOwnPropertyDescriptor(tool, 'execute')?.writable === false || !Object.isExtensible(tool) ? Object.create(tool) : tool
  /** @type {(this: any, ...call: [any, any]) => Promise<any>} */
  const replaced = async function (...call) {
    let result
    try {
      result = await execute.apply(this, call)
    } catch (error) {
      throw rendered(error)
    }
    return finished(result, name, state.session ?? /** @type {any} */ (tool).session)
  }
  const outer = logged(name, replaced)
  Object.defineProperty(outer, wrapped, { value: state })
  if (open === tool) tool.execute = outer
  else Object.defineProperty(open, 'execute', { value: outer, writable: true, enumerable: true, configurable: true })
  return open
}

/**
 * What enters the conversation. The call is over: nothing that goes wrong from here on may undo its result.
 * @param {any} result
 * @param {string} tool
 * @param {import('../../index.d.ts').ToolSession | undefined} session
 */
async function finished(result, tool, session) {
  try {
    return appendNotice(await bounded(result, tool, session))
  } catch (error) {
    session?.logger?.warn?.(`The result of ${tool} stays without its notice: ${renderError(error)}`)
    return result
  }
}

/** @param {any} result */
function appendNotice(result) {
  const meta = result?.details?.meta
  if (!meta || !Array.isArray(result.content)) return result
  const [appended, notices] = renderedNotices(meta)
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
