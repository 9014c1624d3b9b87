// Our rankings in the form an evaluation script loads: build(tools) → search(query, limit) → names.

import { buildDiscoverableToolSearchIndex, searchDiscoverableTools } from '../../src/js/index.js'

const ranker = (ranking) => ({
  build(tools) {
    const index = buildDiscoverableToolSearchIndex(tools)
    return { search: (query, limit) => searchDiscoverableTools(index, query, limit, { ranking }).map(({ tool }) => tool.name) }
  },
})

export const rankers = { agent: ranker('agent'), bm25: ranker('bm25') }
