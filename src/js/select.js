// createTools and the start-of-session split: facts in, the engine's decision, factories called.

import native from './native.cjs'
import { isMCPBridgeTool } from './discovery.js'
import { invalidArgument } from './errors.js'
import { wrapToolWithMetaNotice } from './notices.js'
import { buildTool, decide } from './registry.js'
import { checkSession, checkSettings, describe, rememberToolNames, selectionSnapshot, settingsFacts } from './session.js'
import { builtTool } from './tools/checked.js'

/** @typedef {import('../../index.d.ts').AgentTool} AgentTool */
/** @typedef {import('../../index.d.ts').ToolSession} ToolSession */

/**
 * The tools of a session, in order; `resolve` comes last.
 * @param {ToolSession} session
 * @param {string[]} [toolNames] absent or empty: every tool whose gate is open
 * @param {import('../../index.d.ts').HostFacts} [facts] absent ones are taken from this process
 * @returns {Promise<AgentTool[]>}
 */
export async function createTools(session, toolNames, facts) {
  checkSession(session)
  checkNames(toolNames, 'toolNames')
  if (facts !== undefined && (typeof facts !== 'object' || facts === null)) throw invalidArgument('facts', `expected an object, got ${describe(facts)}`)
  const snapshot = selectionSnapshot(session, facts)
  const { tools: names, unknown } = decide(native.selectTools, { toolNames: toolNames ?? [], snapshot })
  if (unknown.length > 0) session.logger?.warn?.(`Unknown tool names are ignored: ${unknown.join(', ')}`)

  const build = async (/** @type {string} */ name) => builtTool(name, await buildTool(name, session))
  const built = await Promise.all([...names, 'resolve'].map(build))
  const tools = built.filter((tool) => tool !== null)
  rememberToolNames(session, tools.map(({ name }) => name))
  return tools.map((tool) => wrapToolWithMetaNotice(tool, session))
}

/**
 * Splits a session's registry into active and discoverable tools.
 * @param {import('../../index.d.ts').InitialPartitionInput} input
 * @returns {import('../../index.d.ts').InitialPartition}
 */
export function partitionInitialTools(input) {
  if (typeof input !== 'object' || input === null) throw invalidArgument('input', `expected an object, got ${describe(input)}`)
  const { registry, settings, ...names } = input
  if (typeof registry?.entries !== 'function') throw invalidArgument('input.registry', `expected a Map, got ${describe(registry)}`)
  checkSettings(settings, 'input.settings')
  for (const [key, value] of Object.entries(names)) if (key.endsWith('Names')) checkNames(value, `input.${key}`)
  return decide(native.partitionTools, {
    ...names,
    registry: Array.from(registry.entries(), ([name, tool]) => {
      if (typeof name !== 'string') throw invalidArgument('input.registry', `expected names as keys, got ${describe(name)}`)
      if (typeof tool !== 'object' || tool === null) throw invalidArgument(`input.registry.get('${name}')`, `expected a tool, got ${describe(tool)}`)
      return registeredTool(name, tool)
    }),
    snapshot: settingsFacts(settings),
  })
}

/**
 * What a session hides at its start.
 * @param {import('../../index.d.ts').SettingsLike} settings
 * @param {boolean} [hasExactMcpConfig]
 * @returns {'off' | 'mcp-only' | 'all'}
 */
export function resolveDiscoveryMode(settings, hasExactMcpConfig = false) {
  checkSettings(settings, 'settings')
  return decide(native.discoveryMode, { snapshot: settingsFacts(settings), hasExactMcpConfig: Boolean(hasExactMcpConfig) })
}

/**
 * What the engine knows of a registered tool.
 * @param {string} name
 * @param {any} tool
 */
export function registeredTool(name, tool) {
  const { loadMode, deferrable } = tool
  return {
    name,
    loadMode: loadMode === 'essential' || loadMode === 'discoverable' ? loadMode : undefined,
    deferrable: deferrable === true,
    mcpServer: isMCPBridgeTool({ name, mcpServerName: tool.mcpServerName, mcpToolName: tool.mcpToolName }) ? tool.mcpServerName.toWellFormed() : undefined,
  }
}

/**
 * @param {unknown} names
 * @param {string} path
 */
export function checkNames(names, path) {
  if (names === undefined) return
  if (!Array.isArray(names)) throw invalidArgument(path, `expected an array of names, got ${describe(names)}`)
  names.forEach((name, index) => {
    if (typeof name !== 'string') throw invalidArgument(`${path}[${index}]`, `expected a name, got ${describe(name)}`)
  })
}
