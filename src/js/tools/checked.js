// What a factory may give back.

import { invalidArgument } from '../errors.js'
import { describe } from '../session.js'

/**
 * A factory's result: null, or an object that can be a tool. Anything else is the factory's fault, and named as such.
 * @param {string} name
 * @param {any} tool
 * @returns {import('../../../index.d.ts').AgentTool | null}
 */
export function checkedTool(name, tool) {
  if (tool === null || tool === undefined) return null
  const path = `BUILTIN_TOOLS.${name}()`
  if (typeof tool !== 'object') throw invalidArgument(path, `expected a tool or null, got ${describe(tool)}`)
  if (typeof tool.name !== 'string') throw invalidArgument(`${path}.name`, `expected a text, got ${describe(tool.name)}`)
  if (typeof tool.execute !== 'function') throw invalidArgument(`${path}.execute`, `expected a function, got ${describe(tool.execute)}`)
  return tool
}
