// Core vectors about discovery: tokens, descriptors, ranking.

import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as core from '../../src/js/index.js'
import { exactFaults, listFaults } from './compare.mjs'
import { exported, NotRun } from './outcome.mjs'

export const discoveryKinds = {
  discovery_tokenize: async ({ input, inputUtf16, tokens }) => {
    const text = inputUtf16 ? String.fromCharCode(...inputUtf16) : input
    return listFaults(tokens, exported(core, 'tokenizeForDiscovery')(text), 'tokens')
  },
  discovery_descriptor: async ({ tool, overrides, expected, isBridge }) => [
    ...exactFaults(expected, exported(core, 'getDiscoverableTool')(tool, overrides), 'descriptor'),
    ...exactFaults(isBridge, core.isMCPBridgeTool(tool), 'isBridge'),
  ],
  discovery_helpers: runHelper,
  discovery_search: runSearch,
}

async function runHelper({ fn, expected, ...given }) {
  const helper = exported(core, fn)
  const setOf = (names) => names && new Set(names)
  if (fn === 'selectRestorableDiscoveredBuiltinToolNames') {
    const registry = new Map(given.registry.map((tool) => [tool.name, tool]))
    return listFaults(expected, helper(given.names, registry, setOf(given.allowed), setOf(given.excluded)), 'names')
  }
  if (fn !== 'selectDiscoverableToolNamesByServer') throw new NotRun(`nothing here drives \`${fn}\``)
  const tools = given.servers.map((serverName, index) => ({ name: `t${index}`, serverName }))
  return listFaults(expected, helper(tools, setOf(given.want)), 'names')
}

/** Indexes by corpus, for the corpora file that lies beside the vectors. */
const indexes = new Map()

/** The exact ranking, scores to six decimals. */
async function runSearch({ corpus, query, limit, expected }, _original, file) {
  const search = exported(core, 'searchDiscoverableTools')
  let found
  try {
    found = search(indexOf(corpus, file), query, limit, { ranking: 'bm25' })
  } catch (error) {
    // A query without a token is an error, which the vectors have under a name of their own.
    if (Array.isArray(expected) || error?.code === undefined) throw error
    return []
  }
  return listFaults(expected, found.map(({ tool, score }) => [tool.name, Number(score.toFixed(6))]), 'ranking')
}

function indexOf(corpus, { path }) {
  const folder = dirname(path)
  const key = `${folder}\n${corpus}`
  if (!indexes.has(key)) {
    const { corpora } = JSON.parse(readFileSync(join(folder, 'discovery_corpora.json'), 'utf8'))
    indexes.set(key, exported(core, 'buildDiscoverableToolSearchIndex')(corpora[corpus]))
  }
  return indexes.get(key)
}
