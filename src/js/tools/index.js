// Which tools this package implements, by name.

import { BashTool, RecipeTool, recipeTool } from './bash.js'
import { EditTool, FindTool, SearchTool, WriteTool } from './files.js'
import { ReadTool } from './read.js'
import { ResolveTool } from './resolve.js'
import { SearchToolBm25Tool } from './search-tools.js'

export { BashTool, EditTool, FindTool, ReadTool, RecipeTool, ResolveTool, SearchTool, SearchToolBm25Tool, WriteTool }

const classes = {
  read: ReadTool,
  bash: BashTool,
  edit: EditTool,
  find: FindTool,
  search: SearchTool,
  search_tool_bm25: SearchToolBm25Tool,
  write: WriteTool,
  resolve: ResolveTool,
}

/** @type {ReadonlyMap<string, import('../../../index.d.ts').ToolFactory>} */
export const packageFactories = new Map(
  /** @type {[string, import('../../../index.d.ts').ToolFactory][]} */ ([
    ...Object.entries(classes).map(([name, Tool]) => [name, (/** @type {any} */ session) => new Tool(session)]),
    ['recipe', recipeTool],
  ]),
)
