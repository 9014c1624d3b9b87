// Discovery through the public API: descriptors, the index as it changes, both rankings, our own query sets.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'

import {
  buildDiscoverableToolSearchIndex,
  collectDiscoverableTools,
  filterBySource,
  formatDiscoverableToolServerSummary,
  getDiscoverableTool,
  isMCPBridgeTool,
  searchDiscoverableTools,
  selectRestorableDiscoveredBuiltinToolNames,
  summarizeDiscoverableTools,
  tokenizeForDiscovery,
} from '../../src/js/index.js'
import { hostTool } from './session.mjs'

const fixture = (name) => {
  const text = readFileSync(new URL(`../fixtures/discovery/${name}.jsonl`, import.meta.url), 'utf8')
  return text.trim().split('\n').map((line) => JSON.parse(line))
}
const tool = (name, summary = '', more = {}) => ({ name, label: name, description: summary, summary, source: 'builtin', schemaKeys: [], ...more })
const names = (results) => results.map(({ tool }) => tool.name)
const rankings = ['agent', 'bm25']

describe('descriptors', () => {
  it('cuts a summary between characters, never inside one', () => {
    const summary = (description) => getDiscoverableTool(hostTool('one', { description })).summary
    assert.equal(summary('a'.repeat(250)), 'a'.repeat(200))
    assert.equal(summary(`${'a'.repeat(199)}😀b`), 'a'.repeat(199))
    assert.equal(summary(`${'a'.repeat(198)}😀b`), `${'a'.repeat(198)}😀`)
    assert.equal(summary(`${'a'.repeat(199)}\ud83d`), `${'a'.repeat(199)}\ud83d`)
  })

  it('leaves out what has no name and keeps the order', () => {
    const tools = [hostTool('b'), undefined, { label: 'x' }, hostTool('a', { summary: '' })]
    const collected = collectDiscoverableTools(tools, { source: 'custom', summaryMap: new Map([['b', 'mapped']]) })
    assert.deepEqual(collected.map(({ name, summary, source }) => [name, summary, source]), [['b', 'mapped', 'custom'], ['a', '', 'custom']])
    assert.deepEqual(filterBySource([...collected, tool('c')], 'builtin'), [tool('c')])
  })

  it('takes only texts as marks of a bridge', () => {
    assert.ok(isMCPBridgeTool({ name: 'mcp__s_t', mcpServerName: 's', mcpToolName: 't' }))
    for (const mcpToolName of ['', undefined, 7]) assert.ok(!isMCPBridgeTool({ name: 'mcp__s_t', mcpServerName: 's', mcpToolName }))
  })

  it('restores names of the registry alone', () => {
    const registry = new Map([['a', hostTool('a', { loadMode: 'discoverable' })]])
    assert.deepEqual(selectRestorableDiscoveredBuiltinToolNames(['toString', 'a', 'a'], registry), ['a'])
  })

  it('orders servers by root collation', () => {
    const tools = ['b', 'é', 'a', 'B', '_x', 'e', ''].map((serverName, at) => tool(`t${at}`, '', { serverName }))
    const { servers, toolCount } = summarizeDiscoverableTools([...tools, tool('t7', '', { serverName: 'a' })])
    assert.deepEqual(servers.map(formatDiscoverableToolServerSummary), ['_x (1 tool)', 'a (2 tools)', 'b (1 tool)', 'B (1 tool)', 'e (1 tool)', 'é (1 tool)'])
    assert.equal(toolCount, 8)
  })
})

describe('errors of the index', () => {
  it('are ours', () => {
    const index = buildDiscoverableToolSearchIndex([tool('one')])
    for (const ranking of rankings) assert.throws(() => searchDiscoverableTools(index, '!!!', 3, { ranking }), { name: 'ToolError', code: 'invalid_arguments' })
  })
})

describe('the index', () => {
  it('answers with the very objects it was given', () => {
    const tools = [tool('read_file', 'Read a file'), tool('write_file', 'Write a file')]
    const index = buildDiscoverableToolSearchIndex(new Set(tools))
    for (const ranking of rankings) assert.equal(searchDiscoverableTools(index, 'write', 8, { ranking })[0].tool, tools[1])
    assert.equal(index.documents[1].tool, tools[1])
    assert.deepEqual([...index.documents[0].termFrequencies], [['read', 12], ['file', 12], ['a', 2]])
    assert.equal(index.documents, index.documents)
    assert.equal(index.averageLength, 26)
    assert.equal(index.documentFrequencies.get('file'), 2)
  })

  it('stays true as tools come and go', () => {
    const index = buildDiscoverableToolSearchIndex([tool('zebra'), tool('violin')])
    for (const ranking of rankings) searchDiscoverableTools(index, 'zebra', 8, { ranking })
    for (let at = 0; at < 40; at++) index.add([tool(`later_${at}`, 'word')])
    index.remove(['zebra', 'later_3', 'nobody'])
    index.add([tool('violin', 'newer word')])
    assert.equal(index.documents.length, 40)
    assert.equal(index.documents.at(-1).tool.summary, 'newer word')
    for (const ranking of rankings) {
      assert.deepEqual(names(searchDiscoverableTools(index, 'zebra', 8, { ranking })), [])
      assert.deepEqual(names(searchDiscoverableTools(index, 'violin', 8, { ranking })), ['violin'])
      assert.equal(searchDiscoverableTools(index, 'word', Infinity, { ranking }).length, 40)
      assert.deepEqual(names(searchDiscoverableTools(index, 'later 12', 1, { ranking })), ['later_12'])
    }
  })

  it('takes an index made elsewhere by its documents', () => {
    const foreign = { documents: [{ tool: tool('read_file') }] }
    assert.deepEqual(names(searchDiscoverableTools(foreign, 'read', 8)), ['read_file'])
    assert.throws(() => searchDiscoverableTools({}, 'read', 8), { code: 'invalid_arguments' })
  })

  it('refuses a tool without a name, by its place', () => {
    for (const wrong of [null, {}, { name: 7 }]) {
      assert.throws(() => buildDiscoverableToolSearchIndex([tool('a'), wrong]), { code: 'invalid_arguments', message: /tools\[1\]/ })
    }
  })

  it('takes texts of any kind as texts', () => {
    const odd = { name: 'odd\ud800name', label: 7, summary: null, schemaKeys: 'none', description: '\udc00\n\u0000 text' }
    const index = buildDiscoverableToolSearchIndex([odd, tool('plain', 'é😀 word', { schemaKeys: ['한글', 'key'] })])
    assert.deepEqual(tokenizeForDiscovery(odd.name), ['odd', 'name'])
    for (const ranking of rankings) {
      assert.deepEqual(names(searchDiscoverableTools(index, 'name', 8, { ranking })), ['odd\ud800name'])
      assert.deepEqual(names(searchDiscoverableTools(index, '한글', 8, { ranking })), ['plain'])
      assert.deepEqual(names(searchDiscoverableTools(index, 'key', 8, { ranking })), ['plain'])
    }
  })
})

describe('a query', () => {
  const index = buildDiscoverableToolSearchIndex([tool('b_tool', 'same'), tool('A_tool', 'same'), tool('a_tool', 'same')])

  it('breaks ties by root collation and cuts like a slice', () => {
    const search = (limit) => names(searchDiscoverableTools(index, 'same', limit, { ranking: 'bm25' }))
    assert.deepEqual(search(8), ['a_tool', 'A_tool', 'b_tool'])
    for (const limit of [2, -1, 2.7]) assert.deepEqual(search(limit), ['a_tool', 'A_tool'])
    for (const limit of [0, -3, -9, Number.NaN]) assert.deepEqual(search(limit), [])
  })

  it('needs a letter or number, whatever the index', () => {
    for (const query of ['', '  ', '!?']) {
      for (const which of [index, buildDiscoverableToolSearchIndex([])]) {
        for (const ranking of rankings) assert.throws(() => searchDiscoverableTools(which, query, 8, { ranking }), { code: 'invalid_arguments' })
      }
    }
    assert.throws(() => searchDiscoverableTools(index, 7, 8), { code: 'invalid_arguments' })
    assert.throws(() => searchDiscoverableTools(index, 'a', 8, { ranking: 'best' }), { code: 'invalid_arguments' })
  })
})

describe('ranking agent on query sets of our own', () => {
  const index = buildDiscoverableToolSearchIndex(fixture('tools'))
  for (const [set, aim] of [['english', 0.84], ['korean', 0.88]]) {
    it(`finds ${set} among the first eight`, () => {
      const queries = fixture(set)
      const found = queries.filter(({ query, relevant }) => names(searchDiscoverableTools(index, query, 8)).includes(relevant[0]))
      assert.ok(found.length / queries.length >= aim, `${found.length} of ${queries.length}`)
    })
  }
})

describe('large input', () => {
  it('costs time in proportion', () => {
    const index = buildDiscoverableToolSearchIndex([])
    index.add(Array.from({ length: 150_000 }, (_, at) => tool(`t${at}`)))
    assert.equal(index.size, 150_000)
    const small = buildDiscoverableToolSearchIndex(Array.from({ length: 100 }, (_, at) => tool(`tool_${at}`, 'a word')))
    const words = Array.from({ length: 100_000 }, (_, at) => `word${at}`).join(' ')
    const started = performance.now()
    for (const ranking of rankings) searchDiscoverableTools(small, words, 8, { ranking })
    // Quadratic work took half a minute here.
    assert.ok(performance.now() - started < 5_000)
  })

  it('finds a tool of a server by its label', () => {
    const penguins = { ...tool('mcp__zoo_x17', 'Runs'), label: 'Penguin census', serverName: 'zoo', mcpToolName: 'x17' }
    const index = buildDiscoverableToolSearchIndex([penguins])
    for (const ranking of rankings) assert.deepEqual(names(searchDiscoverableTools(index, 'penguin census', 8, { ranking })), ['mcp__zoo_x17'])
  })
})
