// What can be a tool. Anything else is the fault of whoever made it, and named as such.

import { invalidArgument } from '../errors.js'
import { describe } from '../session.js'

/** @typedef {import('../../../index.d.ts').AgentTool} AgentTool */

/**
 * @param {string} path what the value is called in errors
 * @param {any} tool
 * @returns {AgentTool}
 */
export function checkedTool(path, tool) {
  if (typeof tool !== 'object' || tool === null) throw invalidArgument(path, `expected a tool, got ${describe(tool)}`)
  if (typeof tool.name !== 'string') throw invalidArgument(`${path}.name`, `expected a text, got ${describe(tool.name)}`)
  if (tool.name.trim() === '' || !tool.name.isWellFormed()) throw invalidArgument(`${path}.name`, 'expected a name of proper characters')
  if (typeof tool.execute !== 'function') throw invalidArgument(`${path}.execute`, `expected a function, got ${describe(tool.execute)}`)
  return tool
}

/**
 * The result of the factory of a name: nothing, or the tool of that name.
 * @param {string} name
 * @param {any} result
 * @returns {AgentTool | null}
 */
export function builtTool(name, result) {
  if (result === null || result === undefined) return null
  const path = `BUILTIN_TOOLS.${name}()`
  const tool = checkedTool(path, result)
  if (tool.name !== name) throw invalidArgument(`${path}.name`, `expected \`${name}\`, got \`${tool.name}\``)
  return tool
}
