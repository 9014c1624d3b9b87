// Discovery: building an index and asking it, at five sizes, beside MiniSearch and wink. `node __test__/bench/discovery.mjs
// [MODULE]`: MODULE is another implementation with our two functions (ranking `bm25`), such as a TypeScript one under Bun.

import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildDiscoverableToolSearchIndex, searchDiscoverableTools } from '../../src/js/index.js'
import { interleave, report } from './harness.mjs'
import { attempt, install } from './peers.mjs'

const sizes = [30, 300, 2_000, 3_000, 30_000]
const verbs = ['create', 'list', 'delete', 'update', 'search', 'export', 'archive', 'share', 'describe', 'restore', 'merge', 'validate']
const nouns = ['issue', 'message', 'invoice', 'branch', 'calendar event', 'container', 'dataset', 'customer', 'playlist', 'document', 'dashboard', 'alert', 'ticket', 'payment']
const places = ['project', 'workspace', 'repository', 'channel', 'account', 'cluster', 'folder', 'team']
const keys = ['id', 'limit', 'cursor', 'title', 'body', 'owner', 'labels', 'since', 'format']
const queries = ['create an issue', 'list messages of a channel', 'archive document', 'share dashboard team', 'restore payment', 'merge branch', 'delete container', 'invoice customer']

/** What a query may take, in microseconds. @type {Record<number, number>} */
const mostOfQuery = { 300: 12, 3_000: 20, 30_000: 60 }

/** Who builds an index of tools, and asks it for the best eight. @type {Record<string, { build(tools: any[]): any, search(index: any, query: string): unknown }>} */
const engines = {
  ours: like({ buildDiscoverableToolSearchIndex, searchDiscoverableTools }),
  ...(await others()),
}

for (const size of sizes) {
  const tools = Array.from({ length: size }, (_, at) => toolAt(at))
  const rounds = Math.max(3, Math.min(30, Math.floor(30_000 / size)))
  const built = await interleave(each(({ build }) => () => void build(tools)), { rounds })
  measured(`index of ${size} tools`, 'ms', built, 1)
  const indexes = Object.fromEntries(Object.entries(engines).map(([name, { build }]) => [name, build(tools)]))
  const ask = each(({ search }, name) => () => queries.forEach((query) => search(indexes[name], query)))
  measured(`a query among ${size} tools`, 'µs', await interleave(ask, { rounds: Math.max(5, rounds) }), 1000 / queries.length, mostOfQuery[size])
}

function measured(workload, unit, all, scale, most) {
  const scaled = Object.entries(all).map(([name, times]) => [name, times.map((time) => time * scale)])
  const { ours, ...peers } = Object.fromEntries(scaled)
  report({ workload, unit, ours, peers, targets: most ? [{ most }] : [] })
}

function each(make) {
  return Object.fromEntries(Object.entries(engines).map(([name, engine]) => [name, make(engine, name)]))
}

function like({ buildDiscoverableToolSearchIndex: build, searchDiscoverableTools: search }) {
  return { build, search: (index, query) => search(index, query, 8, { ranking: 'bm25' }) }
}

/** What npm has, and what was named. */
async function others() {
  const found = { minisearch: await attempt('minisearch', minisearch), wink: await attempt('wink', wink) }
  const named = process.argv[2] && { other: like(await import(pathToFileURL(process.argv[2]).href)) }
  return Object.fromEntries(Object.entries({ ...found, ...named }).filter(([, engine]) => engine))
}

async function minisearch() {
  const { default: MiniSearch } = await import(pathToFileURL(join(install('minisearch', ['minisearch@7.2.0']), 'minisearch/dist/es/index.js')).href)
  return {
    build(tools) {
      const index = new MiniSearch({ fields: ['name', 'label', 'summary', 'keys'] })
      index.addAll(tools.map(({ name, label, summary, schemaKeys }, id) => ({ id, name, label, summary, keys: schemaKeys.join(' ') })))
      return index
    },
    search: (index, query) => index.search(query).slice(0, 8),
  }
}

function wink() {
  const require = createRequire(join(install('wink', ['wink-bm25-text-search@3.1.2', 'wink-nlp-utils@2.1.0']), 'wink.cjs'))
  const [engine, { string, tokens }] = [require('wink-bm25-text-search'), require('wink-nlp-utils')]
  return {
    build(tools) {
      const index = engine()
      index.defineConfig({ fldWeights: { name: 2, label: 2, summary: 1, keys: 1 } })
      index.definePrepTasks([string.lowerCase, string.tokenize0, tokens.removeWords])
      tools.forEach(({ name, label, summary, schemaKeys }, id) => index.addDoc({ name, label, summary, keys: schemaKeys.join(' ') }, id))
      index.consolidate()
      return index
    },
    search: (index, query) => index.search(query, 8),
  }
}

function toolAt(at) {
  const pick = (list, step) => list[Math.floor(at / step) % list.length]
  const [verb, noun, place] = [pick(verbs, 1), pick(nouns, verbs.length), pick(places, verbs.length * nouns.length)]
  const serverName = `server${at % 60}`
  const mcpToolName = `${verb}_${noun.replace(' ', '_')}_${at}`
  const summary = `${verb} one ${noun} or several in the ${place} at hand, with optional filters, and answer what was done for number ${at}`
  return {
    name: `mcp__${serverName}_${mcpToolName}`,
    label: `${serverName}/${mcpToolName}`,
    description: summary,
    summary,
    source: 'mcp',
    serverName,
    mcpToolName,
    schemaKeys: keys.filter((_, key) => (at + key) % 3 === 0),
  }
}
