// Which tools this package implements, by name.

import { AstEditTool, AstGrepTool } from './ast.js'
import { BashTool } from './bash.js'
import { EditTool, FindTool, SearchTool, WriteTool } from './files.js'
import { ReadTool } from './read.js'
import { ResolveTool } from './resolve.js'
import { SearchToolBm25Tool } from './search-tools.js'

export { AstEditTool, AstGrepTool, BashTool, EditTool, FindTool, ReadTool, ResolveTool, SearchTool, SearchToolBm25Tool, WriteTool }

const classes = {
  read: ReadTool,
  bash: BashTool,
  edit: EditTool,
  ast_grep: AstGrepTool,
  ast_edit: AstEditTool,
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
