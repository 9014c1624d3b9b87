// search_tool_bm25: finds tools that are not active and activates the best.

import { searchDiscoverableTools, buildDiscoverableToolSearchIndex } from '../discovery.js'
import { invalidArgument, throwIfAborted, ToolError } from '../errors.js'
import { checkSession, describe } from '../session.js'
import { toolIdentity } from './native-tool.js'

/** @typedef {import('../../../index.d.ts').ToolSession} ToolSession */

const DEFAULT_LIMIT = 8

/** The text a model reads about the tool; the same through a session, so that prompts stay cacheable. */
export function renderSearchToolBm25Description() {
  return /** @type {any} */ (toolIdentity('search_tool_bm25')).description
}

/** Finds tools that are not active and activates the best. */
export class SearchToolBm25Tool {
  /**
   * Null where discovery is off or the session has no hooks for it.
   * @param {ToolSession} session
   */
  static createIf(session) {
    return hasHooks(session) && session.isToolDiscoveryEnabled?.() !== false ? new SearchToolBm25Tool(session) : null
  }

  /** @param {ToolSession} session */
  constructor(session) {
    checkSession(session)
    Object.assign(this, toolIdentity('search_tool_bm25'))
    this.execute = async (/** @type {string} */ _toolCallId, /** @type {any} */ params, /** @type {AbortSignal | undefined} */ signal) => {
      throwIfAborted(signal)
      return searchAndActivate(session, params)
    }
  }
}

/**
 * @param {ToolSession} session
 * @param {any} params
 */
async function searchAndActivate(session, params) {
  if (!hasHooks(session)) throw unavailable('the session has no discovery hooks')
  if (!session.isToolDiscoveryEnabled?.()) throw unavailable('tool discovery is off')
  const { query, limit } = checkedParams(params)
  const index = searchIndex(session)
  const total = index.size ?? index.documents.length
  const selected = new Set(session.getSelectedDiscoveredToolNames?.() ?? [])
  // As many more as may be dropped.
  const ranked = searchDiscoverableTools(index, query, limit + selected.size)
  const found = ranked.filter(({ tool }) => !selected.has(tool.name)).slice(0, limit)
  const activated = found.length > 0 ? await session.activateDiscoveredTools?.(found.map(({ tool }) => tool.name)) : []
  const content = { query, activated_tools: activated ?? [], match_count: found.length, total_tools: total }
  return {
    content: [{ type: 'text', text: JSON.stringify(content) }],
    details: {
      query,
      limit,
      total_tools: total,
      activated_tools: activated ?? [],
      active_selected_tools: session.getSelectedDiscoveredToolNames?.() ?? [],
      tools: found.map(receipt),
    },
  }
}

/** @param {import('../../../index.d.ts').DiscoverableToolSearchResult} result */
function receipt({ tool, score }) {
  const { name, label, summary, serverName, mcpToolName, schemaKeys } = tool
  return {
    name,
    label,
    description: summary,
    ...(serverName === undefined ? {} : { server_name: serverName }),
    ...(mcpToolName === undefined ? {} : { mcp_tool_name: mcpToolName }),
    schema_keys: schemaKeys,
    score: Number(score.toFixed(6)),
  }
}

/** The session's index; where it fails, one over its list; where that fails, an empty one. */
function searchIndex(/** @type {ToolSession} */ session) {
  try {
    const index = session.getDiscoverableToolSearchIndex?.()
    if (index) return index
  } catch {
    // The list below is the same, without the cache.
  }
  try {
    return buildDiscoverableToolSearchIndex(session.getDiscoverableTools?.() ?? [])
  } catch {
    return buildDiscoverableToolSearchIndex([])
  }
}

/** @param {any} params */
function checkedParams(params) {
  if (typeof params !== 'object' || params === null) throw invalidArgument('params', `expected an object, got ${describe(params)}`)
  const { query, limit = DEFAULT_LIMIT } = params
  if (typeof query !== 'string') throw invalidArgument('query', `expected a text, got ${describe(query)}`)
  if (query.trim() === '') throw invalidArgument('query', 'must not be empty')
  if (!Number.isInteger(limit) || limit < 1) throw invalidArgument('limit', `expected a whole number of at least 1, got ${limit}`)
  return { query: query.trim(), limit }
}

/** @param {ToolSession} session */
function hasHooks(session) {
  return ['isToolDiscoveryEnabled', 'getSelectedDiscoveredToolNames', 'activateDiscoveredTools'].every(
    (name) => typeof session[name] === 'function',
  )
}

/** @param {string} reason */
function unavailable(reason) {
  return new ToolError(`The tool \`search_tool_bm25\` is not available: ${reason}`, {
    code: 'tool_unavailable',
    tool: 'search_tool_bm25',
    reason,
  })
}
