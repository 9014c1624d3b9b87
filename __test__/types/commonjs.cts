// CommonJS sees the same contract, through `require` of package.json's exports.

import core = require('gajae-tool-core')
import { createTools, ReadTool, ToolError } from 'gajae-tool-core'
import type { ReadToolDetails, ToolErrorCode, ToolSession } from 'gajae-tool-core'

declare const session: ToolSession

export const same: typeof ToolError = core.ToolError
export const tool: core.ReadTool = new ReadTool(session)
export const result: Promise<core.AgentToolResult<ReadToolDetails>> = tool.execute('1', { path: 'a' })
export const code: ToolErrorCode = 'timeout'
void createTools(session).then((tools) => tools.map(({ name }) => name))

// @ts-expect-error
void tool.execute('1', {})
// @ts-expect-error
core.nothing
