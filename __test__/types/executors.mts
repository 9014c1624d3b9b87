// Tools of this package: arguments, details, and their place among other tools.

import {
  AstEditTool,
  AstGrepTool,
  BashTool,
  EditTool,
  FindTool,
  glob,
  grep,
  ReadTool,
  SearchTool,
  WriteTool,
  wrapToolWithMetaNotice,
  type AgentTool,
  type AgentToolResult,
  type BashToolDetails,
  type EditToolInput,
  type OutputMeta,
  type ReadToolDetails,
  type SearchToolInput,
  type Static,
  type Tool,
  type ToolNotice,
  type ToolSession,
} from 'gajae-tool-core'
import type { Equal, Expect } from './equal.d.mts'

declare const session: ToolSession

const read = new ReadTool(session)
const result = await read.execute('1', { path: 'a.txt:1-5' })
export type ReadResult = Expect<Equal<typeof result, AgentToolResult<ReadToolDetails>>>
export const shown: string | undefined = result.details?.displayContent?.text
export const notices: ToolNotice[] = result.details?.notices ?? []
export const meta: OutputMeta | undefined = result.details?.meta
export const next: number | undefined = meta?.truncation?.nextOffset

// The literal identity is part of the type.
export type ReadName = Expect<Equal<typeof read.name, 'read'>>
export type BashConcurrency = Expect<Equal<BashTool['concurrency'], 'exclusive'>>
export type SearchArguments = Expect<Equal<Static<SearchTool['parameters']>, SearchToolInput>>

// `execute` needs no `this`.
const { execute } = read
await execute('1', { path: 'a' }, new AbortController().signal, (partial) => partial.details?.resolvedPath)

// Any tool of this package is a tool.
export const tools: AgentTool[] = [
  read,
  new SearchTool(session),
  new FindTool(session),
  new WriteTool(session),
  new EditTool(session),
  new BashTool(session),
  new AstGrepTool(session),
  new AstEditTool(session),
]
export const loose: AgentTool<any, any, any>[] = tools
export const described: Tool[] = tools
await loose[0]?.execute('1', { anything: true })

// The wrapper keeps the type.
export const wrapped: BashTool = wrapToolWithMetaNotice(new BashTool(session))
export const timeout: number | undefined = (await wrapped.execute('1', { command: 'ls', env: { A: '1' } })).details?.timeoutSeconds
export type BashAsync = Expect<Equal<NonNullable<BashToolDetails['async']>['type'], 'bash'>>

export const edit: EditToolInput = { path: 'a', edits: [{ old_text: 'a', new_text: 'b', all: true }] }
await new FindTool(session).execute('1', { paths: ['*.rs'], hidden: false, limit: 10, timeout: 0.5 })
await new WriteTool(session).execute('1', { path: 'a', content: '' })

// A tool needs a session.
// @ts-expect-error
new ReadTool()
// @ts-expect-error
new ReadTool({ cwd: '/' })

// Arguments are checked.
// @ts-expect-error
await read.execute('1', {})
// @ts-expect-error
await read.execute('1', { path: 1 })
// @ts-expect-error
await read.execute('1', { path: 'a', offset: 3 })
// @ts-expect-error
await read.execute(1, { path: 'a' })
// @ts-expect-error
await new SearchTool(session).execute('1', { pattern: 'a', paths: 'src' })
// @ts-expect-error
await new FindTool(session).execute('1', { paths: ['a'], limit: '10' })
// @ts-expect-error
await new WriteTool(session).execute('1', { path: 'a' })
// @ts-expect-error
await new EditTool(session).execute('1', { path: 'a', edits: [{ oldText: 'a', newText: 'b' }] })
// @ts-expect-error
await new BashTool(session).execute('1', { command: 'ls', env: { A: 1 } })

// Details are not `any`.
// @ts-expect-error
export const missing = result.details?.nothing
// @ts-expect-error
export const unchecked: string = result.details.resolvedPath

// Identity is fixed, and `execute` is a field of the object.
// @ts-expect-error
read.name = 'other'
export class Subclass extends ReadTool {
  // @ts-expect-error
  override async execute() {
    return { content: [] }
  }
}

// The primitives without caps.
const { files } = await grep({ pattern: 'a', paths: ['src'], ignoreCase: true, signal: AbortSignal.timeout(1) })
export const range: [number, number] | undefined = files[0]?.lines[0]?.ranges[0]
export const paths: string[] = (await glob({ paths: ['*.ts'], type: 'any', sort: 'modified' })).paths
// @ts-expect-error
await grep({ paths: ['src'] })
// @ts-expect-error
await glob({ paths: ['src'], sort: 'size' })

// Not a tool.
// @ts-expect-error
wrapToolWithMetaNotice({ name: 'x' })
