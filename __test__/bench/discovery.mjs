// Discovery: building an index and asking it, at four sizes. `node __test__/bench/discovery.mjs [MODULE]`: MODULE is
// another implementation with the same two functions (ranking `bm25` alone is compared), such as a TypeScript one under Bun.

import { pathToFileURL } from 'node:url'

const sizes = [30, 300, 2_000, 3_000, 30_000]
const verbs = ['create', 'list', 'delete', 'update', 'search', 'export', 'archive', 'share', 'describe', 'restore', 'merge', 'validate']
const nouns = ['issue', 'message', 'invoice', 'branch', 'calendar event', 'container', 'dataset', 'customer', 'playlist', 'document', 'dashboard', 'alert', 'ticket', 'payment']
const places = ['project', 'workspace', 'repository', 'channel', 'account', 'cluster', 'folder', 'team']
const keys = ['id', 'limit', 'cursor', 'title', 'body', 'owner', 'labels', 'since', 'format']
const queries = ['create an issue', 'list messages of a channel', 'archive document', 'share dashboard team', 'restore payment', 'merge branch', 'delete container', 'invoice customer']

const own = await import('../../src/js/index.js')
report('ours', own, ['bm25', 'agent'])
if (process.argv[2]) report('other', await import(pathToFileURL(process.argv[2]).href), ['bm25'])

function report(title, { buildDiscoverableToolSearchIndex: build, searchDiscoverableTools: search }, rankings) {
  for (const size of sizes) {
    const tools = Array.from({ length: size }, (_, at) => toolAt(at))
    const rounds = Math.max(5, Math.min(50, Math.floor(30_000 / size)))
    const row = [`build ${milliseconds(rounds, () => build(tools))} ms`]
    const index = build(tools)
    for (const ranking of rankings) {
      search(index, 'first', 8, { ranking })
      row.push(`${ranking} ${microseconds(rounds, (query) => search(index, query, 8, { ranking }))} µs`)
    }
    console.log(`${title} ${String(size).padStart(6)}  ${row.join('  ')}`)
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

function milliseconds(rounds, work) {
  return median(Array.from({ length: rounds }, () => timed(work))).toFixed(3)
}

function microseconds(rounds, ask) {
  const times = Array.from({ length: rounds }, () => queries.map((query) => timed(() => ask(query)) * 1000))
  return median(times.flat()).toFixed(1)
}

function timed(work) {
  const start = performance.now()
  work()
  return performance.now() - start
}

function median(times) {
  return times.sort((left, right) => left - right)[times.length >> 1]
}
