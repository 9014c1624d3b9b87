// Which tools this package implements, by name.

import { AstEditTool, AstGrepTool } from './ast.js'
import { BashTool, RecipeTool, recipeTool } from './bash.js'
import { CalcTool } from './calc.js'
import { EditTool } from './edit.js'
import { FindTool, SearchTool, WriteTool } from './files.js'
import { GoalTool } from './goal.js'
import { ReadTool } from './read.js'
import { ReportFindingTool, YieldTool } from './reports.js'
import { ResolveTool } from './resolve.js'
import { SearchToolBm25Tool } from './search-tools.js'
import { SkillTool } from './skill.js'
import { TodoWriteTool } from './todo.js'

export {
  AstEditTool,
  AstGrepTool,
  BashTool,
  CalcTool,
  EditTool,
  FindTool,
  GoalTool,
  ReadTool,
  RecipeTool,
  ReportFindingTool,
  ResolveTool,
  SearchTool,
  SearchToolBm25Tool,
  SkillTool,
  TodoWriteTool,
  WriteTool,
  YieldTool,
}

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
  calc: CalcTool,
  todo_write: TodoWriteTool,
  skill: SkillTool,
  goal: GoalTool,
  yield: YieldTool,
  report_finding: ReportFindingTool,
}

/** @type {ReadonlyMap<string, import('../../../index.d.ts').ToolFactory>} */
export const packageFactories = new Map(
  /** @type {[string, import('../../../index.d.ts').ToolFactory][]} */ ([
    ...Object.entries(classes).map(([name, Tool]) => [name, (/** @type {any} */ session) => new Tool(session)]),
    ['recipe', recipeTool],
  ]),
)
