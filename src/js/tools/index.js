// Which tools this package implements, by name.

import { BashTool } from './bash.js'
import { EditTool, FindTool, ReadTool, SearchTool, WriteTool } from './files.js'
import { ResolveTool } from './resolve.js'

export { BashTool, EditTool, FindTool, ReadTool, ResolveTool, SearchTool, WriteTool }

const classes = { read: ReadTool, bash: BashTool, edit: EditTool, find: FindTool, search: SearchTool, write: WriteTool, resolve: ResolveTool }

/** @type {ReadonlyMap<string, import('../../../index.d.ts').ToolFactory>} */
export const packageFactories = new Map(
  Object.entries(classes).map(([name, Tool]) => [name, (session) => /** @type {any} */ (new Tool(session))]),
)
