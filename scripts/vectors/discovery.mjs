// Vectors of discovery: tokens, descriptors, the exact ranking, small helpers.

import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as core from '../../src/js/index.js'
import { exactFaults, listFaults } from './compare.mjs'

export const discoveryKinds = {
  discovery_tokenize: tokenize,
  discovery_search: search,
  discovery_descriptor: descriptor,
  discovery_helpers: helper,
}

function tokenize({ input, inputUtf16, tokens }) {
  const text = inputUtf16 ? String.fromCharCode(...inputUtf16) : input
  return listFaults(tokens, core.tokenizeForDiscovery(text), 'tokens')
}

/** Indexes by file and corpus: a corpus serves many cases. */
const indexes = new Map()

function indexOf({ path, meta }, corpus) {
  const corpora = join(dirname(path), meta.corporaFile)
  const key = `${corpora} ${corpus}`
  if (!indexes.has(key)) {
    const tools = JSON.parse(readFileSync(corpora, 'utf8')).corpora[corpus]
    const index = core.buildDiscoverableToolSearchIndex(tools)
    indexes.set(key, { index, faults: statisticsFaults(meta.stats?.[corpus], index) })
  }
  return indexes.get(key)
}

/** The readable fields of an index, as the head of the file has them. */
function statisticsFaults(stats, { documents, averageLength, documentFrequencies }) {
  if (!stats) return []
  return [
    ...exactFaults(stats.documents, documents.length, 'documents'),
    ...exactFaults(stats.averageLength, averageLength, 'averageLength'),
    ...(stats.terms === undefined ? [] : exactFaults(stats.terms, documentFrequencies.size, 'terms')),
    ...(stats.lengths ? listFaults(stats.lengths, documents.map(({ length }) => length), 'lengths') : []),
  ]
}

function search({ corpus, query, limit, expected }, _, file) {
  const { index, faults } = indexOf(file, corpus)
  const ranked = () => core.searchDiscoverableTools(index, query, limit, { ranking: 'bm25' })
  if (!Array.isArray(expected)) return [...faults, ...errorFaults(ranked)]
  return [...faults, ...listFaults(expected, ranked().map(({ tool, score }) => [tool.name, Number(score.toFixed(6))]), 'results')]
}

function errorFaults(call) {
  try {
    return [{ where: 'the call', expected: 'an error', actual: call() }]
  } catch (error) {
    return exactFaults('invalid_arguments', error.code, 'code')
  }
}

function descriptor({ tool, overrides, expected, isBridge }) {
  return [
    ...exactFaults(expected, core.getDiscoverableTool(tool, overrides), 'descriptor'),
    ...exactFaults(isBridge, core.isMCPBridgeTool(tool), 'isBridge'),
  ]
}

const helpers = {
  selectRestorableDiscoveredBuiltinToolNames: ({ names, registry, allowed, excluded }) => [
    names,
    new Map(registry.map((tool) => [tool.name, tool])),
    allowed && new Set(allowed),
    excluded && new Set(excluded),
  ],
  selectDiscoverableToolNamesByServer: ({ servers, want }) => [
    servers.map((serverName, index) => ({ name: `t${index}`, serverName })),
    new Set(want),
  ],
}

function helper(one) {
  return listFaults(one.expected, core[one.fn](...helpers[one.fn](one)), one.fn)
}
