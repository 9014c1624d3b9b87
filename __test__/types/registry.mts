// Registry and selection, as a host uses them.

import {
  BUILTIN_CAPABILITY_CATALOG,
  BUILTIN_TOOLS,
  computeEssentialBuiltinNames,
  createTools,
  DEFAULT_ESSENTIAL_TOOL_NAMES,
  HIDDEN_TOOLS,
  isMCPBridgeTool,
  isMCPToolName,
  parseGjcPy,
  partitionInitialTools,
  ReadTool,
  readEvalBackendsAllowance,
  registerToolFactory,
  resolveDiscoveryMode,
  resolveEvalBackends,
  resolveEvalBackendsFromEnv,
  type AgentTool,
  type BuiltinCapabilityCatalogEntry,
  type ContextFileEntry,
  type DiscoveryMode,
  type EvalBackendsAllowance,
  type HostFacts,
  type InitialPartition,
  type JsonSchema,
  type SettingsLike,
  type ToolFactory,
  type ToolSession,
} from 'gajae-tool-core'
import type { Equal, Expect } from './equal.d.mts'

// Settings with narrower keys than `string` are settings.
interface TypedSettings {
  get<Key extends 'edit.mode' | 'find.enabled'>(key: Key): { 'edit.mode': string; 'find.enabled': boolean }[Key]
  has(key: string): boolean
}
declare const settings: TypedSettings

// A plain object, an interface and a class are sessions, whatever else they hold.
const plain = { cwd: '/', hasUI: false, settings, getSessionFile: () => null, getSessionSpawns: () => '*', own: 1 }
interface HostSession extends Pick<ToolSession, 'cwd' | 'hasUI' | 'getSessionFile' | 'getSessionSpawns'> {
  settings: TypedSettings
  eventBus: Map<string, () => void>
}
declare const typed: HostSession
class AgentSession {
  readonly cwd = '/'
  readonly hasUI = true
  readonly settings: SettingsLike = { get: () => undefined }
  readonly #file = 'session.jsonl'
  getSessionFile = () => this.#file
  getSessionSpawns = () => null
  contextFiles: ContextFileEntry[] = [{ path: 'AGENTS.md', content: '', depth: 0 }]
}

const tools = await createTools(plain)
export type Tools = Expect<Equal<typeof tools, AgentTool<any, any, any>[]>>
await createTools(typed, ['read', 'bash'])
const facts: HostFacts = { platform: 'linux', env: { PATH: undefined }, pathHas: (name) => name === 'gh' }
await createTools(new AgentSession(), DEFAULT_ESSENTIAL_TOOL_NAMES, facts)

// A tool of the host, with typed arguments and `this`.
type Call = { pattern: string }
const parameters: JsonSchema & { static: Call } = Object.assign({ type: 'object' }, { static: { pattern: '' } })
const own: AgentTool<typeof parameters, { count: number }> = {
  name: 'own',
  label: 'Own',
  description: '',
  parameters,
  loadMode: 'discoverable',
  concurrency: 'shared',
  intent: (args: Partial<Call>) => args.pattern,
  async execute(_id, { pattern }, signal, onUpdate) {
    onUpdate?.({ content: [], details: { count: 0 } })
    return { content: [{ type: 'text', text: this.name + pattern + signal?.aborted }], details: { count: 1 } }
  },
}
const untyped: AgentTool = {
  name: 'untyped',
  label: 'Untyped',
  description: '',
  parameters: { type: 'object' },
  execute: async (_id: string, params: { path: string }) => ({ content: [{ type: 'text', text: params.path }] }),
}
registerToolFactory('lsp', () => own)
registerToolFactory('ask', async (session) => (session.hasUI ? untyped : null))
export const factory: ToolFactory = (session) => new ReadTool(session)

export const built = await BUILTIN_TOOLS['read']?.(plain)
export const hidden = Object.keys(HIDDEN_TOOLS)
export const entry: BuiltinCapabilityCatalogEntry | undefined = BUILTIN_CAPABILITY_CATALOG[0]
export const names: string[] = computeEssentialBuiltinNames(settings)

export type Variant = Expect<Equal<ReturnType<typeof parseGjcPy>, { py: boolean; js: boolean } | null>>
export const fromEnvironment: EvalBackendsAllowance | null = resolveEvalBackendsFromEnv(process.env)
export const allowances: EvalBackendsAllowance[] = [readEvalBackendsAllowance(plain), resolveEvalBackends(typed)]

const registry = new Map<string, AgentTool<any, any, any>>([['own', own], ['read', new ReadTool(plain)]])
export const partition: InitialPartition = partitionInitialTools({ registry, settings, toolNames: ['read'] })
export const mode: DiscoveryMode = resolveDiscoveryMode(settings, true)
export const bridges: boolean = isMCPToolName('mcp__a') && isMCPBridgeTool({ name: 'a', mcpServerName: 1 })

// The tables are read-only.
// @ts-expect-error
BUILTIN_TOOLS['read'] = factory
// @ts-expect-error
DEFAULT_ESSENTIAL_TOOL_NAMES.push('write')
// @ts-expect-error
BUILTIN_CAPABILITY_CATALOG[0]!.label = ''

// A session is more than a directory.
// @ts-expect-error
await createTools({ cwd: '/' })
// @ts-expect-error
await createTools({ ...plain, cwd: undefined })
// @ts-expect-error
await createTools(plain, 'read')
// @ts-expect-error
await createTools(plain, [1])

// @ts-expect-error
computeEssentialBuiltinNames({})
// @ts-expect-error
registerToolFactory('lsp', own)
// @ts-expect-error
registerToolFactory('lsp', () => ({ name: 'lsp' }))
// @ts-expect-error
partitionInitialTools({ registry: {}, settings })
// @ts-expect-error
export const wrongMode: 'none' = resolveDiscoveryMode(settings)

// A tool without `execute`, or with a load mode that is none, is no tool.
// @ts-expect-error
export const noExecute: AgentTool = { name: 'a', label: 'A', description: '', parameters: {} }
// @ts-expect-error
export const wrongLoadMode: AgentTool = { ...untyped, loadMode: 'always' }
