// Discovery: descriptors of tools, and the search index over them. Ranking happens in the engine.

import native from './native.cjs'
import { callNativeSync, invalidArgument } from './errors.js'
import { describe } from './session.js'

/** @typedef {import('../../index.d.ts').AgentTool} AgentTool */
/** @typedef {import('../../index.d.ts').DiscoverableTool} DiscoverableTool */
/** @typedef {import('../../index.d.ts').DiscoverableToolSource} DiscoverableToolSource */
/** @typedef {import('../../index.d.ts').DiscoverableToolSearchDocument} DiscoverableToolSearchDocument */
/** @typedef {import('../../index.d.ts').DiscoverableToolSearchIndex} Contract */

/** UTF-16 code units of a description that serve as a summary. */
const SUMMARY_UNITS = 200

/**
 * Whether a name is that of an MCP tool.
 * @param {string} name
 */
export function isMCPToolName(name) {
  return name.startsWith('mcp__')
}

/**
 * Whether a tool is a bridge to a tool of an MCP server.
 * @param {{ name: string, mcpServerName?: unknown, mcpToolName?: unknown }} tool
 */
export function isMCPBridgeTool(tool) {
  return isMCPToolName(tool.name) && text(tool.mcpServerName) !== '' && text(tool.mcpToolName) !== ''
}

/**
 * What discovery knows of a tool; null for something without a name.
 * @param {any} tool
 * @param {{ source?: DiscoverableToolSource, summary?: string }} [overrides]
 * @returns {DiscoverableTool | null}
 */
export function getDiscoverableTool(tool, overrides) {
  const name = tool?.name
  if (typeof name !== 'string') return null
  const description = text(tool.description)
  const { mcpServerName: serverName, mcpToolName, parameters } = tool
  return {
    name,
    label: typeof tool.label === 'string' ? tool.label : name,
    description,
    summary: [overrides?.summary, tool.summary].find((summary) => typeof summary === 'string') ?? summaryOf(description),
    source: overrides?.source ?? (isMCPToolName(name) ? 'mcp' : 'builtin'),
    ...(typeof serverName === 'string' && { serverName }),
    ...(typeof mcpToolName === 'string' && { mcpToolName }),
    schemaKeys: isRecord(parameters) && isRecord(parameters.properties) ? Object.keys(parameters.properties).sort() : [],
  }
}

/**
 * The descriptors of tools, in order.
 * @param {Iterable<AgentTool>} tools
 * @param {{ source?: DiscoverableToolSource, summaryMap?: Map<string, string> }} [options]
 */
export function collectDiscoverableTools(tools, { source, summaryMap } = {}) {
  const descriptors = Array.from(tools, (tool) => getDiscoverableTool(tool, { source, summary: summaryMap?.get(tool?.name) }))
  return descriptors.filter((descriptor) => descriptor !== null)
}

/**
 * @param {DiscoverableTool[]} tools
 * @param {DiscoverableToolSource} source
 */
export function filterBySource(tools, source) {
  return tools.filter((tool) => tool.source === source)
}

/**
 * Which of a session's remembered names may be activated again: known, discoverable, allowed and not excluded; each once.
 * @param {Iterable<string>} names
 * @param {ReadonlyMap<string, AgentTool>} registry
 * @param {ReadonlySet<string>} [allowed]
 * @param {ReadonlySet<string>} [excluded]
 */
export function selectRestorableDiscoveredBuiltinToolNames(names, registry, allowed, excluded) {
  const restorable = (/** @type {string} */ name) =>
    registry.get(name)?.loadMode === 'discoverable' && (allowed?.has(name) ?? true) && !excluded?.has(name)
  return [...new Set(names)].filter(restorable)
}

/**
 * @param {Iterable<DiscoverableTool>} tools
 * @param {ReadonlySet<string>} serverNames
 */
export function selectDiscoverableToolNamesByServer(tools, serverNames) {
  const wanted = Array.from(tools).filter(({ serverName }) => serverName !== undefined && serverNames.has(serverName))
  return wanted.map(({ name }) => name)
}

/**
 * How many tools each server offers, servers in root collation.
 * @param {DiscoverableTool[]} tools
 */
export function summarizeDiscoverableTools(tools) {
  /** @type {Map<string, number>} */
  const counts = new Map()
  for (const { serverName } of tools) if (serverName) counts.set(serverName, (counts.get(serverName) ?? 0) + 1)
  const servers = Array.from(counts, ([name, toolCount]) => ({ name, toolCount }))
  const order = callNativeSync(() => native.orderNames([...counts.keys()]))
  return { servers: order.map((/** @type {number} */ place) => servers[place]), toolCount: tools.length }
}

/**
 * @param {{ name: string, toolCount: number }} server
 */
export function formatDiscoverableToolServerSummary({ name, toolCount }) {
  return `${name} (${toolCount} ${toolCount === 1 ? 'tool' : 'tools'})`
}

/**
 * The tokens the exact ranking sees, in order.
 * @param {string} value
 * @returns {string[]}
 */
export function tokenizeForDiscovery(value) {
  if (typeof value !== 'string') throw invalidArgument('text', `expected a text, got ${describe(value)}`)
  const tokens = callNativeSync(() => native.discoveryTokens(value))
  return tokens === '' ? [] : tokens.split(' ')
}

/**
 * An index over tools.
 * @param {Iterable<DiscoverableTool>} tools
 */
export function buildDiscoverableToolSearchIndex(tools) {
  return new SearchIndex(tools)
}

/**
 * The tools a query means, best first.
 * @param {import('../../index.d.ts').DiscoverableToolSearchIndex} index
 * @param {string} query
 * @param {number} limit cuts like `slice(0, limit)`
 * @param {{ ranking?: 'agent' | 'bm25' }} [options]
 * @returns {import('../../index.d.ts').DiscoverableToolSearchResult[]}
 */
export function searchDiscoverableTools(index, query, limit, { ranking = 'agent' } = {}) {
  if (typeof query !== 'string') throw invalidArgument('query', `expected a text, got ${describe(query)}`)
  if (ranking !== 'agent' && ranking !== 'bm25') throw invalidArgument('options.ranking', `expected agent or bm25, got ${describe(ranking)}`)
  return searchable(index).search(query, limit, ranking === 'bm25')
}

/** Indexes made elsewhere → ours over the same tools. */
const adopted = new WeakMap()

/** @param {any} index */
function searchable(index) {
  if (index instanceof SearchIndex) return index
  if (!Array.isArray(index?.documents)) throw invalidArgument('index', `expected a search index, got ${describe(index)}`)
  let own = adopted.get(index)
  if (own === undefined) adopted.set(index, (own = new SearchIndex(index.documents.map((/** @type {any} */ { tool }) => tool))))
  return own
}

/** Our `DiscoverableToolSearchIndex`. @implements {Contract} */
class SearchIndex {
  #native
  /** Tools by slot; slots of tools that left are empty. @type {(DiscoverableTool | undefined)[]} */
  #tools
  /** @type {DiscoverableToolSearchDocument[] | undefined} */
  #documents
  /** @type {Map<string, number> | undefined} */
  #documentFrequencies
  #results = new Float64Array(16)

  /** @param {Iterable<DiscoverableTool>} tools */
  constructor(tools) {
    this.#tools = Array.from(tools)
    this.#native = callNativeSync(() => new native.DiscoveryIndex(...packed(this.#tools)))
  }

  get size() {
    return this.#native.size
  }

  get averageLength() {
    return this.#native.averageLength
  }

  get documents() {
    return (this.#documents ??= this.#readDocuments())
  }

  get documentFrequencies() {
    return (this.#documentFrequencies ??= countDocuments(this.documents))
  }

  /** @param {Iterable<DiscoverableTool>} tools */
  add(tools) {
    const added = Array.from(tools)
    const left = callNativeSync(() => this.#native.add(...packed(added)))
    for (const tool of added) this.#tools.push(tool)
    this.#forget(left)
  }

  /** @param {Iterable<string>} names */
  remove(names) {
    this.#forget(callNativeSync(() => this.#native.remove([...names])))
  }

  /**
   * @param {string} query
   * @param {number} limit
   * @param {boolean} exact
   */
  search(query, limit, exact) {
    const size = this.#native.size
    const room = 2 * (limit >= 0 && limit < size ? Math.trunc(limit) : size)
    if (this.#results.length < room) this.#results = new Float64Array(room)
    const results = this.#results
    const count = callNativeSync(() => this.#native.search(query, exact, limit, results))
    const found = new Array(count)
    for (let at = 0; at < count; at++) found[at] = { tool: this.#tools[results[2 * at]], score: results[2 * at + 1] }
    return found
  }

  /** @param {number[]} slots */
  #forget(slots) {
    for (const slot of slots) this.#tools[slot] = undefined
    this.#documents = this.#documentFrequencies = undefined
  }

  #readDocuments() {
    const { terms: joined, numbers } = this.#native.statistics()
    const terms = joined.split('\n')
    const documents = []
    for (let at = 0, term = 0; at < numbers.length; ) {
      const [slot, length, count] = numbers.subarray(at, (at += 3))
      const termFrequencies = new Map()
      for (const end = at + count; at < end; ) termFrequencies.set(terms[term++], numbers[at++])
      documents.push({ tool: /** @type {DiscoverableTool} */ (this.#tools[slot]), termFrequencies, length })
    }
    return documents
  }
}

/** @param {DiscoverableToolSearchDocument[]} documents */
function countDocuments(documents) {
  /** @type {Map<string, number>} */
  const counts = new Map()
  for (const { termFrequencies } of documents) {
    for (const term of termFrequencies.keys()) counts.set(term, (counts.get(term) ?? 0) + 1)
  }
  return counts
}

/** Fields of a tool that cross to the engine, in its order. */
const FIELD_COUNT = 7

/**
 * The fields of all tools, each closed by a line feed, and their lengths.
 * @param {any[]} tools
 * @returns {[string, Uint32Array]}
 */
function packed(tools) {
  const lengths = new Uint32Array(tools.length * FIELD_COUNT)
  let all = ''
  let at = 0
  const add = (/** @type {string} */ field) => {
    lengths[at++] = field.length
    all += field + '\n'
  }
  for (const [place, tool] of tools.entries()) {
    if (typeof tool?.name !== 'string') throw invalidArgument(`tools[${place}]`, `expected a tool with a name, got ${describe(tool)}`)
    const summary = text(tool.summary)
    add(tool.name)
    add(text(tool.label))
    add(text(tool.serverName))
    add(text(tool.mcpToolName))
    add(summary)
    add(beyond(summary, text(tool.description)))
    add(Array.isArray(tool.schemaKeys) ? tool.schemaKeys.join(' ') : '')
  }
  return [all, lengths]
}

/**
 * What a description says beyond its summary.
 * @param {string} summary
 * @param {string} description
 */
function beyond(summary, description) {
  if (summary.startsWith(description)) return ''
  return description.startsWith(summary) ? description.slice(summary.length) : description
}

/** @param {string} description */
function summaryOf(description) {
  const cut = description.slice(0, SUMMARY_UNITS)
  // Never half of a surrogate pair.
  return cut.length < description.length && /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut
}

/** @param {unknown} value */
function text(value) {
  return typeof value === 'string' ? value : ''
}

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
function isRecord(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
