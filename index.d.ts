// The public contract of gajae-tool-core, written by hand. Tests compare its value names with what src/js/index.js
// exports and its error codes with the engine's. index.d.cts is a generated copy: change this file only.
//
// Importing the package throws an `Error` with `code` `addon_unavailable` where there is no native addon for the
// machine, and with `code` `addon_version_mismatch` where the addon belongs to another version of the package.

// ── 1. Tool contract ─────────────────────────────────────────────────────────────────────────────────────────────────

/** A JSON Schema document. */
export type JsonSchema = Record<string, unknown>

/** A live zod 4 schema (it has `_zod` and `parse`), or else JSON Schema. */
export type TSchema = JsonSchema | { readonly _zod: unknown; parse(value: unknown): unknown }

/** The arguments that a schema describes; `unknown` for plain JSON Schema. */
export type Static<S> = 0 extends 1 & S
  ? any
  : S extends { _zod: { output: infer Output } }
    ? Output
    : S extends { static: infer Type }
      ? Type
      : unknown

/** JSON Schema that remembers the type of its arguments. `static` exists for the compiler only, never at run time. */
export type TypedSchema<Input> = JsonSchema & { readonly static: Input }

/** Text for the model. */
export interface TextContent {
  type: 'text'
  text: string
}

/** A picture for the model. */
export interface ImageContent {
  type: 'image'
  /** Base64. */
  data: string
  /** Such as `image/png`. */
  mimeType: string
}

/** A model's wish to call a tool. */
export interface ToolCall {
  type: 'toolCall'
  /** Unique within the conversation. */
  id: string
  /** The tool's name. */
  name: string
  arguments: Record<string, unknown>
  /** Filled in by the loop from the intent field or the tool's intent function. */
  intent?: string
  /** The name the provider knows the tool by, where it differs. */
  customWireName?: string
  /** The provider saw the argument stream end early: the call must not run. */
  incompleteArguments?: boolean
}

/** Why raw arguments were refused, in the tool's own words. */
export type RawArgumentRejectionCode = string

/** What a tool thinks of arguments before they are validated. */
export type RawArgumentValidationResult =
  | { outcome: 'passthrough' }
  | { outcome: 'accept'; arguments: Record<string, unknown> }
  | { outcome: 'reject'; code?: RawArgumentRejectionCode }

/** What a model is told about a tool. */
export interface Tool<TParameters extends TSchema = TSchema> {
  name: string
  description: string
  parameters: TParameters
  /** Looks at the arguments before validation and may accept or reject them outright. */
  rawArgumentValidation?: (arguments_: Record<string, unknown>) => RawArgumentValidationResult
  /** Lets providers enforce the schema. @default false */
  strict?: boolean
  /** A grammar for providers that take free text instead of JSON. */
  customFormat?: { syntax: 'lark' | 'regex'; definition: string }
  /** The name of the tool in that format. */
  customWireName?: string
  /** A summary without secrets, for logs. */
  safeSummary?: (kind: 'args' | 'result', value: unknown) => string | undefined
  /** Fields that may appear in logs. */
  safeSummaryFields?: { args?: string[]; result?: string[] }
}

/** What a call gives back. A failure rejects instead, unless `isError` is set. */
export interface AgentToolResult<T = any, _TInput = unknown> {
  /** For the model. */
  content: (TextContent | ImageContent)[]
  /** For interfaces and logs; deterministic, without wall-clock times. */
  details?: T
  /** A failed call that keeps its own content. @default false */
  isError?: boolean
}

/** Receives what a running call has so far. */
export type AgentToolUpdateCallback<T = any, TInput = unknown> = (partial: AgentToolResult<T, TInput>) => void

/** How an interface draws a call. */
export interface RenderResultOptions {
  expanded: boolean
  isPartial: boolean
  /** Counts up while the call runs. */
  spinnerFrame?: number
}

/** What the loop passes to a call beside its arguments. */
export interface AgentToolContext {
  attemptScope?: unknown
  [key: string]: unknown
}

/** `execute` of a tool. Compared like a method, so that a tool of particular arguments is an {@link AgentTool}. */
export type AgentToolExecFn<P extends TSchema = TSchema, D = any, Th = unknown> = {
  execute(
    this: AgentTool<P, D, Th>,
    toolCallId: string,
    params: Static<P>,
    signal?: AbortSignal,
    onUpdate?: AgentToolUpdateCallback<D, P>,
    context?: AgentToolContext,
  ): Promise<AgentToolResult<D, P>>
}['execute']

/** A tool that can run. */
export interface AgentTool<P extends TSchema = TSchema, D = any, Th = unknown> extends Tool<P> {
  /** The name for people. */
  label: string
  /** Not listed for people. @default false */
  hidden?: boolean
  /** Stages a preview that `resolve` applies or discards. @default false */
  deferrable?: boolean
  /** Offered from the start, or found by search. Absent: discovery never hides the tool. */
  loadMode?: BuiltinToolLoadMode
  /** One line for discovery. */
  summary?: string
  /** A running call is never cancelled from outside. @default false */
  nonAbortable?: boolean
  /** Whether calls may run beside others. @default 'shared' */
  concurrency?: 'shared' | 'exclusive'
  /** Arguments that fail validation are still passed on. @default false */
  lenientArgValidation?: boolean
  /** Whether the model states its intent with each call. @default 'require' */
  intent?: 'omit' | 'optional' | 'require' | ((args: any) => string | undefined)
  execute: AgentToolExecFn<P, D, Th>
  renderCall?(args: Static<P>, options: RenderResultOptions, theme: Th): unknown
  renderResult?(result: AgentToolResult<D, P>, options: RenderResultOptions, theme: Th): unknown
}

// ── 2. Errors ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Every error kind of the engine. `aborted` arrives as a {@link ToolAbortError}, the others as a {@link ToolError}. */
export type ToolErrorCode =
  // Input.
  | 'invalid_arguments'
  | 'unknown_tool'
  | 'tool_unavailable'
  | 'unsupported'
  | 'empty_path'
  | 'internal_url_as_path'
  | 'packed_paths'
  | 'invalid_selector'
  | 'selector_unsupported'
  | 'truncation_unsupported'
  | 'invalid_glob'
  | 'empty_pattern'
  | 'invalid_regex'
  | 'invalid_skip'
  | 'invalid_limit'
  | 'root_search_forbidden'
  // Files.
  | 'path_not_found'
  | 'permission_denied'
  | 'not_a_directory'
  | 'io_error'
  | 'file_too_large'
  | 'not_text'
  | 'auto_generated_file'
  // Edit.
  | 'empty_old_text'
  | 'no_match'
  | 'ambiguous_match'
  | 'overlapping_ops'
  | 'no_change'
  | 'concurrent_modification'
  // Commands.
  | 'invalid_env_name'
  | 'cwd_not_found'
  | 'cwd_not_directory'
  | 'async_disabled'
  | 'nonzero_exit'
  | 'timeout'
  // The call itself.
  | 'aborted'
  | 'internal'

/** One refused argument, in `context.issues` of an `invalid_arguments` error. */
export interface ToolErrorIssue {
  /** Dotted path of the argument, such as `edits[0].old_text`; empty for the whole value. */
  path: string
  /** What was expected and what came. */
  message: string
}

/** A tool failed. Native errors are instances of this class. */
export declare class ToolError extends Error {
  /** @param context fields of the error; a string `code` among them becomes its code */
  constructor(message: string, context?: Record<string, unknown>, options?: ErrorOptions)
  readonly name: 'ToolError'
  /** The error kind. @default 'tool_error' for an error made without one */
  readonly code: ToolErrorCode | 'tool_error' | (string & {})
  /** The facts of the error by name, such as `path`, `limit` or `issues`. */
  readonly context?: Record<string, unknown>
  /** The path at fault, where there is one: the same as `context.path`. */
  readonly path?: string
  /** What a model is shown. */
  render(): string
}

/** The call was aborted. `cause` is the signal's reason. */
export declare class ToolAbortError extends Error {
  static readonly MESSAGE: string
  /** @param message @default ToolAbortError.MESSAGE */
  constructor(message?: string, options?: ErrorOptions)
  readonly name: 'AbortError'
  readonly code: 'ABORT_ERR'
}

/** Throws a {@link ToolAbortError} if the signal has fired. */
export declare function throwIfAborted(signal?: AbortSignal): void

/** The text of a thrown value, whatever it is. Never throws. */
export declare function renderError(e: unknown): string

// ── 3. Registry and selection ────────────────────────────────────────────────────────────────────────────────────────

/** The host's settings by dotted key. */
export interface SettingsLike {
  /** The value of a key; undefined has the tool core's own default. */
  get(path: string): any
  /** True only for values someone set, not for defaults of a schema. Absent: every value that is there counts as set. */
  has?(path: string): boolean
}

/** A file that the host puts in front of the model. */
export interface ContextFileEntry {
  path: string
  content: string
  /** How many directories above the session's directory. */
  depth?: number
}

/**
 * One conversation, as the host sees it. `cwd`, `settings`, `getSessionFile` and `getSessionSpawns` are checked at every
 * door (error `invalid_arguments`); a tool reads the rest only when it needs it.
 */
export interface ToolSession {
  /** Absolute; relative paths of every call start here. */
  cwd: string
  /** Whether there is an interface with a person in front of it. */
  hasUI: boolean
  settings: SettingsLike
  getSessionFile: () => string | null
  getSessionSpawns: () => string | null
  /** Whether the session has an `edit` tool; `read` and `search` print line anchors only then. @default true */
  hasEditTool?: boolean
  workflowGateEligible?: boolean
  getWorkflowGateEmitter?: () => unknown | undefined
  /** Takes Python to be there without looking. @default false */
  skipPythonPreflight?: boolean
  /** @default true */
  enableLsp?: boolean
  /** The session must end with `yield`. @default false */
  requireYieldTool?: boolean
  /** How many tasks stand above this session. @default 0 */
  taskDepth?: number
  /** Unknown names are an error (`unknown_tool`) instead of a warning. @default false */
  strictToolNames?: boolean
  skills?: readonly { name: string }[]
  /** Receives the warning about unknown names. */
  logger?: { warn?(message: string): void }
  sendCustomMessage?: (message: any, options?: any) => Promise<void>
  agentRegistry?: unknown
  getAgentId?: () => string | null
  discoverableToolAllowedNames?: readonly string[]
  isToolDiscoveryEnabled?: () => boolean
  getDiscoverableTools?: (filter?: { source?: DiscoverableToolSource }) => DiscoverableTool[]
  getDiscoverableToolSearchIndex?: () => DiscoverableToolSearchIndex
  getSelectedDiscoveredToolNames?: () => string[]
  activateDiscoveredTools?: (toolNames: string[]) => Promise<string[]>
  getToolChoiceQueue?(): ToolChoiceQueue
  buildToolChoice?(toolName: string): ToolChoice | undefined
  buildToolChoiceResult?(toolName: string): NamedToolChoiceResult
  /** Where output that was cut is kept whole; the id names it in `artifact://id`. Absent: it is not kept. */
  artifacts?: { save(text: string, toolName: string): Promise<string | undefined> }
  steer?(message: { customType: string; content: string; details?: unknown }): void
  peekQueueInvoker?(): Invoker | undefined
  peekStandingResolveHandler?(): Invoker | undefined
  setStandingResolveHandler?(handler: Invoker | null): void
  /** Whatever else the host keeps here. `any`, because a class or interface has no index signature of `unknown`. */
  [key: string]: any
}

/** A callback that answers a forced tool call. */
export type Invoker = (input: unknown) => Promise<unknown> | unknown

/** Makes a tool for a session; null: not here. */
export type ToolFactory = (session: ToolSession) => AgentTool<any, any, any> | null | Promise<AgentTool<any, any, any> | null>

/** Offered from the start, or found by search. */
export type BuiltinToolLoadMode = 'essential' | 'discoverable'

/** `read`, `bash`, `edit`: the essential tools of a session that overrides nothing. Frozen. */
export declare const DEFAULT_ESSENTIAL_TOOL_NAMES: readonly string[]

/**
 * The essential tools of a session: `tools.essentialOverride` without blanks and unknown names, else the default ones.
 * @throws ToolError `invalid_arguments` for settings without `get`
 */
export declare function computeEssentialBuiltinNames(settings: SettingsLike): string[]

/**
 * Builtin tools by name, in registry order. A factory gives null where its tool cannot work for the session, or where
 * nobody has filled its slot. Frozen, without prototype; `computer` is missing on Windows.
 */
export declare const BUILTIN_TOOLS: Readonly<Record<string, ToolFactory>>

/** Tools that no one asks for by chance: `yield`, `report_finding`, `resolve`. Frozen, without prototype. */
export declare const HIDDEN_TOOLS: Readonly<Record<string, ToolFactory>>

/** What interfaces show of the builtin tools, in registry order. Frozen. */
export declare const BUILTIN_CAPABILITY_CATALOG: readonly BuiltinCapabilityCatalogEntry[]

/** One row of {@link BUILTIN_CAPABILITY_CATALOG}. */
export interface BuiltinCapabilityCatalogEntry {
  readonly name: string
  readonly label: string
  /** One line. */
  readonly summary: string
  /** Path and anchor inside this package. */
  readonly docsPath: string
  readonly callableBuiltin: boolean
  /** What an untouched configuration does. */
  readonly defaultEnabled: boolean
}

/** Facts about the host that the engine never looks up by itself; absent ones are taken from this process. */
export interface HostFacts {
  /** As `process.platform` names it. */
  platform?: string
  /** As `process.arch` names it. */
  arch?: string
  env?: Record<string, string | undefined>
  /** The home directory. */
  home?: string
  /** Whether a program can be started. Absent: looked up in the `PATH` of `env`. */
  pathHas?(name: string): boolean
}

/**
 * The tools of a session, in order, each wrapped by {@link wrapToolWithMetaNotice}.
 * @param toolNames absent or empty: every tool whose gate is open. Upper case and repetitions do not matter.
 * @throws ToolError `invalid_arguments`; `unknown_tool` under `strictToolNames`; what a factory throws
 */
export declare function createTools(
  session: ToolSession,
  toolNames?: readonly string[],
  facts?: HostFacts,
): Promise<AgentTool<any, any, any>[]>

/**
 * Fills the slot of a tool whose implementation belongs to the host; a second call replaces the first.
 * @throws ToolError `unknown_tool` for a name outside the registry; `invalid_arguments` for a tool of this package
 */
export declare function registerToolFactory(name: string, factory: ToolFactory): void

/** Which languages `eval` may run. */
export interface EvalBackendsAllowance {
  python: boolean
  js: boolean
}

/** Which languages `GJC_PY` allows; null where it says nothing. */
export declare function parseGjcPy(env: Record<string, string | undefined>): { py: boolean; js: boolean } | null

/** Which languages the environment allows (`GJC_PY`, then `PI_PY` and `PI_JS`); null where it says nothing. */
export declare function resolveEvalBackendsFromEnv(env: Record<string, string | undefined>): EvalBackendsAllowance | null

/** Which languages a session allows: the environment first, then the settings `eval.py` and `eval.js`. */
export declare function readEvalBackendsAllowance(session: ToolSession): EvalBackendsAllowance

/** The same as {@link readEvalBackendsAllowance}. */
export declare function resolveEvalBackends(session: ToolSession): EvalBackendsAllowance

/** What {@link partitionInitialTools} decides on. */
export interface InitialPartitionInput {
  registry: ReadonlyMap<string, AgentTool<any, any, any>>
  settings: SettingsLike
  /** The tools someone asked for; absent: no list. */
  toolNames?: readonly string[]
  customToolNames?: readonly string[]
  alwaysActiveToolNames?: readonly string[]
  /** Absent: every discoverable tool may be found. */
  discoverableToolAllowedNames?: readonly string[]
  /** Appended last. */
  extensionToolNames?: readonly string[]
  defaultInactiveToolNames?: readonly string[]
  mandatoryMcpToolNames?: readonly string[]
  exactMcpConfig?: { toolNames: readonly string[] }
  /** What an earlier run of the session had found. */
  persisted?: { mcp?: readonly string[]; builtins?: readonly string[] }
}

/** The start of a session. Names in the order they are offered. */
export interface InitialPartition {
  mode: DiscoveryMode
  active: string[]
  selectedMcp: string[]
  selectedBuiltins: string[]
  baselineBuiltins: string[]
}

/** What a session hides at its start: nothing, MCP tools, or every discoverable tool. */
export type DiscoveryMode = 'off' | 'mcp-only' | 'all'

/**
 * Splits a session's registry into tools that are active at the start and tools that wait to be found.
 * @throws ToolError `invalid_arguments`
 */
export declare function partitionInitialTools(input: InitialPartitionInput): InitialPartition

/** What a session hides at its start. @param hasExactMcpConfig @default false */
export declare function resolveDiscoveryMode(settings: SettingsLike, hasExactMcpConfig?: boolean): DiscoveryMode

/** Whether a name is that of an MCP tool (`mcp__…`). */
export declare function isMCPToolName(name: string): boolean

/** Whether a tool is a bridge to a tool of an MCP server. */
export declare function isMCPBridgeTool(tool: { name: string; mcpServerName?: unknown; mcpToolName?: unknown }): boolean

// Shapes that a session exchanges with the host. This version has no functions for them yet.

/** Where a discoverable tool comes from. */
export type DiscoverableToolSource = 'builtin' | 'mcp' | 'extension' | 'custom'

/** A tool as discovery sees it. */
export interface DiscoverableTool {
  name: string
  label: string
  description: string
  summary: string
  source: DiscoverableToolSource
  serverName?: string
  mcpToolName?: string
  schemaKeys: string[]
}

/** A document of the index. */
export interface DiscoverableToolSearchDocument {
  tool: DiscoverableTool
  termFrequencies: ReadonlyMap<string, number>
  length: number
}

/** An index over discoverable tools. */
export interface DiscoverableToolSearchIndex {
  readonly documents: readonly DiscoverableToolSearchDocument[]
  readonly averageLength: number
  readonly documentFrequencies: ReadonlyMap<string, number>
  add?(tools: Iterable<DiscoverableTool>): void
  remove?(names: Iterable<string>): void
}

/** Which tool a provider is asked to call. */
export type ToolChoice =
  | 'auto'
  | 'none'
  | 'any'
  | 'required'
  | { type: 'function'; name: string }
  | { type: 'function'; function: { name: string } }
  | { type: 'tool'; name: string }

/** How far a provider can be forced. */
export type ToolChoiceSupport = 'none' | 'auto' | 'required' | 'named'

/** Where the knowledge about that comes from. */
export type ToolChoiceSupportSource = 'static' | 'derived' | 'runtime'

/** What became of a wished tool choice. */
export interface ResolveToolChoiceResult {
  requestedChoice: ToolChoice | undefined
  requestedLevel: ToolChoiceSupport
  resolvedChoice: ToolChoice | undefined
  resolvedLevel: ToolChoiceSupport
  support: ToolChoiceSupport
  supportSource: ToolChoiceSupportSource
  degraded: boolean
  reason?: string
  reasonCode?: string
  registryKey: string
  targetToolName?: string
}

/** A tool choice that names one tool. */
export interface NamedToolChoiceResult {
  choice: ToolChoice | undefined
  exactNamed: boolean
  resolved?: ResolveToolChoiceResult
}

/** The part of a tool-choice queue that tools rely on. */
export interface ToolChoiceQueue {
  nextToolChoice(): ToolChoice | undefined
  readonly hasInFlight: boolean
  peekInFlightInvoker(): Invoker | undefined
  removeByLabel(label: string): void
}

// ── 4. Executors ─────────────────────────────────────────────────────────────────────────────────────────────────────
//
// A tool object has own fields only, so that it may be spread, frozen or proxied; `execute` needs no `this`.
// The constructor throws `invalid_arguments` for a session that is not one. Every `execute` may reject with
// `invalid_arguments` (before anything ran), `unsupported` (documented, not built yet), `internal` (a fault of ours) and
// a ToolAbortError; the codes that are a tool's own stand at the tool.

/** `execute` of a tool of this package. */
export type NativeExecute<Input, Details> = (
  toolCallId: string,
  params: Input,
  signal?: AbortSignal,
  onUpdate?: AgentToolUpdateCallback<Details>,
  context?: AgentToolContext,
) => Promise<AgentToolResult<Details>>

/** Arguments of `read`. */
export interface ReadToolInput {
  /**
   * File or directory, relative to the session's directory or absolute, with an optional selector behind a colon:
   * `50`, `50-100`, `50+20`, `5,9,20-30`, `raw`, `raw:50-100`. Lines count from 1.
   */
  path: string
  /** Which side of a long text a call without selector shows. @default the setting `read.truncation`, else 'last' */
  truncation?: 'head' | 'last' | 'both'
}

/** Details of a `read` result. */
export interface ReadToolDetails extends DetailsWithMeta {
  /** Absolute. */
  resolvedPath?: string
  /** The text without line prefixes, and the number of its first line. */
  displayContent?: { text: string; startLine: number }
  /** The text may be moved to an artifact as a whole. */
  spillEligible?: boolean
  /** The cut, if there was one. */
  truncation?: TruncationResult
  /** The path was found under another directory: as asked for, and as found. */
  suffixResolution?: { from: string; to: string }
  /** Unresolved merge conflicts shown. */
  conflictCount?: number
  /** Lines shown, and what a structural summary left out. */
  summary?: { lines: number; elidedSpans: number; elidedLines: number }
  isDirectory?: boolean
  /** Bytes that are not UTF-8 are shown as U+FFFD. */
  lossy?: boolean
  /** Absent: UTF-8 without a byte-order mark. */
  encoding?: 'utf-8-bom'
  /** A pipe or device that does not say how long it is: totals count what was read. */
  sizeUnknown?: boolean
}

/**
 * Reads a text file or lists a directory.
 *
 * Codes: `path_not_found`, `permission_denied`, `not_a_directory`, `io_error`, `empty_path`, `invalid_selector`,
 * `selector_unsupported`, `truncation_unsupported`, `internal_url_as_path`.
 */
export declare class ReadTool implements AgentTool<TypedSchema<ReadToolInput>, ReadToolDetails> {
  constructor(session: ToolSession)
  readonly name: 'read'
  readonly label: 'Read'
  readonly loadMode: 'essential'
  readonly strict: true
  readonly nonAbortable: true
  description: string
  parameters: TypedSchema<ReadToolInput>
  execute: NativeExecute<ReadToolInput, ReadToolDetails>
}

/** Arguments of `search`. */
export interface SearchToolInput {
  /** Regular expression of Rust's `regex` syntax: no look-around, no back-references. */
  pattern: string
  /** Files, directories or globs, one path each. @default ['.'] */
  paths?: string[]
  /** Ignore case. @default false */
  i?: boolean
  /** Leave out what git ignores. @default true */
  gitignore?: boolean
  /** Files to skip, 0 or more: the next page of a result. @default 0 */
  skip?: number
}

/** Details of a `search` result. */
export interface SearchToolDetails extends DetailsWithMeta {
  /** What shown paths are relative to, or the entries joined with `, `. */
  scopePath: string
  searchPath: string
  /** Matches shown. */
  matchCount: number
  /** Files shown. */
  fileCount: number
  files: string[]
  fileMatches?: { path: string; count: number }[]
  truncated: boolean
  /** The text with line numbers instead of anchors. */
  displayContent?: string
  /** Files of a page, where there are more. */
  fileLimitReached?: number
  /** Matches shown of one file, where it has more. */
  perFileLimitReached?: number
  linesTruncated?: boolean
  /** Entries that do not exist, among others that do. */
  missingPaths?: string[]
  truncation?: TruncationMeta
}

/**
 * Searches file contents with a regular expression, line by line. No match is a result, not an error.
 *
 * Codes: `empty_pattern`, `invalid_regex`, `invalid_skip`, `empty_path`, `packed_paths`, `invalid_glob`,
 * `path_not_found`, `permission_denied`, `io_error`, `root_search_forbidden`, `internal_url_as_path`.
 */
export declare class SearchTool implements AgentTool<TypedSchema<SearchToolInput>, SearchToolDetails> {
  constructor(session: ToolSession)
  readonly name: 'search'
  readonly label: 'Search'
  readonly loadMode: 'discoverable'
  readonly strict: true
  readonly summary: string
  description: string
  parameters: TypedSchema<SearchToolInput>
  execute: NativeExecute<SearchToolInput, SearchToolDetails>
}

/** Arguments of `find`. */
export interface FindToolInput {
  /** Globs, files or directories, one path each; at least one. */
  paths: string[]
  /** Include hidden files. @default true */
  hidden?: boolean
  /** Leave out what git ignores. @default true */
  gitignore?: boolean
  /** Most files to return, 1 or more. @default 1000 */
  limit?: number
  /** Seconds after which the files found so far are returned, 0.5 to 60. @default 5 */
  timeout?: number
  /** What to look for. @default 'file' */
  type?: 'file' | 'directory' | 'any'
}

/** Details of a `find` result. */
export interface FindToolDetails extends DetailsWithMeta {
  scopePath: string
  fileCount: number
  /** Newest first, relative to `cwd` where they are below it. */
  files: string[]
  truncated: boolean
  cwd: string
  /** The limit, where there are more files. */
  resultLimitReached?: number
  /** Entries that do not exist, among others that do. */
  missingPaths?: string[]
  truncation?: TruncationMeta
}

/**
 * Finds files by name or glob, newest first. No file is a result, not an error; so is a timeout.
 *
 * Codes: `empty_path`, `packed_paths`, `invalid_glob`, `invalid_limit`, `path_not_found`, `not_a_directory`,
 * `permission_denied`, `io_error`, `root_search_forbidden`, `internal_url_as_path`.
 */
export declare class FindTool implements AgentTool<TypedSchema<FindToolInput>, FindToolDetails> {
  constructor(session: ToolSession)
  readonly name: 'find'
  readonly label: 'Find'
  readonly loadMode: 'discoverable'
  readonly strict: true
  readonly summary: string
  description: string
  parameters: TypedSchema<FindToolInput>
  execute: NativeExecute<FindToolInput, FindToolDetails>
}

/** Arguments of `write`. */
export interface WriteToolInput {
  /** File, relative to the session's directory or absolute; missing directories are made. */
  path: string
  /** The whole new content, stored as UTF-8 exactly as given. */
  content: string
}

/** Why a file was written in place instead of being replaced by a rename. */
export type WrittenInPlace = 'hard_links' | 'directory_not_writable' | 'owner_not_transferable' | 'rename_refused'

/** Details of a `write` result. */
export interface WriteToolDetails extends DetailsWithMeta {
  writtenInPlace?: WrittenInPlace
}

/**
 * Creates a file or replaces its whole content. A failed or aborted call leaves the old file as it was. Of the old
 * content only a byte-order mark stays.
 *
 * Codes: `permission_denied`, `io_error`, `auto_generated_file`, `selector_unsupported` (`a.txt:5` beside `a.txt`),
 * `unsupported` (members of archives, rows of databases, internal addresses).
 */
export declare class WriteTool implements AgentTool<TypedSchema<WriteToolInput>, WriteToolDetails> {
  constructor(session: ToolSession)
  readonly name: 'write'
  readonly label: 'Write'
  readonly loadMode: 'discoverable'
  readonly concurrency: 'exclusive'
  readonly strict: true
  readonly nonAbortable: true
  readonly summary: string
  description: string
  parameters: TypedSchema<WriteToolInput>
  execute: NativeExecute<WriteToolInput, WriteToolDetails>
}

/** One replacement. */
export interface EditToolReplacement {
  /** Text to replace, exactly as it stands in the file; not empty. Line ends match whatever the file uses. */
  old_text: string
  /** Text to put in its place; empty deletes. */
  new_text: string
  /** Replace every occurrence; without it there must be exactly one. @default false */
  all?: boolean
}

/** Arguments of `edit`. */
export interface EditToolInput {
  /** File, relative to the session's directory or absolute. */
  path: string
  /** At least one. All are found in the file as it is before the call; either all are made or none. */
  edits: EditToolReplacement[]
}

/** Details of an `edit` result. */
export interface EditToolDetails extends DetailsWithMeta {
  /** Numbered lines with `+`, `-` and blank marks. */
  diff: string
  /** Line of the new file, from 1. */
  firstChangedLine?: number
  op?: 'create' | 'update' | 'delete'
  /** Absolute. */
  path?: string
  /** The file before the call. */
  oldText?: string
  /** The file after the call. */
  newText?: string
  /** What became of each edit. */
  entries?: { ok: boolean; code?: ToolErrorCode }[]
  warnings?: { kind: string; text: string }[]
  writtenInPlace?: WrittenInPlace
}

/**
 * Replaces exact pieces of text in one file; every other byte stays.
 *
 * Codes: `empty_old_text`, `no_match`, `ambiguous_match`, `overlapping_ops`, `no_change`, `concurrent_modification`,
 * `path_not_found`, `permission_denied`, `io_error`, `file_too_large`, `not_text`, `auto_generated_file`,
 * `internal_url_as_path`, `unsupported` (notebooks, the arguments of other edit modes).
 */
export declare class EditTool implements AgentTool<TypedSchema<EditToolInput>, EditToolDetails> {
  constructor(session: ToolSession)
  readonly name: 'edit'
  readonly label: 'Edit'
  readonly loadMode: 'essential'
  readonly concurrency: 'exclusive'
  readonly strict: true
  readonly nonAbortable: true
  description: string
  parameters: TypedSchema<EditToolInput>
  execute: NativeExecute<EditToolInput, EditToolDetails>
}

/** Arguments of `bash`. */
export interface BashToolInput {
  /** The command line. */
  command: string
  /** Added to the environment; names match `[A-Za-z_][A-Za-z0-9_]*`. */
  env?: Record<string, string>
  /** Seconds, 1 to 3600; others are clamped, with a notice. @default 300 */
  timeout?: number
  /** Directory to run in. @default the session's directory */
  cwd?: string
  /** Ask for a terminal; ignored where the host has no interface. @default false */
  pty?: boolean
  /** Run in the background. */
  async?: boolean
}

/** Details of a `bash` result. */
export interface BashToolDetails extends DetailsWithMeta {
  /** The timeout that held. */
  timeoutSeconds: number
  /** The timeout asked for, where it was clamped. */
  requestedTimeoutSeconds?: number
  /** A background job. */
  async?: { state: 'running' | 'completed' | 'failed'; jobId: string; type: 'bash' }
}

/**
 * Runs a shell command in a fresh shell and gives back standard output and standard error in order.
 *
 * Codes: `nonzero_exit`, `timeout`, `invalid_env_name`, `cwd_not_found`, `cwd_not_directory`, `async_disabled`,
 * `io_error`.
 */
export declare class BashTool implements AgentTool<TypedSchema<BashToolInput>, BashToolDetails> {
  constructor(session: ToolSession)
  readonly name: 'bash'
  readonly label: 'Bash'
  readonly loadMode: 'essential'
  readonly concurrency: 'exclusive'
  readonly strict: true
  description: string
  parameters: TypedSchema<BashToolInput>
  execute: NativeExecute<BashToolInput, BashToolDetails>
}

// ── 5. Results and notices ───────────────────────────────────────────────────────────────────────────────────────────

/** One thing the model is told about a result, with the facts behind the words. */
export interface ToolNotice {
  /** Which notice it is, such as `footer_tail` or `column_cap`. */
  kind: string
  /** The words, as they stand in the content. */
  text: string
  /** Numbers, paths and ranges by name. */
  [fact: string]: unknown
}

/** What the details of every tool may carry. */
export interface DetailsWithMeta {
  /** Rendered to a closing notice by {@link wrapToolWithMetaNotice}. */
  meta?: OutputMeta
  /** Every notice in the content, in order. */
  notices?: ToolNotice[]
}

/** Where the output came from and what was cut from it. */
export interface OutputMeta {
  truncation?: TruncationMeta
  source?: { type: 'path' | 'url' | 'internal'; value: string }
  /** Messages of a language server or formatter. */
  diagnostics?: { summary: string; messages: string[] }
  /** Limits that were reached. */
  limits?: { matchLimit?: Limit; resultLimit?: Limit; headLimit?: Limit; columnTruncated?: { maxColumn: number } }
}

/** A reached limit, and what to ask for instead. */
export interface Limit {
  reached: number
  suggestion: number
}

/** First and last line, counted from 1, both included. */
export interface Range {
  start: number
  end: number
}

/** The side of a cut text that was kept; `middle` keeps both ends. */
export type TruncationDirection = 'head' | 'tail' | 'middle'

/** How a text was cut. Sizes are UTF-8 bytes. */
export interface TruncationMeta {
  direction: TruncationDirection
  /** The budget that ended it. */
  truncatedBy: 'lines' | 'bytes' | 'middle'
  /** Of the whole text. */
  totalLines: number
  totalBytes: number
  /** Of what is shown. */
  outputLines: number
  outputBytes: number
  /** What `shownRange` counts from. */
  rangeBase?: 'file' | 'window'
  /** The body tells of the cut already: no closing notice. */
  noticeOwner?: 'body'
  /** The byte limit, where bytes ended it. */
  maxBytes?: number
  shownRange?: Range
  /** Before and after the gap. */
  headRange?: Range
  tailRange?: Range
  /** The line that was cut in itself. */
  partialLine?: { line: number; bytes: number; sourceBytes: number }
  elidedBytes?: number
  elidedLines?: number
  /** Where the whole text was kept. */
  artifactId?: string
  artifactTruncatedBytes?: number
  artifactFailureDiagnostic?: string
  /** The line to go on with. */
  nextOffset?: number
}

/** A text cut to a budget. Sizes are UTF-8 bytes. */
export interface TruncationResult {
  content: string
  truncated?: boolean
  truncatedBy?: 'lines' | 'bytes' | 'middle' | null
  totalLines: number
  totalBytes: number
  outputLines?: number
  outputBytes?: number
  elidedLines?: number
  elidedBytes?: number
  lastLinePartial?: boolean
  firstLineExceedsLimit?: boolean
  lastLineExceedsLimit?: boolean
}

/**
 * Makes `execute` append the closing notice of `details.meta` to the last text block and throw errors whose message is
 * the rendered one. Changes and returns the same object; wrapping twice does nothing.
 * @throws ToolError `invalid_arguments` for an object without `execute`
 */
export declare function wrapToolWithMetaNotice<T extends AgentTool<any, any, any>>(tool: T): T
