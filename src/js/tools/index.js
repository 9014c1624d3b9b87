// Which tools this package implements, by name.

import { BashTool } from './bash.js'
import { EditTool, FindTool, ReadTool, SearchTool, WriteTool } from './files.js'

export { BashTool, EditTool, FindTool, ReadTool, SearchTool, WriteTool }

const classes = { read: ReadTool, bash: BashTool, edit: EditTool, find: FindTool, search: SearchTool, write: WriteTool }

/** @type {ReadonlyMap<string, import('../../../index.d.ts').ToolFactory>} */
export const packageFactories = new Map(
  Object.entries(classes).map(([name, Tool]) => [name, (session) => /** @type {any} */ (new Tool(session))]),
)
