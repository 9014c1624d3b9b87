// Which tools this package implements, by name.

import { BashTool } from './bash.js'
import { EditTool } from './edit.js'
import { FindTool, SearchTool, WriteTool } from './files.js'
import { ReadTool } from './read.js'
import { ResolveTool } from './resolve.js'
import { SearchToolBm25Tool } from './search-tools.js'

export { BashTool, EditTool, FindTool, ReadTool, ResolveTool, SearchTool, SearchToolBm25Tool, WriteTool }

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
  Object.entries(classes).map(([name, Tool]) => [name, (session) => /** @type {any} */ (new Tool(session))]),
)
