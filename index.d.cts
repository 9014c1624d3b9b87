// The public contract of gajae-tool-core, written by hand. Tests compare its value names with what src/js/index.js
// exports and its error codes with the engine's. index.d.cts is a generated copy: change this file only.
//
// Importing the package throws an `Error` with `code` `addon_unavailable` where there is no native addon for the
// machine, and with `code` `addon_version_mismatch` where the addon belongs to another version of the package.

// ── 1. Tool contract ─────────────────────────────────────────────────────────────────────────────────────────────────

/** A JSON Schema document. */
export type JsonSchema = Record<string, unknown>

/** A schema of any library that speaks Standard Schema and converts itself to JSON Schema. */
export interface StandardSchema {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    /** Judges at once; schemas that answer with a promise are refused. */
    readonly validate: (value: unknown, ...rest: any[]) => unknown
    /** What the schema is called in JSON Schema; without it the schema is refused. */
    readonly jsonSchema?: { readonly input: (options: { target: 'draft-2020-12' }) => JsonSchema }
    readonly types?: { readonly input: unknown; readonly output: unknown } | undefined
  }
}

/** A live zod 4 schema (it has `_zod` and `parse`), a {@link StandardSchema}, or else JSON Schema of any draft. */
export type TSchema = JsonSchema | { readonly _zod: unknown; parse(value: unknown): unknown } | StandardSchema

/** The arguments that a schema describes; `unknown` for plain JSON Schema. */
export type Static<S> = 0 extends 1 & S
  ? any
  : S extends { _zod: { output: infer Output } }
    ? Output
    : S extends { static: infer Type }
      ? Type
      : S extends { '~standard': { types?: { output: infer Output } | undefined } }
        ? Output
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
  /** May be an accessor. What is derived from the object is kept for as long as the object lives. */
  parameters: TParameters
  /** To be changed by whoever changes the object behind `parameters` in place. */
  parametersVersion?: unknown
  /** Looks at the arguments before validation and may accept or reject them outright. */
  rawArgumentValidation?: (arguments_: Record<string, unknown>) => RawArgumentValidationResult
  /** Lets providers enforce the schema; in which form they want it, see {@link strictToolSchema}. @default false */
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
  | 'url_disabled'
  // Files.
  | 'path_not_found'
  | 'permission_denied'
  | 'outside_allowed_roots'
  | 'not_a_directory'
  | 'io_error'
  | 'file_too_large'
  | 'image_too_large'
  | 'not_text'
  | 'auto_generated_file'
  | 'already_exists'
  | 'lock_timeout'
  | 'plan_mode_denied'
  // What is in a file.
  | 'archive_invalid'
  | 'archive_too_large'
  | 'archive_member_not_found'
  | 'archive_unsearchable'
  | 'archive_bad_path'
  | 'archive_bad_target'
  | 'notebook_invalid'
  | 'sqlite_db_not_found'
  | 'sqlite_table_not_found'
  | 'sqlite_unknown_column'
  | 'sqlite_composite_key'
  | 'sqlite_no_rowid'
  | 'sqlite_bad_key'
  | 'sqlite_bad_selector'
  | 'sqlite_bad_param'
  | 'sqlite_bad_order'
  | 'sqlite_bad_where'
  | 'sqlite_bad_query'
  | 'sqlite_bad_target'
  | 'sqlite_bad_content'
  | 'sqlite_runtime'
  // Edit.
  | 'empty_old_text'
  | 'no_match'
  | 'ambiguous_fuzzy'
  | 'ambiguous_match'
  | 'overlapping_ops'
  | 'duplicate_pattern'
  | 'ambiguous_language'
  | 'overlapping_edits'
  | 'no_change'
  | 'concurrent_modification'
  | 'changed_outside'
  // Edit: operations on lines.
  | 'header_missing'
  | 'header_empty'
  | 'bad_anchor'
  | 'bad_range'
  | 'range_reversed'
  | 'range_hash_conflict'
  | 'missing_payload'
  | 'orphan_payload'
  | 'unknown_op'
  | 'anchor_out_of_range'
  | 'stale_anchor'
  | 'notebook_bad_json'
  | 'notebook_bad_structure'
  | 'notebook_bad_view'
  // Edit: patches.
  | 'missing_diff'
  | 'no_hunks'
  | 'multi_file_diff'
  | 'patch_parse'
  | 'context_not_found'
  | 'context_ambiguous'
  | 'lines_not_found'
  | 'lines_ambiguous'
  | 'overlapping_hunks'
  | 'line_hint_out_of_range'
  | 'envelope_missing_begin'
  | 'envelope_missing_end'
  | 'empty_patch'
  | 'bad_hunk_header'
  | 'empty_update'
  // Edit, mode `vim`.
  | 'vim_unknown_key'
  | 'vim_unterminated_key'
  | 'vim_insert_left_open'
  | 'vim_not_in_insert'
  | 'vim_unsupported_command'
  | 'vim_unsupported_text_object'
  | 'vim_missing_argument'
  | 'vim_char_not_found'
  | 'vim_pattern_not_found'
  | 'vim_text_object_not_found'
  | 'vim_bracket_not_found'
  | 'vim_no_previous'
  | 'vim_ex_syntax'
  | 'vim_ex_unsupported'
  | 'vim_unsaved'
  | 'vim_disk_changed'
  | 'vim_not_text'
  | 'vim_unsupported_target'
  // Merge conflicts.
  | 'conflict_bad_uri'
  | 'conflict_not_found'
  | 'conflict_no_base'
  | 'conflict_stale'
  | 'conflict_scope_readonly'
  | 'conflict_wildcard_read'
  | 'conflict_bulk_failed'
  // Commands.
  | 'invalid_env_name'
  | 'cwd_not_found'
  | 'cwd_not_directory'
  | 'async_disabled'
  | 'async_unavailable'
  | 'command_blocked'
  | 'shell_url_rejected'
  | 'nonzero_exit'
  | 'timeout'
  // Recipes.
  | 'recipe_empty_op'
  | 'recipe_ambiguous_task'
  | 'recipe_unknown_task'
  // Tools with a state of their own.
  | 'yield_bad_result'
  | 'yield_schema_mismatch'
  | 'goal_inactive'
  | 'goal_bad_objective'
  | 'goal_exists'
  | 'goal_bad_state'
  | 'goal_op_forbidden'
  | 'goal_unsupported_arg'
  | 'skill_unknown'
  | 'skill_bad_name'
  | 'skill_recursive'
  | 'skill_not_finalized'
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

/** What a call wrote. */
export interface AfterWriteEvent {
  toolName: string
  toolCallId: string
  files: {
    /** Absolute. */
    path: string
    op: 'create' | 'update' | 'delete'
    /** The name the file had before, where it was given another one. */
    from?: string
  }[]
  /** The calls of one message, where that is known: diagnostics may wait for the last call that writes. */
  batch?: { id: string; isLast: boolean }
}

/** Messages about written files. */
export interface AfterWriteDiagnostics {
  /** One line. */
  summary: string
  messages: string[]
}

/** What the host says after a write. */
export interface AfterWriteAnswer {
  /** Told with the result, and in `details.diagnostics` and `details.meta.diagnostics`. */
  diagnostics?: AfterWriteDiagnostics
}

/**
 * One conversation, as the host sees it. `cwd`, `settings`, `getSessionFile` and `getSessionSpawns` are checked at every
 * door (error `invalid_arguments`); a tool reads the rest only when it needs it.
 */
export interface ToolSession {
  /** Absolute; relative paths of every call start here. */
  cwd: string
  /**
   * Absolute paths of directories: tools read and write nothing outside of them, whatever links or `..` say
   * (`outside_allowed_roots`). Looked at with each call; commands of `bash` only start inside. Absent: no bounds.
   */
  allowedRoots?: readonly string[]
  /** Whether there is an interface with a person in front of it. */
  hasUI: boolean
  settings: SettingsLike
  getSessionFile: () => string | null
  getSessionSpawns: () => string | null
  /** Whether the session has an `edit` tool; `read` and `search` print line anchors only then. @default true */
  hasEditTool?: boolean
  /**
   * A directory of this user alone for journals of changes that take more than one step. Sessions that share it put right
   * what another one left half done when it was killed. @default one in the user's cache directory
   */
  stateDir?: string
  /** In plan mode the absolute path of the plan: no other file is changed (`plan_mode_denied`). Read at every call. */
  planFile?: string
  /** Lets `bash` and `recipe` run only what reads: grep, rg, tree, ls, pwd, wc, du, file, stat (`command_blocked`). */
  bashProfile?: 'read-only'
  /** Lets them run only single plain commands that begin with the words of one of these (`command_blocked`). */
  bashAllowedPrefixes?: readonly string[]
  /**
   * Shows the terminal that a command got because it asked for one (`pty`) and there is a person (`hasUI`): called when the
   * command has it, with what types into it. Absent: the command has a terminal that nobody sees.
   */
  openTerminal?(terminal: CommandTerminal): TerminalView | void
  /** Told when a background job has ended. */
  onJobEnd?(job: BackgroundJob): Promise<void> | void
  /**
   * Called after `write` and `edit` wrote files, before their result: the place for formatters, diagnostics and caches. What
   * it throws is told, and never makes the write a failure. What it says later than `afterWriteTimeoutMs` comes with the next
   * result of `write` or `edit` (`details.lateDiagnostics`). What it does to the files that were written is told
   * (`details.formatted`) and is no change by somebody else.
   */
  afterWrite?: (event: AfterWriteEvent) => Promise<AfterWriteAnswer | undefined | void> | AfterWriteAnswer | undefined | void
  /** @default 5000 */
  afterWriteTimeoutMs?: number
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
  /** What `skill` may load: the file's absolute path, or the text itself. */
  skills?: readonly { name: string; path?: string; filePath?: string; content?: string }[]
  /** Looks for skills again, because one is asked for that is not among `skills`. */
  discoverSkills?(): Promise<void> | void
  /** The skill at work, with the phase of its workflow if it has one. */
  getActiveSkill?(): { name: string; phase?: string } | null | undefined
  /** One skill follows another. */
  handoffSkill?(from: string, to: string): Promise<void> | void
  /** The list of tasks, where the host keeps it. @default the session object remembers it */
  getTodoPhases?(): TodoPhase[] | undefined
  setTodoPhases?(phases: TodoPhase[]): void
  /** The session keeps a goal. @default false */
  goalRuntime?: boolean | GoalRuntime
  /** What `goal` may do. @default everything */
  goalToolAllowedOps?: readonly GoalParams['op'][]
  /** What the result of `yield` must look like. */
  outputSchema?: unknown
  /** Milliseconds since 1970. @default Date.now */
  now?(): number
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
  getToolChoiceQueue?(): ToolChoiceQueueLike | undefined
  /** The older form of the next: an object counts as exact. */
  buildToolChoice?(toolName: string): ToolChoice | undefined
  buildToolChoiceResult?(toolName: string): NamedToolChoiceResult
  /**
   * Where output that was cut is kept whole; the id names it in `artifact://id`, and `read` gets it back from `read`.
   * Absent: what `getArtifactManager` gives, else the folder of `getArtifactsDir`, else one beside the session's file.
   */
  artifacts?: {
    save(text: string, toolName: string): Promise<string | undefined>
    read?(id: string): Promise<string | undefined> | string | undefined
  }
  /** The store of an agent that has one of its own, which keeps texts as `ID.TOOL.log` in the folder of `getArtifactsDir`. */
  getArtifactManager?(): { save(text: string, toolName: string): Promise<string> } | null | undefined
  getArtifactsDir?(): string | null | undefined
  /** The model as `provider/id`, for the default of `edit.mode`, where the session has no `model`. */
  getActiveModelString?(): string | undefined
  /**
   * Answers an internal address (`agent://`, `memory://`, `rule://`, `local://`, `gjc://`, `issue://`, `pr://`, `skill://`,
   * and `artifact://` where this package does not keep the text itself), which comes without selector. Nothing: there is
   * no such thing. Absent: internal addresses cannot be read (`unsupported`).
   */
  resolveInternalUrl?(url: string, signal?: AbortSignal): Promise<InternalResource | undefined> | InternalResource | undefined
  /** How `read` may fetch web pages; whether it may at all says the setting `fetch.enabled`. */
  fetchPolicy?: FetchPolicy
  steer?(message: { customType: string; content: string; details?: unknown }): void
  /** The invoker of the choice in flight. @default that of the queue */
  peekQueueInvoker?(): Invoker | undefined
  /** What `resolve` goes to where no preview waits: a mode's own handler, or the newest preview's. */
  peekStandingResolveHandler?(): Invoker | undefined
  setStandingResolveHandler?(handler: Invoker | null): void
  /** Whatever else the host keeps here. `any`, because a class or interface has no index signature of `unknown`. */
  [key: string]: any
}

/** The terminal of a running command, of 120 columns and 40 rows unless it is resized. Not on Windows. */
export interface CommandTerminal {
  /** The same as `details.terminalId` of the result. */
  readonly id: string
  readonly command: string
  /** Types. False, and nothing is typed, where the command is over or does not read what was typed before (64 KiB). */
  write(data: string | Uint8Array): boolean
  /** At any time; what runs is told by the system. */
  resize(columns: number, rows: number): void
}

/** What a host shows of a terminal. What it throws fails nothing. */
export interface TerminalView {
  /**
   * Every byte that the command and the echo of its terminal write, in order, control sequences included. A host that does
   * not come to it stops the command once 1 MiB waits.
   */
  output?(bytes: Uint8Array): void
  /** Nothing more will come; perhaps after the result of the call. */
  end?(): void
}

/** What an internal address stands for: a text, or the file that holds it. */
export interface InternalResource {
  /** Absent: the content of `path`, in any form that `read` knows. */
  text?: string
  /** Such as `text/markdown`; it becomes `details.contentType`. */
  mimeType?: string
  /** Nobody can change it: its lines have no anchors. @default false */
  immutable?: boolean
  /** The file behind it, absolute. */
  path?: string
}

/** How web pages may be fetched. */
export interface FetchPolicy {
  /**
   * Hosts that may have addresses which are not public (this machine, private and link-local networks): all, none, or
   * those named here, such as `['localhost']`. Judged by the addresses a name really leads to, behind every redirect.
   * @default false
   */
  allowPrivate?: boolean | readonly string[]
  /** For a whole call, at most 300,000. @default 20000 */
  timeoutMs?: number
  /** Bytes of a page; the rest is left out. At most 64 MiB. @default 8388608 */
  maxBytes?: number
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
 * @param toolNames absent or empty: every tool whose gate is open. Upper case, blanks around a name and repetitions do not
 *   matter. To a list `goal` is added where `goal.enabled` is on, and companions: `ast_grep` to `search`, `ast_edit` to
 *   `edit`, `recipe` to `bash`.
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

// ── Discovery ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Whether a name is that of an MCP tool (`mcp__…`). */
export declare function isMCPToolName(name: string): boolean

/** Whether a tool is a bridge to a tool of an MCP server. */
export declare function isMCPBridgeTool(tool: { name: string; mcpServerName?: unknown; mcpToolName?: unknown }): boolean

/** Where a discoverable tool comes from. */
export type DiscoverableToolSource = 'builtin' | 'mcp' | 'extension' | 'custom'

/** A tool as discovery sees it. */
export interface DiscoverableTool {
  name: string
  label: string
  description: string
  /** What is searched before the rest of the description; by default its first 200 UTF-16 units. */
  summary: string
  source: DiscoverableToolSource
  serverName?: string
  mcpToolName?: string
  /** Names of the parameters, sorted. */
  schemaKeys: string[]
}

/** A document of the index, under ranking `bm25`. */
export interface DiscoverableToolSearchDocument {
  tool: DiscoverableTool
  /** Token → frequency, weighted by field. */
  termFrequencies: ReadonlyMap<string, number>
  /** Sum of all frequencies. */
  length: number
}

/** An index over discoverable tools. Ours is a native handle that answers its fields when asked and frees itself. */
export interface DiscoverableToolSearchIndex {
  /** Number of tools. */
  readonly size?: number
  /** In the order of the tools. */
  readonly documents: readonly DiscoverableToolSearchDocument[]
  /** 1 where there is nothing to average. */
  readonly averageLength: number
  /** Token → how many documents have it. */
  readonly documentFrequencies: ReadonlyMap<string, number>
  /** Adds tools behind all others, without a rebuild; a tool of the same name leaves. */
  add?(tools: Iterable<DiscoverableTool>): void
  /** Removes tools by name; unknown names do nothing. */
  remove?(names: Iterable<string>): void
}

/** A tool and how well it answers the query; scores compare within one query only. */
export interface DiscoverableToolSearchResult {
  tool: DiscoverableTool
  score: number
}

/** How many tools a server offers. */
export interface DiscoverableToolServerSummary {
  name: string
  toolCount: number
}

/** The servers of a list of tools, in root collation, and how many tools there are, those without server included. */
export interface DiscoverableToolSummary {
  servers: DiscoverableToolServerSummary[]
  toolCount: number
}

/** What discovery knows of a tool; null for something without a name. */
export declare function getDiscoverableTool(
  tool: AgentTool,
  overrides?: { source?: DiscoverableToolSource; summary?: string },
): DiscoverableTool | null

/** The descriptors of tools, in order. `summaryMap`: tool name → summary that replaces the tool's own. */
export declare function collectDiscoverableTools(
  tools: Iterable<AgentTool>,
  options?: { source?: DiscoverableToolSource; summaryMap?: Map<string, string> },
): DiscoverableTool[]

/** The tools of one source. */
export declare function filterBySource(tools: DiscoverableTool[], source: DiscoverableToolSource): DiscoverableTool[]

/** Which remembered names may be activated again: registered, discoverable, allowed and not excluded; each once. */
export declare function selectRestorableDiscoveredBuiltinToolNames(
  names: Iterable<string>,
  registry: ReadonlyMap<string, AgentTool>,
  allowed?: ReadonlySet<string>,
  excluded?: ReadonlySet<string>,
): string[]

/** Names of the tools that one of the servers offers. */
export declare function selectDiscoverableToolNamesByServer(
  tools: Iterable<DiscoverableTool>,
  serverNames: ReadonlySet<string>,
): string[]

/** How many tools each server offers. */
export declare function summarizeDiscoverableTools(tools: DiscoverableTool[]): DiscoverableToolSummary

/** `name (3 tools)`. */
export declare function formatDiscoverableToolServerSummary(server: DiscoverableToolServerSummary): string

/**
 * An index over tools.
 * @throws ToolError `invalid_arguments` for something without a name
 */
export declare function buildDiscoverableToolSearchIndex(tools: Iterable<DiscoverableTool>): DiscoverableToolSearchIndex

/**
 * The tools a query means, best first; equal scores in root collation of the names.
 * @param limit cuts like `slice(0, limit)`: negative counts from the end
 * @param options.ranking `agent` finds what a model means: word forms, typing mistakes, synonyms, Korean.
 *   `bm25` is BM25+ over exact tokens, to the digit. @default 'agent'
 * @throws ToolError `invalid_arguments` for a query without a letter or number
 */
export declare function searchDiscoverableTools(
  index: DiscoverableToolSearchIndex,
  query: string,
  limit: number,
  options?: { ranking?: 'agent' | 'bm25' },
): DiscoverableToolSearchResult[]

/** The tokens ranking `bm25` sees, in order, with repetitions. */
export declare function tokenizeForDiscovery(text: string): string[]

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
   * File, directory, web page (`https://…`, `www.…`) or internal address, with an optional selector behind a colon:
   * `50`, `50-100`, `50+20`, `5,9,20-30`, `raw`, `raw:50-100`, `conflicts`. Lines count from 1. `conflict://N` and
   * `conflict://N/ours`, `/theirs`, `/base` show a merge conflict that an earlier call numbered.
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
  /** A name that only looks the same was taken, and another one looks the same too. */
  lookalikeResolution?: { from: string; to: string }
  /** Unresolved merge conflicts of the file, where some are shown. */
  conflictCount?: number
  /** Lines shown, and what a structural summary left out. */
  summary?: { lines: number; elidedSpans: number; elidedLines: number }
  isDirectory?: boolean
  /** The picture behind the text, as it is in the file. */
  image?: { mimeType: string; width: number; height: number; bytes: number }
  /** Of a web page or internal address. */
  contentType?: string
  /** How the text of a web page was made, such as `html to markdown`. */
  method?: string
  /** The HTTP status of a web page. */
  status?: number
  /** The file is no text; lines of it are shown escaped, and only where they were asked for. */
  binary?: boolean
  /** Bytes that are not valid in the encoding are shown as U+FFFD. */
  lossy?: boolean
  /** Such as `utf-8-bom`, `utf-16le`, `shift_jis` or `windows-1252`. Absent: UTF-8 without a byte-order mark. */
  encoding?: string
  /** A pipe or device that does not say how long it is: totals count what was read. */
  sizeUnknown?: boolean
}

/**
 * Reads a file, a directory, a web page or an internal address.
 *
 * Source files without a selector are summarised by their structure. PNG, JPEG, GIF and WebP become an image block behind
 * the text: as they are up to 1568 pixels and 3.7 MB, else smaller (of an animation its first picture), unless the setting
 * `images.autoResize` is off. Documents (pdf, docx, xlsx, pptx, epub, rtf) and HTML become Markdown.
 *
 * Codes: `path_not_found`, `permission_denied`, `not_a_directory`, `io_error` (also what a web server answers),
 * `empty_path`, `invalid_selector`,
 * `selector_unsupported`, `truncation_unsupported`, `internal_url_as_path`, `outside_allowed_roots`, `conflict_bad_uri`,
 * `conflict_not_found`, `conflict_no_base`, `conflict_stale`, `conflict_wildcard_read`, `image_too_large`,
 * `url_disabled`.
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
  /** Files, directories or globs, one path each; `/` alone is the working directory, any other way to the root is refused. @default ['.'] */
  paths?: string[]
  /** Ignore case. @default false */
  i?: boolean
  /** Leave out what git ignores. @default true */
  gitignore?: boolean
  /** Files to skip, 0 or more, rounded down: the next page of a result. Has no meaning where one file is searched. @default 0 */
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
 * `path_not_found`, `permission_denied`, `io_error`, `root_search_forbidden`, `archive_unsearchable` (the only path is a
 * member that is missing or binary), `unsupported` (an internal address).
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
  /** Globs, files or directories, one path each; at least one. `/` alone is the working directory, any other way to the root is refused. */
  paths: string[]
  /** Include hidden files. @default true */
  hidden?: boolean
  /** Leave out what git ignores. @default true */
  gitignore?: boolean
  /** Most files to return, 1 or more, rounded down. @default 1000 */
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
 * `permission_denied`, `io_error`, `root_search_forbidden`, `unsupported` (an internal address).
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

/** What results of `write` and `edit` tell of the session's `afterWrite`. */
export interface AfterWriteDetails extends DetailsWithMeta {
  /** What it said. */
  diagnostics?: AfterWriteDiagnostics
  /** What it said of earlier writes, too late for their results. */
  lateDiagnostics?: AfterWriteDiagnostics[]
  /**
   * Files that it changed after this write, or an earlier one where it was late; also as notices `formatted` and
   * `removed_after_write` (`path`).
   */
  formatted?: FormattedFile[]
}

/** What the host made of a file that was written. */
export interface FormattedFile {
  path: string
  /** Numbered lines, from what was written to what it is now; absent where that is not known. */
  diff?: string
  firstChangedLine?: number
  /** The same with fresh anchors, where the mode has them. */
  preview?: string
  removed?: true
}

/** Details of a `write` result. */
export interface WriteToolDetails extends AfterWriteDetails {
  writtenInPlace?: WrittenInPlace
  /** Merge conflicts that were resolved. */
  resolved?: number
}

/**
 * Creates a file or replaces its whole content. A failed or aborted call leaves the old file as it was. Of the old
 * content only a byte-order mark stays; a file in UTF-16 becomes UTF-8. A path `conflict://N` replaces the lines of a merge conflict that `read` numbered,
 * `conflict://*` those of all; lines `@ours`, `@theirs`, `@base` and `@both` stand for the sides.
 *
 * Notices: `bom_kept`, `encoding_changed` (`from`, `to`), `hash_prefix_stripped`; of any tool `interrupted_write` (`path`;
 * `left` where its old content is kept): what a killed process left half done was put right; and after `afterWrite` those of
 * {@link AfterWriteDetails.formatted}.
 *
 * Codes: `permission_denied`, `outside_allowed_roots`, `conflict_…`, `io_error`, `auto_generated_file`, `plan_mode_denied`, `lock_timeout` (another process holds
 * the file), `changed_outside` (by someone else since the session read it), `selector_unsupported` (`a.txt:5` beside `a.txt`), `archive_…` and `sqlite_…` (members and
 * rows), `unsupported` (internal addresses, members of archives other than zip, tar and tar.gz).
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

/** Arguments of `edit`, by its mode. */
export type EditToolInput = ReplaceEditInput | HashlineEditInput | PatchEditInput | ApplyPatchEditInput | VimEditInput

/**
 * Arguments of `edit` in mode `vim`. Keys mean what they mean in Vim 9.0 but for these: a line number behind the last line means the last line; a pattern
 * that cannot be read is a text; `:g` only deletes; a motion that leads nowhere does nothing. A key that fails ends the call, and nothing is changed.
 *
 * A text may become 16 MiB large, and the keys of a call may take about a second of work: far more than anybody types, but less than a few keys can ask for
 * by counts and repeats (`vim_unsupported_command`).
 */
export interface VimEditInput {
  /** The file; one that does not exist is made. */
  file: string
  /** Carried out in order: sequences of keys, and a text that is typed behind them. Without steps the file is only shown. */
  steps?: { kbd?: string[]; insert?: string }[]
  /** Leaves changes unwritten, and an insert open. @default false */
  pause?: boolean
}

/** Arguments of `edit` in mode `patch`. */
export interface PatchEditInput {
  /** File, relative to the session's directory or absolute. */
  path: string
  /** At least one. Each is done on what the one before left; either all are done or none. */
  edits: {
    /** @default 'update' */
    op?: 'create' | 'update' | 'delete'
    /** A new path for an updated file. It must be free, unless it is the file's own. */
    rename?: string
    /** Hunks of an update; the whole text of a new file. */
    diff?: string
  }[]
}

/** Arguments of `edit` in mode `apply_patch`. */
export interface ApplyPatchEditInput {
  /** From `*** Begin Patch` to `*** End Patch`. The grammar is in `customFormat`. Either all sections are done or none. */
  input: string
}

/** Arguments of `edit` in mode `hashline`. */
export interface HashlineEditInput {
  /** Sections `§PATH` with operations on lines that anchors name. The grammar is in `description` and `customFormat`. */
  input: string
  /** The file of an input without sections. */
  path?: string
}

/** Arguments of `edit` in mode `replace`. */
export interface ReplaceEditInput {
  /** File, relative to the session's directory or absolute. */
  path: string
  /** At least one. All are found in the file as it is before the call; either all are made or none. */
  edits: EditToolReplacement[]
}

/** Details of an `edit` result. */
export interface EditToolDetails extends AfterWriteDetails {
  /** Numbered lines with `+`, `-` and blank marks. */
  diff: string
  /** Line of the new file, from 1. */
  firstChangedLine?: number
  op?: 'create' | 'update' | 'delete'
  /** The new name, as it was given. */
  move?: string
  /** Absolute. */
  path?: string
  /** The file before the call. An accessor that is no part of copies and JSON: contents are fetched when asked for. */
  readonly oldText?: string
  /** The file after the call; see `oldText`. */
  readonly newText?: string
  /** Lines around the changes, with anchors, where the mode has them. */
  preview?: string
  /** Modes that change several files: one entry for each, where there are several. */
  perFileResults?: EditFileResult[]
  /** What became of each edit. */
  entries?: { ok: boolean; code?: ToolErrorCode }[]
  /** Also in the text: a place that is only like the text searched (`fuzzy_match`), a file that changed since it was read (`changed_outside`). */
  warnings?: { kind: string; text: string }[]
  writtenInPlace?: WrittenInPlace
}

/** What became of one of several files. */
export interface EditFileResult {
  path: string
  diff: string
  firstChangedLine?: number
  op?: 'create' | 'update' | 'delete'
  move?: string
  readonly oldText?: string
  readonly newText?: string
  /** Whether it could be done, told after a failure, when nothing is `applied`; `diff` and the others are what it would have been. */
  ok?: boolean
  applied?: false
  isError?: true
  code?: ToolErrorCode
  /** For the model; `error` holds its facts. */
  errorText?: string
  error?: Record<string, unknown>
  /** For people, where that is shorter: without the lines of the file. */
  displayErrorText?: string
}

/**
 * Changes files; every byte that an edit does not mean stays. Arguments, `description`, `parameters` and grammar follow the
 * mode: `GJC_EDIT_VARIANT` or `PI_EDIT_VARIANT` (read when the tool is made), else `edit.modelVariants` for the session's
 * model, else `edit.mode`. A text that does not stand in the file exactly is also found where lines are almost equal to it
 * (`edit.fuzzyMatch`, `edit.fuzzyThreshold`), if only one place comes into question; a warning says so. A notebook is edited
 * as the text that `read` shows of it.
 *
 * Codes: `empty_old_text`, `no_match`, `ambiguous_match`, `ambiguous_fuzzy`, `overlapping_ops`, `no_change`, `concurrent_modification`,
 * `path_not_found`, `permission_denied`, `io_error`, `file_too_large`, `not_text`, `auto_generated_file`, `plan_mode_denied`,
 * `lock_timeout`, `notebook_bad_json`, `notebook_bad_structure`, `notebook_bad_view`, `internal_url_as_path`.
 * Of several edits that fail, `context.entries` tells which. In the modes `patch` and
 * `apply_patch` also `already_exists`, `missing_diff`, `no_hunks`, `multi_file_diff`, `patch_parse` (`line`, `reason`),
 * `context_not_found`, `context_ambiguous`, `lines_not_found` (`closest`), `lines_ambiguous` (`places`, `strategy`),
 * `overlapping_hunks`, `line_hint_out_of_range` (`hint`, `total`), `envelope_missing_begin`, `envelope_missing_end`,
 * `empty_patch`, `bad_hunk_header`, `empty_update`. Where several entries or files are named, a failure is a result with
 * `isError`, all of them told in `details.entries` and `details.perFileResults`.
 *
 * Warnings of these modes: `context_ignored`, `anchor_ignored`, `out_of_order`, `fuzzy_match`, `dominant_match`.
 *
 * In mode `hashline` also
 * `header_missing`, `header_empty`; with `path`, and with `line` counted in its section, `bad_anchor`, `bad_range`,
 * `range_reversed`, `range_hash_conflict`, `missing_payload`, `orphan_payload`, `unknown_op`; `anchor_out_of_range`
 * (`line`, `total`); `stale_anchor` (`mismatches` of `line`, `expected`, `actual`, `movedTo`; `excerpt`). Of several files, code and
 * facts are those of the first that failed, and `context.perFileResults` tells of each; {@link executeToolCalls} puts that in the details.
 *
 * An anchor names a line as it was when the call was written. Calls of one batch of {@link executeToolCalls}, or with one
 * `toolCall.batchId` in the context that a host gives to tools, were written before the first of them ran. Where neither is
 * known and the number fits several of the states that the session has seen, nothing is edited (`stale_anchor`).
 *
 * Warnings of mode `hashline`: `recovered_stale`, `truncated`, `escape_removed`, `absorbed_above`, `absorbed_below`,
 * `dropped_leading`, `dropped_trailing`.
 */
export declare class EditTool implements AgentTool<TypedSchema<EditToolInput>, EditToolDetails> {
  constructor(session: ToolSession)
  readonly name: 'edit'
  readonly label: 'Edit'
  readonly loadMode: 'essential'
  readonly concurrency: 'exclusive'
  readonly strict: true
  readonly nonAbortable: true
  /** Of the mode that is set, as are `parameters` and `customFormat`. */
  readonly description: string
  readonly parameters: TypedSchema<EditToolInput>
  readonly customFormat?: { syntax: 'lark' | 'regex'; definition: string }
  readonly customWireName?: string
  execute: NativeExecute<EditToolInput, EditToolDetails>
}

/** What an edit would do to one file. */
export interface PerFileDiffPreview {
  path: string
  /**
   * Numbered lines, in modes `patch` and `apply_patch` in hunks. While the arguments of modes `hashline` and
   * `apply_patch` arrive, the lines they name alone, without numbers.
   */
  diff?: string
  firstChangedLine?: number
  /** Why it would do nothing. */
  error?: string
}

/**
 * What an edit would do, while its arguments still arrive. Writes nothing and waits for no lock. Of mode `replace` the
 * first edit, once it is whole; of mode `patch` the first, with the hunks that are whole so far; of mode `apply_patch`
 * the first operation on each path. A notebook is shown as its cells. Mode `vim` has none (`unsupported`): show what its
 * last call returned. Empty while nothing can be told; what has not arrived is never an error.
 * @param argumentsText JSON text that may lack its end
 */
export declare function previewEdit(session: ToolSession, argumentsText: string, signal?: AbortSignal): Promise<PerFileDiffPreview[]>

/** Stands between an anchor and its line. */
export declare const HL_BODY_SEP: '|'

/** {@link HL_BODY_SEP} in a regular expression. */
export declare const HL_BODY_SEP_RE_RAW: string

/** The two letters of a line's anchor; its number does not matter. */
export declare function computeLineHash(lineNumber: number, line: string): string

/** The anchor of a line, as `edit` in mode `hashline` takes it. */
export declare function formatLineHash(lineNumber: number, line: string): string

/** A line behind its anchor, as `read` prints it. */
export declare function formatHashLine(lineNumber: number, line: string): string

/** Every line of a text behind its anchor. @param startLine the number of the first line. @default 1 */
export declare function formatHashLines(text: string, startLine?: number): string

/** A mode of `edit`: the shape of its arguments. */
export type EditMode = 'replace' | 'patch' | 'hashline' | 'vim' | 'apply_patch'

/** Every mode of `edit`. */
export declare const EDIT_MODES: readonly EditMode[]

/** Bytes of the largest file that `edit` changes. */
export declare const MAX_EDIT_FILE_BYTES: number

/** The mode of a name; nothing for any other text. */
export declare function normalizeEditMode(mode?: string | null): EditMode | undefined

/** What decides on the mode of `edit`. */
export interface EditModeSessionLike {
  settings: SettingsLike
  model?: ModelLike
  /** The model as `provider/id`, where there is no `model`. */
  getActiveModelString?(): string | undefined
}

/** The mode of `edit` in a session: the environment's, else the model's, else that of the settings. */
export declare function resolveEditMode(session: EditModeSessionLike): EditMode

/** What a preview of arriving arguments needs. */
export interface StreamingDiffContext {
  cwd: string
  signal?: AbortSignal
  /** @default setting `edit.fuzzyMatch` */
  allowFuzzy?: boolean
  /** @default setting `edit.fuzzyThreshold` */
  fuzzyThreshold?: number
}

/** How calls of one mode of `edit` are shown while their arguments arrive. */
export interface EditStreamingStrategy<Args = any> {
  /** The arguments, with the knowledge of which JSON text they come from: what of it is whole is previewed. */
  extractCompleteEdits(args: Args, partialJson: string | undefined): Args
  /** What the arguments would do; null while nothing can be told. */
  computeDiffPreview(args: Args, context: StreamingDiffContext): Promise<PerFileDiffPreview[] | null>
  /** What is shown until then: the last lines of what has arrived. */
  renderStreamingFallback(args: Args, theme: NoticeTheme): string
}

/** One strategy for each mode of `edit`. */
export declare const EDIT_MODE_STRATEGIES: Readonly<Record<EditMode, EditStreamingStrategy>>

/** A patch that cannot be read, whatever the files hold; `code` says why. */
export declare class ParseError extends ToolError {
  constructor(message: string, lineNumber?: number, context?: Record<string, unknown>)
  /** The line of the patch, 1-based, where one is at fault. */
  readonly lineNumber?: number
}

/** A change of one file, as mode `patch` takes it. */
export interface PatchInput {
  path: string
  op: 'create' | 'update' | 'delete'
  /** A new name, for an update. */
  rename?: string
  /** Hunks; for a new file its text. */
  diff?: string
}

/** One operation of an envelope. */
export type ApplyPatchEntry = PatchInput

/** The operations of an envelope of mode `apply_patch`. @throws ParseError */
export declare function expandApplyPatchToEntries(params: { input: string }): ApplyPatchEntry[]

/** The same for the text of an envelope alone. @throws ParseError */
export declare function parseApplyPatch(patchText: string): PatchInput[]

/** How {@link previewPatch} looks for lines. */
export interface PreviewPatchOptions {
  /** Absolute; relative paths start here. */
  cwd: string
  /** @default true */
  allowFuzzy?: boolean
  fuzzyThreshold?: number
  signal?: AbortSignal
}

/** What would become of a file. */
export interface ApplyPatchResult {
  change: {
    type: 'create' | 'update' | 'delete'
    /** Absolute. */
    path: string
    newPath?: string
    /** Absent for a new file. */
    oldContent?: string
    /** Absent for a file that goes. */
    newContent?: string
  }
  warnings?: string[]
}

/**
 * What a change would make of a file; nothing is written. Rejects as `edit` in mode `patch` does, with a
 * {@link ParseError} for what cannot be read.
 */
export declare function previewPatch(input: PatchInput, options: PreviewPatchOptions): Promise<ApplyPatchResult>

/** Rejects for a file that a program generates (`auto_generated_file`). One that is not there may be made. */
export declare function assertEditableFile(absolutePath: string, displayPath?: string): Promise<void>

/** Throws for the content of a file that a program generates (`auto_generated_file`). The name counts too. */
export declare function assertEditableFileContent(content: string, displayPath: string): void

/** The difference of two texts. */
export interface DiffResult {
  /** Empty where nothing differs. */
  diff: string
  /** The new number of the first line that was added or removed. */
  firstChangedLine: number | undefined
}

/** Why there is no difference to show. */
export interface DiffError {
  error: string
}

/** The difference of two texts with numbered lines, as results of `edit` have it. @param contextLines around each change. @default 4 */
export declare function generateDiffString(oldContent: string, newContent: string, contextLines?: number): DiffResult

/** The same in hunks with headers, as results of modes `patch` and `apply_patch` have it. @param contextLines around each change. @default 3 */
export declare function generateUnifiedDiffString(oldContent: string, newContent: string, contextLines?: number): DiffResult

/** What replacing a text would do to a file, by the rules of mode `replace`; nothing is written. */
export declare function computeEditDiff(
  path: string,
  oldText: string,
  newText: string,
  cwd: string,
  fuzzy?: boolean,
  all?: boolean,
  threshold?: number,
): Promise<DiffResult | DiffError>

/** What operations of mode `hashline` would do to the first file they name; nothing is written. */
export declare function computeHashlineDiff(input: { input: string; path?: string }, cwd: string): Promise<DiffResult | DiffError>

/** How alike a text and its place must be where nothing else is said: the default of `edit.fuzzyThreshold`. */
export declare const DEFAULT_FUZZY_THRESHOLD: number

/** How {@link replaceText} looks for a text. */
export interface ReplaceOptions {
  /** Also one that is nearly there, where only one place is. */
  fuzzy: boolean
  /** Every place; otherwise there may be one only. */
  all: boolean
  /** From 0 to 1. @default DEFAULT_FUZZY_THRESHOLD */
  threshold?: number
}

/** A text after a replacement. */
export interface ReplaceResult {
  content: string
  /** Places that were changed: none where the text does not occur. */
  count: number
}

/**
 * A text with another one replaced in it, by the rules of mode `replace`: line endings count as equal and stay as they are.
 * Throws for an empty `oldText` and for one that occurs several times (`ambiguous_match`).
 */
export declare function replaceText(content: string, oldText: string, newText: string, options: ReplaceOptions): ReplaceResult

/** The hunks of a diff, without an envelope, names of files and what programs write between those and the hunks. */
export declare function normalizeDiff(diff: string): string

/** A text with LF in place of CR LF and CR. */
export declare function normalizeToLF(text: string): string

/** A line as lines of patches are compared: no blanks around it, look-alikes in ASCII, composed. */
export declare function normalizeUnicode(s: string): string

/** A text and its byte-order mark. */
export interface BomResult {
  /** Empty where there is none. */
  bom: string
  text: string
}

/** Takes the byte-order mark off a text. */
export declare function stripBom(content: string): BomResult

/** What a cell of a notebook holds. */
export type NotebookCellType = 'code' | 'markdown' | 'raw'

/** A cell of a notebook. */
export interface NotebookCell {
  cell_type: NotebookCellType
  source?: string | string[]
  metadata?: Record<string, unknown>
  execution_count?: number | null
  outputs?: unknown[]
  [key: string]: unknown
}

/** A notebook. */
export interface NotebookDocument {
  cells: NotebookCell[]
  metadata: Record<string, unknown>
  nbformat: number
  nbformat_minor: number
  [key: string]: unknown
}

/** A notebook without cells. */
export declare function createEmptyNotebook(): NotebookDocument

/** A cell that was never run. */
export declare function createNotebookCell(cellType: NotebookCellType, source: string): NotebookCell

/** Reads a notebook. Codes: `path_not_found`, `notebook_bad_json`, `notebook_bad_structure`, `file_too_large`. */
export declare function readNotebookDocument(absolutePath: string, displayPath?: string): Promise<NotebookDocument>

/** The text of a notebook, indented and ended as its file was; a new one as Jupyter writes it. */
export declare function serializeNotebookDocument(notebook: NotebookDocument): string

/** A source as notebooks keep it: its lines, each with its LF. */
export declare function splitNotebookSource(content: string): string[]

/** A path with the home directory in place of `~` and of the `~` in `~/x`. @param home @default that of this process */
export declare function expandTilde(filePath: string, home?: string): string

/** A path without `@` or `file://` in front, its Unicode spaces plain, `~` written out. */
export declare function expandPath(filePath: string): string

/**
 * The absolute path of a text, as tools take it; asks no file system. Slashes alone mean `cwd`. Codes:
 * `internal_url_as_path`, `empty_path`, `io_error`.
 */
export declare function resolveToCwd(filePath: string, cwd: string): string

/** The same for a file that should exist: where it does not, the only one whose name looks like it. */
export declare function resolveReadPath(filePath: string, cwd: string): string

/** A path as tools show it: relative where it lies below `cwd`, with `/`; internal addresses as they are. */
export declare function formatPathRelativeToCwd(filePath: string, cwd: string, options?: { trailingSlash?: boolean }): string

/** `local:/x` as `local://x`. */
export declare function normalizeLocalScheme(filePath: string): string

/** A text without the double quotes around it. */
export declare function stripOuterDoubleQuotes(input: string): string

/** A path and the selector behind its last colon, if that is one. Asks no file system. */
export declare function splitPathAndSel(rawPath: string): { path: string; sel?: string }

/** What decides on {@link resolveFileDisplayMode}. */
export interface FileDisplayModeSession extends EditModeSessionLike {
  /** @default true */
  hasEditTool?: boolean
}

/** What stands before the lines of a text. */
export interface FileDisplayMode {
  lineNumbers: boolean
  /** Anchors for `edit`, with the number in them. */
  hashLines: boolean
}

/** What tools put before lines. A raw text has nothing, one that cannot be edited no anchors. */
export declare function resolveFileDisplayMode(
  session: FileDisplayModeSession,
  options?: { raw?: boolean; immutable?: boolean },
): FileDisplayMode

/** One file in a listing by directory. */
export interface GroupedFileSection {
  /** Behind its name. */
  headerSuffix?: string
  modelLines: string[]
  /** @default modelLines */
  displayLines?: string[]
  /** The file is left out. */
  skip?: boolean
}

/** A listing, for the model and for people. */
export interface GroupedFilesOutput {
  model: string[]
  display: string[]
}

/** Files under the headers of their directories: `# dir/`, `## file`; those of the root as `# file`. */
export declare function formatGroupedFiles(files: string[], renderFile: (filePath: string) => GroupedFileSection): GroupedFilesOutput

/** Arguments of `ast_grep`; other keys are ignored. */
export interface AstGrepToolInput {
  /** Code; `$NAME` stands for one node, `$$$NAME` for any number, `$_` and `$$$` for what is not captured. */
  pat: string
  /** Files, directories or globs, one path each; at least one. */
  paths: string[]
  /** Matches to skip, 0 or more: the next page of a result. @default 0 */
  skip?: number
}

/** Details of an `ast_grep` result. */
export interface AstGrepToolDetails extends DetailsWithMeta {
  /** All matches, shown or not. */
  matchCount: number
  /** All files with matches. */
  fileCount: number
  /** Files of a known language. */
  filesSearched: number
  /** Whether there are matches behind those that are shown. */
  limitReached: boolean
  scopePath: string
  searchPath: string
  /** Files shown. */
  files: string[]
  /** Matches shown. */
  fileMatches: { path: string; count: number }[]
  displayContent?: string
  missingPaths?: string[]
  /** What could not be parsed, the first 20. */
  parseErrors?: string[]
  parseErrorsTotal?: number
}

/**
 * Searches code by its structure, in the language of each file. No match is a result, not an error.
 *
 * Notices: `ast_limit` (`total`, `next_skip`), `ast_cut`, `parse_issues` (`shown`, `total`), `missing_paths`.
 *
 * Codes: `empty_pattern`, `invalid_skip`, and those of paths as for `search`.
 */
export declare class AstGrepTool implements AgentTool<TypedSchema<AstGrepToolInput>, AstGrepToolDetails> {
  constructor(session: ToolSession)
  readonly name: 'ast_grep'
  readonly label: 'AST Grep'
  readonly loadMode: 'discoverable'
  readonly strict: true
  readonly summary: string
  description: string
  parameters: TypedSchema<AstGrepToolInput>
  execute: NativeExecute<AstGrepToolInput, AstGrepToolDetails>
}

/** Arguments of `ast_edit`; other keys are ignored. */
export interface AstEditToolInput {
  /** At least one, each pattern once. All look at the files as they are before the call. */
  ops: { pat: string; out: string }[]
  /** Files, directories or globs of one language, one path each; at least one. */
  paths: string[]
}

/** Details of an `ast_edit` preview, and of the result of applying it. */
export interface AstEditToolDetails extends DetailsWithMeta {
  totalReplacements: number
  filesTouched: number
  /** Files of a known language. */
  filesSearched: number
  /** Whether the files were written. */
  applied: boolean
  /** Whether more than 1000 files match; the others are left for another call. */
  limitReached: boolean
  scopePath: string
  searchPath: string
  files: string[]
  fileReplacements: { path: string; count: number }[]
  displayContent?: string
  missingPaths?: string[]
  /** What could not be parsed, the first 20. */
  parseErrors?: string[]
  parseErrorsTotal?: number
  writtenInPlace?: WrittenInPlace
}

/**
 * Shows what a rewrite of code by its structure would do, and stages it: `resolve` applies it to all files or to none, or
 * discards it. A file that is not what was previewed makes the whole preview stale: the result of `resolve` is then an
 * error with `applied: false`, and the preview is gone.
 *
 * Notices: `preview_cut` (`shown`, `total`, `files`), `ast_edit_limit`, `generated_skipped`, `parse_issues`,
 * `missing_paths`; when it is applied `stale_preview` (`paths`).
 *
 * Codes: `empty_pattern`, `duplicate_pattern`, `ambiguous_language`, `overlapping_edits`, `auto_generated_file`,
 * `plan_mode_denied`, and those of paths as for `search`.
 */
export declare class AstEditTool implements AgentTool<TypedSchema<AstEditToolInput>, AstEditToolDetails> {
  constructor(session: ToolSession)
  readonly name: 'ast_edit'
  readonly label: 'AST Edit'
  readonly loadMode: 'discoverable'
  readonly strict: true
  readonly deferrable: true
  readonly summary: string
  description: string
  parameters: TypedSchema<AstEditToolInput>
  execute: NativeExecute<AstEditToolInput, AstEditToolDetails>
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
  /** Ask for a terminal (`session.openTerminal`); ignored where there is no person (`session.hasUI`), and on Windows. @default false */
  pty?: boolean
  /** Run in the background; only where the setting `async.enabled` is on. @default false */
  async?: boolean
}

/** Details of a `bash` result. */
export interface BashToolDetails extends DetailsWithMeta {
  /** The timeout that held. */
  timeoutSeconds: number
  /** The timeout asked for, where it was clamped. */
  requestedTimeoutSeconds?: number
  /** The terminal of the command, where the host shows it (`session.openTerminal`). */
  terminalId?: string
  /** A background job. */
  async?: { state: 'running' | 'completed' | 'failed'; jobId: string; type: 'bash' }
}

/**
 * Runs a shell command in a fresh shell and gives back standard output and standard error in order; while it runs,
 * `onUpdate` is told of the output at most every 50 ms. Of an output that is too long its end is shown: 1 KiB where all
 * of it is kept (`session.artifacts`, else a folder beside the session's file), else 50 KiB; `tools.artifactTailBytes` and
 * `tools.artifactHeadBytes` (KiB) replace both. An error names the artifact, too.
 *
 * With `async`, or once it took longer than `bash.autoBackground.thresholdMs` where `bash.autoBackground.enabled` is on, a
 * command goes on as a job of the session: {@link listJobs}, {@link pollJobs}, {@link cancelJob}, `session.onJobEnd`.
 * `bash.persistentSession` lets commands share directory, variables, functions, aliases and options.
 * `bashInterceptor.enabled` refuses commands for which the session has a better tool; `bash.stripTrailingHeadTail` takes a
 * final `| head` or `| tail` off, and says so. Internal addresses become the files that `session.resolveInternalUrl` names.
 *
 * Codes: `nonzero_exit`, `timeout`, `invalid_env_name`, `cwd_not_found`, `cwd_not_directory`, `async_disabled`,
 * `async_unavailable`, `command_blocked`, `shell_url_rejected`, `io_error`.
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

/** A command that goes on after its call. */
export interface BackgroundJob {
  /** `bg_N`, never used twice in a session. */
  id: string
  type: 'bash'
  /** The command, at most 120 characters. */
  label: string
  state: 'running' | 'completed' | 'failed' | 'cancelled'
  /** Milliseconds since 1970. */
  startedAt: number
  endedAt?: number
  /** What is shown of the output so far; after the end the result, or the message of the error. */
  text: string
  /** Of a completed job. */
  details?: BashToolDetails
  /** Why it failed. */
  code?: ToolErrorCode
  /** Where the command ran to its end. */
  exitCode?: number
}

/** Every job of a session, the oldest first; an ended one for five minutes. */
export declare function listJobs(session: ToolSession): BackgroundJob[]

/**
 * Waits until one of the jobs has ended, at most `timeoutMs`, and gives back what they are then. Rejects when the signal
 * fires; the jobs go on.
 * @param options.ids all where absent
 * @param options.timeoutMs @default 0
 */
export declare function pollJobs(
  session: ToolSession,
  options?: { ids?: readonly string[]; timeoutMs?: number; signal?: AbortSignal },
): Promise<BackgroundJob[]>

/** Ends a job with everything it started. Whether it was running. */
export declare function cancelJob(session: ToolSession, id: string): boolean

/** Ends every job of a session. They also end with the process, and when the session object is gone. */
export declare function cancelJobs(session: ToolSession): void

/** Arguments of `recipe`. */
export interface RecipeToolInput {
  /** A task, or `runner:task`, and what is passed to it. */
  op: string
}

/**
 * Runs a task of the project: a recipe of just, a script of `package.json` (npm, pnpm, yarn, bun) or of a package of its
 * workspace, a target of make, cargo, task or deno. Tasks are read from their files; nothing is run to find them. What is
 * passed on is quoted. The rest is as for {@link BashTool}, whose settings and restrictions hold. A session without tasks
 * has no such tool.
 *
 * Codes: `recipe_empty_op`, `recipe_unknown_task`, `recipe_ambiguous_task`, and those of {@link BashTool}.
 */
export declare class RecipeTool implements AgentTool<TypedSchema<RecipeToolInput>, BashToolDetails> {
  /** @param tasks the tasks, in words, for the description */
  constructor(session: ToolSession, tasks?: string)
  readonly name: 'recipe'
  readonly label: 'Run'
  readonly loadMode: 'discoverable'
  readonly concurrency: 'exclusive'
  readonly strict: true
  readonly summary: string
  description: string
  parameters: TypedSchema<RecipeToolInput>
  execute: NativeExecute<RecipeToolInput, BashToolDetails>
}

/** What has become of a task. */
export type TodoStatus = 'pending' | 'in_progress' | 'completed' | 'abandoned'

/** One thing to do, known by its text. */
export interface TodoItem {
  content: string
  status: TodoStatus
  /** Remarks, in the order they were made. Absent where there are none. */
  notes?: string[]
}

/** Tasks under a name. */
export interface TodoPhase {
  name: string
  tasks: TodoItem[]
}

/** One change of the list. Empty texts count as absent. */
export interface TodoOperation {
  op: 'init' | 'start' | 'done' | 'rm' | 'drop' | 'append' | 'note'
  /** For `init`: the whole list; empty clears it. No text of a task and no name of a phase may be there twice. */
  list?: { phase: string; items: string[] }[]
  /** The exact text of a task; the first that has it, in `phase` if it is there. */
  task?: string
  /** The exact name of a phase. */
  phase?: string
  /** For `append`. */
  items?: string[]
  /** For `note`. */
  text?: string
}

/** Arguments of `todo_write`. */
export interface TodoWriteParams {
  /** At least one; applied in order, all or none. */
  ops: TodoOperation[]
}

/** Details of a `todo_write` result: the list after the call, from which a transcript can rebuild it. */
export interface TodoWriteToolDetails extends DetailsWithMeta {
  phases: TodoPhase[]
  /** Whether the session has a file. */
  storage: 'session' | 'memory'
  /** With `isError`: nothing was applied. */
  failureKind?: 'payload_rejected'
}

/**
 * Keeps a list of tasks. The list lives as long as the session object, or with the host: `session.getTodoPhases` and
 * `session.setTodoPhases`. An operation that fails makes a result with `isError`, and no operation is applied.
 *
 * Notices: `todo_errors` (`errors`), `todo_not_applied`. Codes: `invalid_arguments` (also for unknown names).
 */
export declare class TodoWriteTool implements AgentTool<TypedSchema<TodoWriteParams>, TodoWriteToolDetails> {
  constructor(session: ToolSession)
  readonly name: 'todo_write'
  readonly label: 'Todo Write'
  readonly loadMode: 'discoverable'
  readonly concurrency: 'exclusive'
  readonly strict: true
  readonly summary: string
  description: string
  parameters: TypedSchema<TodoWriteParams>
  /** Refuses unknown names, and `done` or `drop` of nothing, before anything is repaired. */
  rawArgumentValidation: (arguments_: Record<string, unknown>) => RawArgumentValidationResult
  execute: NativeExecute<TodoWriteParams, TodoWriteToolDetails>
}

/** The custom entry of a transcript that holds a list as a person left it: `{type: 'custom', customType, data: {phases}}`. */
export declare const USER_TODO_EDIT_CUSTOM_TYPE: 'user_todo_edit'

/** The list after operations. If one fails, `phases` is the list as it was and `errors` says why. */
export declare function applyOpsToPhases(currentPhases: TodoPhase[], ops: TodoOperation[]): { phases: TodoPhase[]; errors: string[] }

/** A list as Markdown: `# phase`, `- [ ] task` (`x` done, `/` in progress, `-` given up), `  > note`. */
export declare function phasesToMarkdown(phases: TodoPhase[]): string

/** The list that a person wrote; what {@link phasesToMarkdown} made reads back as it was. `X`, `>` and `~` are understood, too. */
export declare function markdownToPhases(md: string): { phases: TodoPhase[]; errors: string[] }

/** The list where a transcript ends: a person's last edit or the last call that did not fail, whichever came later. */
export declare function getLatestTodoPhasesFromEntries(entries: readonly unknown[]): TodoPhase[]

/** A phase as interfaces show it, such as `II. Build`. */
export declare function formatPhaseDisplayName(name: string, oneBasedIndex: number): string

/** Arguments of `yield`. */
export interface YieldParams {
  /** Either `data`, which is not null, or `error`. */
  result: { data?: unknown; error?: string }
}

/** Details of a `yield` result. */
export interface YieldToolDetails extends DetailsWithMeta {
  status: 'success' | 'aborted'
  data?: unknown
  /** Why there is no result. */
  error?: string
  /** With `isError`: what came, and did not fit once too often. */
  refusedData?: unknown
}

/**
 * Hands in the result of a task. `session.outputSchema` (JSON Schema, a JSON Type Definition, or either as JSON text) says
 * what it must look like; a schema that is none lets everything pass. After `yield.schemaRetries` [2] results that do not
 * fit the next one ends the task without a result.
 *
 * Codes: `yield_bad_result`, `yield_schema_mismatch` (`issues`, `retries_left`).
 */
export declare class YieldTool implements AgentTool<TypedSchema<YieldParams>, YieldToolDetails> {
  constructor(session: ToolSession)
  readonly name: 'yield'
  readonly label: 'Submit Result'
  readonly lenientArgValidation: true
  readonly intent: 'omit'
  strict: boolean
  description: string
  parameters: TypedSchema<YieldParams>
  execute: NativeExecute<YieldParams, YieldToolDetails>
}

/** How urgent a finding is; P0 is the worst. */
export type FindingPriority = 'P0' | 'P1' | 'P2' | 'P3'

/** Arguments of `report_finding`, and its details. */
export interface ReportFindingDetails {
  title: string
  body: string
  priority: FindingPriority
  /** 0 to 1. */
  confidence: number
  file_path: string
  /** 1-based. */
  line_start: number
  /** Inclusive. */
  line_end: number
}

/** A finding with the rank of its priority. */
export interface ReviewFinding extends Omit<ReportFindingDetails, 'priority'> {
  priority: number
}

/** What a review comes to. */
export interface SubmitReviewDetails {
  overall_correctness: 'correct' | 'incorrect'
  explanation: string
  confidence: number
}

/** How a priority is ranked and drawn. */
export interface FindingPriorityInfo {
  ord: 0 | 1 | 2 | 3
  symbol: 'status.error' | 'status.warning' | 'status.info'
  color: 'error' | 'warning' | 'muted' | 'accent'
}

/** Records a finding of a review. Codes: `invalid_arguments` (lines are whole numbers from 1, the last not before the first). */
export declare class ReportFindingTool implements AgentTool<TypedSchema<ReportFindingDetails>, ReportFindingDetails> {
  constructor(session: ToolSession)
  readonly name: 'report_finding'
  readonly label: 'Report Finding'
  readonly intent: 'omit'
  description: string
  parameters: TypedSchema<ReportFindingDetails>
  execute: NativeExecute<ReportFindingDetails, ReportFindingDetails>
}

/** The priorities, the worst first. */
export declare const PRIORITY_LABELS: readonly FindingPriority[]

/** Rank, symbol and colour of a priority. */
export declare function getPriorityInfo(priority: FindingPriority): FindingPriorityInfo

/** The details of a `report_finding` result, if that is what the value is. */
export declare function parseReportFindingDetails(value: unknown): ReportFindingDetails | undefined

/** A finding with the rank of its priority. */
export declare function toReviewFinding(details: ReportFindingDetails): ReviewFinding

/** Arguments of `goal`. */
export interface GoalParams {
  op: 'create' | 'get' | 'complete' | 'resume' | 'drop' | 'pause'
  /** For `create`. */
  objective?: string
}

/** What a session works towards. */
export interface Goal {
  id: string
  objective: string
  status: 'active' | 'paused' | 'complete' | 'dropped'
  tokensUsed: number
  /** Whole seconds it was active. */
  timeUsedSeconds: number
  /** Milliseconds since 1970, by `session.now`. */
  createdAt: number
  updatedAt: number
  provenance: { source: string; [key: string]: unknown }
}

/** What a host does about goals; all of it may be missing. */
export interface GoalRuntime {
  /** The goal as the host has it. @default the one the session object remembers */
  get?(): Goal | null | undefined
  set?(goal: Goal | null): void
  /** Tokens spent for the goal so far. */
  tokensUsed?(goal: Goal): number | undefined
  /** Why a step may not happen now (`goal_op_forbidden`); undefined where it may. */
  guard?(op: GoalParams['op'], goal: Goal): string | undefined
}

/** Details of a `goal` result. */
export interface GoalToolDetails extends DetailsWithMeta {
  op: GoalParams['op']
  goal: Goal | null
}

/**
 * Reads or changes the goal of a session. Needs `session.goalRuntime` for everything but `get`;
 * `session.goalToolAllowedOps` bounds what may be done.
 *
 * Codes: `goal_inactive`, `goal_bad_objective`, `goal_exists`, `goal_bad_state`, `goal_op_forbidden`, `goal_unsupported_arg`.
 */
export declare class GoalTool implements AgentTool<TypedSchema<GoalParams>, GoalToolDetails> {
  constructor(session: ToolSession)
  readonly name: 'goal'
  readonly label: 'Goal'
  readonly loadMode: 'essential'
  readonly strict: true
  readonly intent: 'omit'
  description: string
  parameters: TypedSchema<GoalParams>
  execute: NativeExecute<GoalParams, GoalToolDetails>
}

/** Arguments of `skill`. */
export interface SkillParams {
  name: string
  /** What the skill is to work on. */
  args?: string
}

/** Details of a `skill` result. */
export interface SkillToolDetails extends DetailsWithMeta {
  name: string
  path: string
  args?: string
  /** Lines of the instructions. */
  lineCount: number
}

/**
 * Loads the instructions of a skill: they are sent as a message of the user (`session.sendCustomMessage`). Where the name
 * is unknown, `session.discoverSkills` may find it. While `session.getActiveSkill` is in a phase that is not over, no other
 * skill is loaded; after that `session.handoffSkill` is called first.
 *
 * Codes: `skill_bad_name`, `skill_unknown`, `skill_recursive`, `skill_not_finalized`, `tool_unavailable`, `path_not_found`,
 * `io_error`, `not_text`, `file_too_large`.
 */
export declare class SkillTool implements AgentTool<TypedSchema<SkillParams>, SkillToolDetails> {
  constructor(session: ToolSession)
  readonly name: 'skill'
  readonly label: 'Skill'
  readonly loadMode: 'essential'
  readonly strict: true
  readonly summary: string
  description: string
  parameters: TypedSchema<SkillParams>
  execute: NativeExecute<SkillParams, SkillToolDetails>
}

/** Arguments of `calc`. */
export interface CalcParams {
  /** At least one. */
  calculations: { expression: string; prefix?: string; suffix?: string }[]
}

/** Details of a `calc` result. */
export interface CalcToolDetails extends DetailsWithMeta {
  /** One for each expression. `fraction` is the exact value where the digits of `value` never end. */
  results: { expression: string; value: string; exact: boolean; fraction?: string }[]
}

/** Evaluates arithmetic without rounding. Codes: `invalid_arguments`, which names each expression that is wrong. */
export declare class CalcTool implements AgentTool<TypedSchema<CalcParams>, CalcToolDetails> {
  constructor(session: ToolSession)
  readonly name: 'calc'
  readonly label: 'Calc'
  readonly loadMode: 'discoverable'
  readonly strict: true
  readonly summary: string
  description: string
  parameters: TypedSchema<CalcParams>
  execute: NativeExecute<CalcParams, CalcToolDetails>
}

/** Arguments of the slot `github`, as models know them. */
export interface GithubParams {
  /** Such as `pr_view`; the host says which there are. */
  op: string
  /** `OWNER/NAME`. @default the repository of the working directory */
  repo?: string
  branch?: string
  pr?: string | number
  force?: boolean
  forceWithLease?: boolean
  title?: string
  body?: string
  base?: string
  head?: string
  draft?: boolean
  fill?: boolean
  reviewer?: string[]
  assignee?: string[]
  label?: string[]
  query?: string
  since?: string
  until?: string
  dateField?: string
  limit?: number
  run?: string | number
  tail?: number
}

/** Arguments of the slot `eval`. The first cell that fails is the last. */
export interface EvalParams {
  cells: {
    language: 'js' | 'py'
    code: string
    /** Seconds. */
    timeout?: number
    /** Forget all variables first. */
    reset?: boolean
  }[]
}

/** Arguments of the slot `lsp`. */
export interface LspParams {
  /** Such as `definition`; the host says which there are. */
  action: string
  file?: string
  /** 1-based. */
  line?: number
  /** As it stands in the line. */
  symbol?: string
  query?: string
  new_name?: string
  apply?: boolean
  /** Seconds. */
  timeout?: number
  payload?: string
}

/** Arguments of the slot `task`. */
export interface TaskParams {
  agent: string
  /** Each with a session of its own. */
  tasks: { id: string; assignment: string }[]
  spawnPlan?: string
  /** What every task needs to know. */
  context?: string
  /** JSON Schema of each result. */
  schema?: JsonSchema
}

/** What is drawn, asked for its lines with every change of the width. */
export interface ToolView {
  /** Lines of at most so many columns, East Asian characters counted as two. */
  render(width: number): string[]
  /** Draws anew: the theme has changed. */
  invalidate(): void
}

/** Colours by name: `toolTitle`, `accent`, `muted`, `dim`, `success`, `error`, `toolOutput`, `toolDiffAdded` and the like. */
export interface RenderTheme {
  fg(color: any, text: string): string
  bold?(text: string): string
}

/** How calls and results of one tool look in a terminal. Without a theme they are plain. */
export interface ToolRenderer {
  /** One line. The arguments may be half there. Also called as `(args, theme)`. */
  renderCall(args: unknown, options: RenderResultOptions | undefined, theme?: RenderTheme): ToolView
  /** A summary and some lines; expanded, all of them (at most 2,000). With the arguments, what was written is shown, too. */
  renderResult(result: AgentToolResult | Error, options: RenderResultOptions | undefined, theme?: RenderTheme, args?: unknown): ToolView
}

/** The renderers of all tools by name, also of those that a host implements. */
export declare const toolRenderers: Readonly<Record<string, ToolRenderer>>
/** The renderer of `resolve`. */
export declare const resolveToolRenderer: ToolRenderer
/** The renderer of `todo_write`. */
export declare const todoWriteToolRenderer: ToolRenderer
/** The renderer of `edit` in mode `vim`. */
export declare const vimToolRenderer: ToolRenderer

/** Lines of a command's output while it is collapsed. */
export declare const BASH_DEFAULT_PREVIEW_LINES: number

/**
 * Draws a call of any tool: by its own `renderCall` (one that declares two parameters is called as `(args, theme)`), else
 * as {@link toolRenderers} does, else by its label. A hook that fails counts as none.
 */
export declare function renderToolCall(tool: AgentTool<any, any, any> | undefined, args: unknown, options: RenderResultOptions, theme?: RenderTheme): any

/** The same for a result, whole or as far as it is there. */
export declare function renderToolResult(
  tool: AgentTool<any, any, any> | undefined,
  result: AgentToolResult | Error,
  options: RenderResultOptions,
  theme?: RenderTheme,
  args?: unknown,
): any

/** What {@link grep} searches, and for what. */
export interface GrepOptions {
  /** A regular expression of Rust's `regex`, taken exactly as it is. One that names a line break matches across lines; `\n` stands for CRLF, too. */
  pattern: string
  /** Files, directories and globs. @default ['.'] */
  paths?: string[]
  /** Where relative paths start; absolute. @default process.cwd() */
  cwd?: string
  /** Take the pattern for plain text. @default false */
  literal?: boolean
  /** @default false */
  ignoreCase?: boolean
  /** Search hidden files. @default true */
  hidden?: boolean
  /** Leave out what git ignores. `.ignore` files always count. @default true */
  gitignore?: boolean
  /** Lines before each matching one. @default 0 */
  before?: number
  /** Lines after each matching one. @default 0 */
  after?: number
  signal?: AbortSignal
}

/** One line of a file. */
export interface GrepLine {
  /** From 1. */
  number: number
  /** Without its line break; bytes that are no UTF-8 are replaced. */
  text: string
  /** Where it matches: start and end as offsets into `text`. Of a match across lines, the part in this line. */
  ranges: [number, number][]
  /** False for a line that only stands around a matching one. */
  isMatch: boolean
}

/** What {@link grep} found. */
export interface GrepResult {
  /** Files with matches, in byte order of their paths, or in the order of `paths` where all of those are files. */
  files: { path: string; lines: GrepLine[] }[]
  /** Files that were not searched. */
  skipped: { path: string; reason: 'binary' | 'oversized' | 'unreadable' }[]
  /** Directories that could not be read. */
  unreadable: string[]
  /** Entries of `paths` that lead nowhere, where others do. */
  missing: string[]
}

/**
 * Every match in files, for hosts that lay out by themselves: the engine of the `search` tool without its caps, and
 * with the pattern taken as it is. Paths are relative to `cwd` where they lie below it, with control characters as they
 * are; bytes that are no UTF-8 stand as `\xNN`.
 *
 * Codes: `invalid_arguments`, `empty_pattern`, `invalid_regex`, and those of paths as for `search`.
 */
export declare function grep(options: GrepOptions): Promise<GrepResult>

/** What {@link glob} looks for. */
export interface GlobOptions {
  /** Files, directories and globs; only a glob without a slash is matched at any depth. */
  paths: string[]
  /** Where relative paths start; absolute. @default process.cwd() */
  cwd?: string
  /** Find hidden entries. @default true */
  hidden?: boolean
  /** Leave out what git ignores. `.ignore` files always count. @default true */
  gitignore?: boolean
  /** @default 'file' */
  type?: 'file' | 'directory' | 'any'
  /** By the bytes of the paths as they are given (`a/` is behind `a.ts`), or newest first. @default 'path' */
  sort?: 'path' | 'modified'
  signal?: AbortSignal
}

/** What {@link glob} found. */
export interface GlobResult {
  /** Relative to `cwd` where they lie below it; directories end with `/`. */
  paths: string[]
  /** Directories that could not be read. */
  unreadable: string[]
  /** Entries of `paths` that lead nowhere, where others do. */
  missing: string[]
}

/**
 * Every path that matches: the engine of the `find` tool without its caps. Paths as {@link grep} gives them; codes as for `find`.
 */
export declare function glob(options: GlobOptions): Promise<GlobResult>

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

/** A text cut in the middle, with the lines that its ends really are. */
export interface ReadWindow extends TruncationResult {
  /** The side that was kept; absent: nothing was cut. */
  direction?: TruncationDirection
  shownRange?: Range
  headRange?: Range
  tailRange?: Range
  partialLine?: { line: number; bytes: number; sourceBytes: number }
  /** Both ends, where both were kept. */
  head?: string
  tail?: string
}

/** How much of a text stays; the stricter limit counts. */
export interface TruncationOptions {
  /** Whole number, may be infinite. @default DEFAULT_MAX_LINES */
  maxLines?: number
  /** UTF-8 bytes, may be infinite. @default DEFAULT_MAX_BYTES */
  maxBytes?: number
  /** Of these, for the start of a middle cut. @default half, at least 1 */
  maxHeadLines?: number
  /** Of these, for the start of a middle cut. @default half */
  maxHeadBytes?: number
  /** The side that {@link truncateContent} keeps. @default 'head' */
  direction?: TruncationDirection
}

/** The first bytes of a text. */
export interface ByteTruncationResult {
  text: string
  /** Bytes kept, of what was given. */
  bytes: number
}

/** Lines kept where nothing else is asked for. */
export declare const DEFAULT_MAX_LINES: 3000
/** Bytes kept where nothing else is asked for: 50 KiB. */
export declare const DEFAULT_MAX_BYTES: 51200
/** Bytes kept of a whole output in a file of ours: 10 MiB. */
export declare const DEFAULT_ARTIFACT_MAX_BYTES: number
/** Bytes of the end of a command's output that are shown where no setting says otherwise. */
export declare const BASH_DEFAULT_OUTPUT_TAIL_BYTES: number

/**
 * Whole lines from the start while both budgets hold. A first line above the bytes gives nothing and says so. A text
 * that fits comes back as it is, like from the functions below.
 * @throws ToolError `invalid_arguments` for another content than a text, and for negative sizes
 */
export declare function truncateHead(content: string, options?: TruncationOptions): TruncationResult

/** Whole lines from the end; of a last line above the bytes its last bytes, whole characters only. */
export declare function truncateTail(content: string, options?: TruncationOptions): TruncationResult

/**
 * Both ends with one marker line between them, such as `[… 1,148 lines elided (53.8KB) …]`. Where one end cannot hold
 * a line, the other with its share. The marker comes on top of the budgets.
 */
export declare function truncateMiddle(content: string, options?: TruncationOptions): TruncationResult

/** Like {@link truncateMiddle}, with the ranges and texts of both ends. */
export declare function truncateMiddleWindows(content: string, options?: TruncationOptions): ReadWindow

/** The side that `options.direction` names. */
export declare function truncateContent(content: string, options?: TruncationOptions): TruncationResult

/** The first bytes of a text or of bytes read as UTF-8; no character is split. */
export declare function truncateHeadBytes(data: string | Uint8Array, maxBytes: number): ByteTruncationResult

/** `17B`, `1.5KB`, `1023.9MB`: base 1024, one decimal. */
export declare function formatBytes(bytes: number): string

/** What a tool adds to the counts of a cut. */
export interface CutOptions {
  direction: TruncationDirection
  /** Line of the source that the text begins with. @default 1 */
  startLine?: number
  /** Lines of the source, where the text is a part of it. */
  totalFileLines?: number
  maxBytes?: number
  artifactId?: string
  rangeBase?: 'file' | 'window'
  noticeOwner?: 'body'
}

/** What an {@link OutputSink} took and what it shows. */
export interface OutputSummary {
  output: string
  truncated: boolean
  totalLines: number
  totalBytes: number
  outputLines: number
  outputBytes: number
  direction?: TruncationDirection
  headRange?: Range
  tailRange?: Range
  elidedLines?: number
  elidedBytes?: number
  /** Lines were cut to so many characters. */
  columnMax?: number
  artifactId?: string
}

/** Collects metadata. A cut that did not happen, a limit of 0 and an empty list of messages leave no trace. */
export declare class OutputMetaBuilder {
  truncation(result: TruncationResult, options: CutOptions): this
  truncationWindows(windows: ReadWindow, options?: Partial<CutOptions>): this
  truncationFromSummary(summary: OutputSummary, options: CutOptions): this
  /** `text` is what is shown; the totals are those of the source. */
  truncationFromText(text: string, options: CutOptions & { totalLines?: number; totalBytes?: number }): this
  /** `suggestion` is twice the limit unless given; so for the next two. */
  matchLimit(reached: number, suggestion?: number): this
  resultLimit(reached: number, suggestion?: number): this
  headLimit(reached: number, suggestion?: number): this
  limits(limits: { matchLimit?: number; resultLimit?: number; headLimit?: number; columnMax?: number }): this
  columnTruncated(maxColumn: number): this
  sourcePath(path: string): this
  sourceUrl(url: string): this
  sourceInternal(address: string): this
  diagnostics(summary: string, messages: string[]): this
  /**
   * Absent when there is nothing to tell.
   * @throws ToolError `invalid_arguments` for counts that are none
   */
  get(): OutputMeta | undefined
}

/** A builder of metadata with nothing in it. */
export declare function outputMeta(): OutputMetaBuilder

/** Collects the result of a tool; everything the metadata builder is told can be told here. */
export declare class ToolResultBuilder<D extends object = DetailsWithMeta> {
  constructor(details?: D)
  text(text: string): this
  content(blocks: (TextContent | ImageContent)[]): this
  error(isError?: boolean): this
  truncation(result: TruncationResult, options: CutOptions): this
  truncationWindows(windows: ReadWindow, options?: Partial<CutOptions>): this
  truncationFromSummary(summary: OutputSummary, options: CutOptions): this
  truncationFromText(text: string, options: CutOptions & { totalLines?: number; totalBytes?: number }): this
  matchLimit(reached: number, suggestion?: number): this
  resultLimit(reached: number, suggestion?: number): this
  headLimit(reached: number, suggestion?: number): this
  limits(limits: { matchLimit?: number; resultLimit?: number; headLimit?: number; columnMax?: number }): this
  columnTruncated(maxColumn: number): this
  sourcePath(path: string): this
  sourceUrl(url: string): this
  sourceInternal(address: string): this
  diagnostics(summary: string, messages: string[]): this
  done(): AgentToolResult<D>
}

/** A builder of a result with nothing in it but these details. */
export declare function toolResult<D extends object = DetailsWithMeta>(details?: D): ToolResultBuilder<D>

/** What stands behind a body: a blank line and one bracket, diagnostics after it. Empty when there is nothing to tell. */
export declare function formatOutputNotice(meta: OutputMeta | undefined): string

/** A text without exactly that; blanks behind it are ignored. */
export declare function stripOutputNotice(text: string, meta: OutputMeta | undefined): string

/** The words for a cut, without brackets. */
export declare function formatTruncationMetaNotice(truncation: TruncationMeta): string

/** Where a text that was cut stood in its file. */
export interface HeadTruncationNoticeOptions {
  startLine?: number
  totalFileLines?: number
}

/** The closing notice of a text cut by {@link truncateHead}; empty for an uncut one. */
export declare function formatHeadTruncationNotice(truncation: TruncationResult, options?: HeadTruncationNoticeOptions): string

/** Where a whole output is, and how much of it is missing even there. */
export declare function formatArtifactReference(artifactId: string, artifactTruncatedBytes?: number): string

/** What the styled forms ask of a theme. */
export interface NoticeTheme {
  fg(color: any, text: string): string
}

/** {@link formatArtifactReference} in the colour `muted`. */
export declare function formatStyledArtifactReference(artifactId: string, theme: NoticeTheme): string

/** The words for a cut in brackets, in the colour `warning`; null where nothing was cut. */
export declare function formatStyledTruncationWarning(meta: OutputMeta | undefined, theme: NoticeTheme): string | null

/** The limits of a list; the smaller one counts. */
export interface ListLimitOptions {
  /** The tool's own limit. */
  limit?: number
  /** What the caller asked for. */
  headLimit?: number
  /** What `limit` counts. @default 'result' */
  limitType?: 'match' | 'result'
}

/** What is left of a list, and which limit cut it. */
export interface ListLimitResult<T> {
  items: T[]
  limitReached?: number
  headLimitReached?: number
  /** For `details.meta.limits`. */
  meta: { matchLimit?: Limit; resultLimit?: Limit; headLimit?: Limit }
}

/** The first items of a list, and which limits it exceeds; a limit of 0 is none. */
export declare function applyListLimit<T>(items: T[], options?: ListLimitOptions): ListLimitResult<T>

/** The last bytes of a growing text, whole characters only. */
export declare class TailBuffer {
  constructor(maxBytes: number)
  append(text: string): void
  text(): string
  bytes(): number
}

/** Appends each piece to the buffer and sends what it shows. */
export declare function streamTailUpdates<TDetails, TInput = unknown>(
  tailBuffer: TailBuffer,
  onUpdate: AgentToolUpdateCallback<TDetails, TInput> | undefined,
): (chunk: string) => void

/** How much of an output a sink keeps, and where the whole of it goes. */
export interface OutputSinkOptions {
  /** Bytes kept of the end. @default spillThreshold, else DEFAULT_MAX_BYTES */
  tailBytes?: number
  /** The same by the name that existing agents give it. */
  spillThreshold?: number
  /** Bytes kept of the start. @default 0 */
  headBytes?: number
  /** Characters of a line; 0: any number. @default 0 */
  maxColumns?: number
  /** Called with the text of each piece; pieces within `chunkThrottleMs` of the last call are not reported. */
  onChunk?: (chunk: string) => void
  chunkThrottleMs?: number
  /** Where the host keeps the whole output already. */
  artifactId?: string
  /** Keeps the whole output, up to DEFAULT_ARTIFACT_MAX_BYTES, when a part of it is not shown; gives its id. */
  save?: (text: string) => Promise<string | undefined>
}

/** Takes an output piece by piece; memory does not grow with it, except for `save`, within its bound. */
export declare class OutputSink {
  constructor(options?: OutputSinkOptions)
  /** Bytes may end in the middle of a character. */
  push(chunk: string | Uint8Array): void
  createInput(): WritableStream<string | Uint8Array>
  /** What is shown, below `notice` in brackets where it is given. */
  dump(notice?: string): Promise<OutputSummary>
}

/** `tools.artifactHeadBytes` (KiB) in bytes. @default 0 */
export declare function resolveBashOutputSinkHeadBytes(settings: SettingsLike): number
/** `tools.artifactTailBytes` (KiB) in bytes. @default BASH_DEFAULT_OUTPUT_TAIL_BYTES */
export declare function resolveBashOutputSinkTailBytes(settings: SettingsLike): number
/** `tools.artifactHeadBytes` (KiB) in bytes. @default 20 KiB */
export declare function resolveOutputSinkHeadBytes(settings: SettingsLike | undefined): number
/** `tools.outputMaxColumns`; 0: no cap. @default 768 */
export declare function resolveOutputMaxColumns(settings: SettingsLike | undefined): number

/**
 * Makes `execute` cut results that are too long, append the closing notice of `details.meta` to the last text block, and
 * throw errors whose message is the rendered one. Changes and returns the same object; wrapping twice does nothing.
 *
 * A result above `tools.artifactSpillThreshold` KiB is kept whole by `session.artifacts`, else in a folder beside the
 * session's file (`chat.jsonl` → `chat/0.bash.log`), and cut to its ends; with neither it stays as it is.
 * `tools.maxInlineResultBytes` KiB bound it in any case. Blocks keep their places.
 * @param session absent: the tool's own `session` member; without one nothing is cut
 * @throws ToolError `invalid_arguments` for an object without `execute`
 */
export declare function wrapToolWithMetaNotice<T extends AgentTool<any, any, any>>(tool: T, session?: ToolSession): T

// ── Schemas and arguments ────────────────────────────────────────────────────────────────────────────────────────────

/** The property in which a model says why it calls. */
export declare const INTENT_FIELD: '_i'

/** One fault of a value. */
export interface JsonSchemaValidationIssue {
  /** Where; empty for the whole value. */
  path: (string | number)[]
  /** What was expected and what came. Short, whatever the value is. */
  message: string
  /** The types that would do, if the type is wrong. */
  expectedTypes?: string[]
  /** The keyword that refused; the library's own code for schemas of a library. */
  keyword?: string
}

/** One change made to arguments. Changes follow one another: a path is one of the arguments as changed so far. */
export type ArgumentRepair =
  | {
      path: (string | number)[]
      /** A key nobody knows, or a null that means "not given". */
      action: 'removed'
      removed: unknown
    }
  | {
      path: (string | number)[]
      /** The text was read as the value it stands for; or the schema's default was put in. */
      action: 'converted' | 'default'
      value: unknown
      /** Text behind the value that was left out. */
      dropped?: string
    }

/** Arguments were refused; nothing ran. Its `code` is `invalid_arguments`. */
export declare class ToolArgumentError extends ToolError {
  constructor(
    message: string,
    facts: { issues: JsonSchemaValidationIssue[]; original: unknown; normalized?: unknown; intent?: string; rejection?: string },
    options?: ErrorOptions,
  )
  /** Empty where the tool's own `rawArgumentValidation` refused. */
  readonly issues: JsonSchemaValidationIssue[]
  /** The arguments as they came, without the intent field. */
  readonly original: unknown
  /** The arguments as far as they were repaired, if they were. */
  readonly normalized?: unknown
  /** What the call was for. */
  readonly intent?: string
}

/** Arguments ready for `execute`. */
export interface PreparedArguments {
  arguments: any
  /** What the call is for: the model's words, else what the tool's `intent` function says. */
  intent: string | undefined
  /** What was changed; empty for most calls. */
  repairs: ArgumentRepair[]
}

/**
 * The arguments of a call as its tool takes them: intent taken out, the tool's own look, judged, repaired where the meaning
 * is beyond doubt. What already fits is never touched, and the call's object never changed.
 * @throws {ToolArgumentError}
 */
export declare function prepareToolArguments(
  tool: Tool<any>,
  toolCall: Pick<ToolCall, 'arguments'>,
  options?: {
    /** Takes out the intent field. @default false */
    intentTracing?: boolean
  },
): PreparedArguments

/**
 * The arguments of a call, judged and repaired. The call's own object where nothing had to change.
 * @throws {ToolArgumentError}
 */
export declare function validateToolArguments(tool: Tool<any>, toolCall: Pick<ToolCall, 'arguments'>): Record<string, any>

/**
 * The same for the tool of that name or wire name.
 * @throws {ToolArgumentError}
 * @throws {ToolError} `unknown_tool`
 */
export declare function validateToolCall(tools: Iterable<Tool<any>>, toolCall: Pick<ToolCall, 'name' | 'arguments'>): Record<string, any>

/** What does not fit a schema of any draft. Nothing is repaired, fetched or thrown; `format` is an annotation. */
export declare function validateJsonSchemaValue(schema: unknown, value: unknown): { success: boolean; issues: JsonSchemaValidationIssue[] }

/** Whether a value fits. */
export declare function isJsonSchemaValueValid(schema: unknown, value: unknown): boolean

/** A schema in draft 2020-12; the same object where nothing had to change. */
export declare function upgradeJsonSchemaTo202012<T>(schema: T): T | JsonSchema

/** Whether a value is a zod 4 schema that can parse. */
export declare function isZodSchema(value: unknown): boolean

/** The wire form of a zod 4 schema. Frozen. */
export declare function zodToWireSchema(schema: TSchema): JsonSchema

/**
 * The same in the form that providers enforce with `strict`: every object closed, every property required, what may be
 * absent nullable, no bounds. A null that comes in place of what may be absent counts as its absence. Nothing where a
 * schema has no such form (it takes open maps or any value): such a tool is sent without `strict`. Frozen.
 */
export declare function strictToolSchema(tool: Pick<Tool<any>, 'parameters' | 'parametersVersion'>): JsonSchema | undefined

/** The JSON Schema that a model is given for a tool: draft 2020-12, an object at the root. Frozen. */
export declare function toolWireSchema(
  tool: Pick<Tool<any>, 'parameters' | 'parametersVersion'>,
  options?: {
    /** Any name: the root is then flattened, since providers refuse unions there. Calls are judged by the union. */
    provider?: string
  },
): JsonSchema

/**
 * What models are told of tools, and nothing else of them. With the intent field in front, unless the tool's policy is
 * `omit` or a function or `PI_NO_INTENT` is 1.
 */
export declare function normalizeTools(tools: Iterable<AgentTool<any, any, any>>, injectIntent: boolean): Tool[]
export declare function normalizeTools(tools: Iterable<AgentTool<any, any, any>> | undefined, injectIntent: boolean): Tool[] | undefined

/** A piece of a streamed call. It belongs to the call of its index, else of its id, else to the last one. */
export type ToolCallDelta =
  | readonly [index: number, text: string]
  | {
      index?: number
      id?: string | null
      name?: string | null
      /** A piece of JSON text, or all arguments at once. */
      arguments?: string | Record<string, unknown> | null
      /** Where a provider nests name and arguments. */
      function?: { name?: string | null; arguments?: string | null }
    }

/** Calls from their pieces. A call whose arguments did not end is marked `incompleteArguments` and has none. */
export declare function assembleToolCallDeltas(deltas: Iterable<ToolCallDelta>): ToolCall[]

// ── 6. Tool choice ───────────────────────────────────────────────────────────────────────────────────────────────────
//
// What a model is told to call. Bad input throws ToolError `invalid_arguments`, which names the argument, and changes
// nothing. What refusals taught is shared by all workers of the process.

/** What a model is told: to decide itself, to call nothing, to call something (`any` or `required`), or one tool. */
export type ToolChoice =
  | 'auto'
  | 'none'
  | 'any'
  | 'required'
  | { type: 'function'; name: string }
  | { type: 'function'; function: { name: string } }
  | { type: 'tool'; name: string }

/** What a model honours; each level includes the ones before it. */
export type ToolChoiceSupport = 'none' | 'auto' | 'required' | 'named'

/** Where the support is known from: stated, concluded from flags, or learnt from a refusal. */
export type ToolChoiceSupportSource = 'static' | 'derived' | 'runtime'

/** What a model's description says of tool choice. */
export interface ToolChoiceCompat {
  /** The level, stated outright; the flags do not count then. */
  toolChoiceSupport?: ToolChoiceSupport
  /** False: no tool choice at all. */
  supportsToolChoice?: boolean
  /** False: no forcing. @default false for Claude models known to refuse it, else true */
  supportsForcedToolChoice?: boolean
}

/** A model as far as tool choice is concerned. */
export interface ModelLike {
  /** Such as `anthropic-messages`. */
  api: string
  /**
   * Who serves it. `llama.cpp`, `LM Studio` and `ollama` are known to take no choice by name; `deepseek`, `dashscope`,
   * `moonshot` and Claude through `openrouter` no forced one while the model thinks. A stated support goes before that.
   */
  provider: string
  baseUrl: string
  id: string
  /** The id that the provider knows, where it differs. */
  wireModelId?: string
  compat?: ToolChoiceCompat
  /** Whatever else the host keeps here. */
  [key: string]: any
}

/** Why a choice is not sent as it was asked for. */
export type ToolChoiceReasonCode = 'unsupported' | 'named_to_required' | 'forced_unsupported' | 'thinking'

/** What becomes of a tool choice. */
export interface ResolveToolChoiceResult {
  requestedChoice: ToolChoice | undefined
  requestedLevel: ToolChoiceSupport
  /** What to send; absent: nothing. */
  resolvedChoice: ToolChoice | undefined
  resolvedLevel: ToolChoiceSupport
  support: ToolChoiceSupport
  supportSource: ToolChoiceSupportSource
  /** Less than was asked for. */
  degraded: boolean
  /** For people. */
  reason?: string
  reasonCode?: ToolChoiceReasonCode
  /** See {@link toolChoiceRegistryKey}. */
  registryKey: string
  /** The tool that a named request means. */
  targetToolName?: string
}

/** A choice that names one tool. */
export interface NamedToolChoiceResult {
  /** There only if the model will call exactly this tool. */
  choice: ToolChoice | undefined
  exactNamed: boolean
  /** Absent where the API cannot be asked. */
  resolved?: ResolveToolChoiceResult
}

/** The support that a description means. */
export declare function deriveToolChoiceSupport(compat: ToolChoiceCompat | undefined): {
  support: ToolChoiceSupport
  source: 'static' | 'derived'
}

/**
 * What becomes of a choice on a model: sent as it is, lowered to what the model honours, or left out.
 * @param compat replaces the model's own
 */
export declare function resolveToolChoice(
  model: ModelLike,
  requested: ToolChoice | undefined,
  compat?: ToolChoiceCompat,
): ResolveToolChoiceResult

/** A choice of one tool in the shape of the model's API. */
export declare function buildNamedToolChoiceResult(toolName: string, model?: ModelLike): NamedToolChoiceResult

/** The older form: the exact choice, else what is left of it, which may be `required`. */
export declare function buildNamedToolChoice(toolName: string, model?: ModelLike): ToolChoice | undefined

/** The key that refusals of a model are remembered by: api, provider, base URL and wire id. */
export declare function toolChoiceRegistryKey(model: ModelLike): string

/** The level that refusals left a model, if any was recorded. */
export declare function getToolChoiceCapabilityOverride(model: ModelLike): ToolChoiceSupport | undefined

/**
 * Records that a model honours no more than a level. Only ever lowers.
 * @param reason for the caller's own log
 */
export declare function markToolChoiceIncapability(model: ModelLike, maxSupport: ToolChoiceSupport, reason?: string): void

/** Forgets every recorded level, in all workers. */
export declare function clearToolChoiceIncapabilityRegistryForTests(): void

/**
 * Whether an error with status 400 says, in the documented words, that a forced choice is not supported. A wrong tool
 * name is no such error. {@link classifyToolChoiceRefusal} knows more.
 */
export declare function isForcedToolChoiceUnsupportedError(error: unknown, sentForcedToolChoice: boolean): boolean

/** Whether a Claude model of this id is known to refuse every forced choice. */
export declare function isClaudeForcedToolChoiceIncapableModelId(modelId: string): boolean

/** What a provider's refusal says. */
export interface ToolChoiceRefusal {
  /**
   * `incapable`: the level is not to be had; `bad_name`: the name is none of the request's tools; `bad_shape`: the value
   * has the wrong form; `model_missed`: the model did not do what it was told; `over_budget`: perhaps too many
   * declarations for a forced call (fewer of them, then `auto`); `other`: it is about something else.
   */
  kind: 'incapable' | 'bad_name' | 'bad_shape' | 'model_missed' | 'over_budget' | 'other'
  /** How far it reaches. */
  scope: 'model' | 'thinking' | 'manual_thinking' | 'server' | 'route' | 'tool_set' | 'request' | 'turn'
  /** The level that remains, for `incapable`. */
  cap?: ToolChoiceSupport
  /** A level that the refusal does not rule out: worth one try before `cap`. */
  tryFirst?: ToolChoiceSupport
  /** `cap` holds for every later request of the model. */
  lasting: boolean
}

/**
 * Reads a refusal: status, message, body and two causes of the error.
 * @param sent the choice of the request; absent: a named one
 */
export declare function classifyToolChoiceRefusal(error: unknown, sent?: ToolChoice): ToolChoiceRefusal

/** Reads a refusal and records what is lasting of it. What is not goes into the `compat` of the next plan. */
export declare function recordToolChoiceRefusal(model: ModelLike, error: unknown, sent?: ToolChoice): ToolChoiceRefusal

/** A tool as requests know it. */
export interface WireTool {
  name: string
  customFormat?: unknown
  customWireName?: string
}

/** The tools beside a choice. A choice that they cannot meet maps to nothing. */
export interface WireToolOptions {
  tools?: readonly WireTool[]
  /** The model takes tools with a format of their own. @default false */
  freeformTools?: boolean
}

/** `tool_choice` of Chat Completions. What is no choice maps to nothing, here and below. */
export declare function mapToOpenAICompletionsToolChoice(
  choice?: ToolChoice,
): 'auto' | 'none' | 'required' | { type: 'function'; function: { name: string } } | undefined

/** `tool_choice` of Responses; `custom` for a tool with a format of its own where the model takes such. */
export declare function mapToOpenAIResponsesToolChoice(
  choice?: ToolChoice,
  options?: WireToolOptions,
): 'auto' | 'none' | 'required' | { type: 'function' | 'custom'; name: string } | undefined

/** The choice of Anthropic's Messages. */
export declare function mapToAnthropicToolChoice(
  choice?: ToolChoice,
): 'auto' | 'none' | 'any' | { type: 'tool'; name: string } | undefined

/**
 * `toolConfig.toolChoice` of Bedrock's Converse. Nothing for `none`, which it has no word for: leave `toolConfig` out,
 * unless the history holds tool blocks, which need it.
 */
export declare function mapToBedrockToolChoice(
  choice?: ToolChoice,
  options?: WireToolOptions,
): { auto: {} } | { any: {} } | { tool: { name: string } } | undefined

/** `toolConfig.functionCallingConfig` of Gemini. A named choice is ANY with that one name allowed. */
export declare function mapToGoogleToolChoice(
  choice?: ToolChoice,
  options?: WireToolOptions,
): { mode: 'AUTO' | 'NONE' | 'ANY'; allowedFunctionNames?: string[] } | undefined

/** The choice of Ollama and the tools to offer with it, since it may ignore the word and knows no names. */
export declare function mapToOllamaToolChoice<T extends WireTool>(
  choice: ToolChoice | undefined,
  tools: readonly T[],
): { toolChoice?: 'none' | 'required'; tools: T[] }

/** The same for servers with OpenAI's words and no objects, such as llama.cpp and LM Studio. */
export declare function mapToWordsToolChoice<T extends WireTool>(
  choice: ToolChoice | undefined,
  tools: readonly T[],
): { toolChoice?: 'auto' | 'none' | 'required'; tools: T[] }

/** Whether a value forces a call: a choice, or what a provider is sent for one. Never throws. */
export declare function isForcedToolChoice(choice: unknown): boolean

/** What else decides on a request. */
export interface PlanToolChoiceOptions {
  /** Replaces the model's own. */
  compat?: ToolChoiceCompat
  /** Whether the request lets the model think, and whether with a budget of the caller's. @default 'off' */
  thinking?: 'off' | 'manual' | 'adaptive'
  /** The model takes tools with a format of their own. @default false */
  freeformTools?: boolean
  /** The conversation holds calls or results of tools. @default false */
  toolsInHistory?: boolean
}

/** A request as far as tool choice is concerned. */
export interface ToolChoicePlan<T extends WireTool> {
  /** The provider's own field, in its form; absent: it is left out. */
  toolChoice?: any
  /** The tools to offer. */
  tools: T[]
  /** A call, if one comes, is a call of the tool that was named. */
  exactNamed: boolean
  resolved: ResolveToolChoiceResult
  /** To be said to the model, where it is not forced. */
  reminder?: string
}

/**
 * Everything about tool choice for one request. A model that must call and sees one tool calls that one: so a name is
 * exact even where the API has no form for it. A forced call and thinking with a budget never go to Anthropic together.
 */
export declare function planToolChoice<T extends WireTool>(
  model: ModelLike,
  requested: ToolChoice | undefined,
  tools: readonly T[],
  options?: PlanToolChoiceOptions,
): ToolChoicePlan<T>

/** A choice in the queue of {@link ToolChoiceQueue}, with what its owner is told. */
export interface ToolChoiceDirective {
  generator: Iterator<ToolChoice>
  label: string
  callbacks: DirectiveCallbacks
}

/** Whom a followed choice is told to. */
export interface ResolveInfo {
  choice: ToolChoice
}

/** Why a choice was not followed. */
export interface RejectInfo {
  choice: ToolChoice
  reason: 'aborted' | 'error' | 'cleared' | 'removed'
}

/** Whether a rejected choice comes back. */
export type RejectOutcome = 'requeue' | 'drop'

/** What the owner of a directive is told. */
export interface DirectiveCallbacks {
  onResolved?: (info: ResolveInfo) => void
  /** `requeue` brings the choice back, at most three times; not after `cleared` and `removed`. */
  onRejected?: (info: RejectInfo) => RejectOutcome | undefined | void
  /** What a forced call goes to. */
  onInvoked?: Invoker
}

/** How a directive is queued. */
export interface PushOptions extends DirectiveCallbacks {
  /** Before everything else. @default false */
  now?: boolean
  /** @default 'anonymous' */
  label?: string
}

/** A choice that the queue gave up by itself. */
export interface DroppedDirective {
  label: string
  choice: ToolChoice
  reason: string
}

/** A generator of one choice. */
export declare function onceGen(choice: ToolChoice): Generator<ToolChoice, void, unknown>

/**
 * Tool choices for the coming model calls. At most one is in flight, and pulling again returns the same one until it is
 * resolved, rejected, degraded, removed or cleared. Labels are those given at the push, also of what was requeued.
 */
export declare class ToolChoiceQueue {
  pushOnce(choice: ToolChoice, options?: PushOptions): void
  /** One choice for each of the coming calls. */
  pushSequence(choices: ToolChoice[], options?: PushOptions): void
  /** Whatever the iterable yields. One that throws while it is pulled stays queued. */
  push(generator: Iterable<ToolChoice>, options?: PushOptions): void
  /** The choice for the coming call, in flight from now on. */
  nextToolChoice(): ToolChoice | undefined
  /** The choice in flight was followed. */
  resolve(): void
  /** The choice in flight was not followed. */
  reject(reason: RejectInfo['reason']): void
  /** The choice in flight cannot be sent: its directive goes with all its values. Returns its label. */
  degradeInFlight(reason?: string): string | undefined
  get hasInFlight(): boolean
  peekInFlightInvoker(): Invoker | undefined
  /** Removes every directive of a label; one in flight is rejected and does not come back. */
  removeByLabel(label: string): void
  /** Removes what waits under an invoker; nobody is told, and what is in flight stays there. */
  removeByInvoker(invoker: Invoker): void
  /** Removes everything; what is in flight is rejected. */
  clear(): void
  /** The label of the last choice that was followed; told once. */
  consumeLastServedLabel(): string | undefined
  /** The last choice that was degraded or came back too often, and why; told once. */
  consumeLastDropped(): DroppedDirective | undefined
  /** The labels of what waits; a directive stays listed until it is found to have no more values. */
  inspect(): readonly string[]
}

/** A queue that a host brings: the members of older queues suffice. */
export type ToolChoiceQueueLike = Omit<ToolChoiceQueue, 'removeByInvoker' | 'consumeLastDropped'> &
  Partial<Pick<ToolChoiceQueue, 'removeByInvoker' | 'consumeLastDropped'>>

/** What one turn's choice is made of. */
export interface TurnToolChoiceInput<T extends WireTool> extends PlanToolChoiceOptions {
  model: ModelLike
  /** The active tools. */
  tools: readonly T[]
  queue?: ToolChoiceQueueLike
  /** The session's own choice, where the queue has none. Left out if it names a tool that is not active. */
  staticChoice?: ToolChoice
}

/** The plan of one turn. */
export interface TurnToolChoicePlan<T extends WireTool> extends ToolChoicePlan<T> {
  source: 'queue' | 'static'
  /** The label of a directive that could not be sent and was given up. */
  degradedLabel?: string
  degradedReason?: string
}

/**
 * The plan of an ordinary model call. Takes a choice from the queue; one that names a tool that is not active, or that
 * the model cannot be made to call, is degraded. Planning again while it is in flight plans the same choice.
 */
export declare function planTurnToolChoice<T extends WireTool>(input: TurnToolChoiceInput<T>): TurnToolChoicePlan<T>

/**
 * The outcome of a turn, told once its tools have run: `error` and `aborted` reject, everything else counts as followed,
 * also a call that the user denied.
 */
export declare function finishTurnToolChoice(queue: ToolChoiceQueueLike, stopReason?: string): void

/**
 * Makes the next turn call a tool, and the one after it none, under the label `user-force`.
 * @throws ToolError `tool_unavailable` for a tool that is not active, and for a model that cannot be made to call it
 */
export declare function forceToolForUser<T extends WireTool>(
  queue: ToolChoiceQueueLike,
  toolName: string,
  session: { model: ModelLike; tools: readonly T[] },
): void

// ── 7. Pending previews ──────────────────────────────────────────────────────────────────────────────────────────────

/** What a tool stages. */
export interface PendingResolveOptions {
  /** What the preview is, for people and for the model. */
  label: string
  sourceToolName: string
  /** Carries the preview out. If it rejects, the preview waits again. */
  apply(reason: string, extra?: Record<string, unknown>): Promise<AgentToolResult<unknown>>
  /** Drops it. @default nothing is done */
  reject?(reason: string, extra?: Record<string, unknown>): Promise<AgentToolResult<unknown> | undefined>
  /** Details for the result, where apply or reject give none. */
  details?: unknown
}

/** Arguments of `resolve`. */
export interface ResolveParams {
  action: 'apply' | 'discard'
  /** Why, in one sentence. */
  reason: string
  /** More for the tool that staged the preview. */
  extra?: Record<string, unknown>
}

/** Details of a `resolve` result. */
export interface ResolveToolDetails {
  action: 'apply' | 'discard'
  reason: string
  extra?: Record<string, unknown>
  sourceToolName?: string
  label?: string
  sourceResultDetails?: unknown
  /** Those of the source's result, whose text this is. */
  notices?: ToolNotice[]
}

/**
 * Stages a preview: the next turn is asked for `resolve` where the model can be asked for exactly that, and the model is
 * reminded. Previews wait on a stack of the session, newest first, and each is settled once.
 */
export declare function queueResolveHandler(session: ToolSession, options: PendingResolveOptions): void

/** Forgets the previews of a session without settling them, as when its conversation ends. */
export declare function clearPendingPreviews(session: ToolSession): void

/**
 * Applies or discards, and gives the result the details of `resolve`. Knows nothing of stacks.
 *
 * Codes: `apply_failed` with the cause, for errors of apply or reject that are neither a ToolError nor an abort.
 */
export declare function runResolveInvocation(
  params: ResolveParams,
  options: PendingResolveOptions & { onApplyError?(error: unknown): void },
): Promise<AgentToolResult<ResolveToolDetails>>

/**
 * Applies or discards a preview: that of the directive in flight, else the newest, else the session's standing handler.
 *
 * Codes: `no_pending_action`, `apply_failed`, and those of the tool that staged the preview.
 */
export declare class ResolveTool implements AgentTool<TypedSchema<ResolveParams>, ResolveToolDetails> {
  constructor(session: ToolSession)
  readonly name: 'resolve'
  readonly label: 'Resolve'
  readonly hidden: true
  readonly strict: true
  description: string
  parameters: TypedSchema<ResolveParams>
  intent: (args: Partial<ResolveParams>) => string
  execute: NativeExecute<ResolveParams, ResolveToolDetails>
}

// ── 8. A session of ours ─────────────────────────────────────────────────────────────────────────────────────────────

/**
 * What a session starts from. Members of {@link ToolSession} that a host gives take the place of ours.
 *
 * Custom tools are active at the start, unless their load mode is `discoverable`; those and MCP bridges wait to be found
 * where discovery is on. Members are read as own properties.
 */
export interface ToolSessionOptions extends Partial<ToolSession> {
  /** Absolute. */
  cwd: string
  settings: SettingsLike
  /** Absent or empty: every tool whose gate is open. */
  toolNames?: string[]
  /** Tools beside those of the registry. A name that is taken is refused. */
  tools?: AgentTool<any, any, any>[]
  /** Tools of modules; always active at the start. Refused like `tools` where a name is taken. */
  customTools?: readonly LoadedCustomTool[]
  /** Lets `tools` and `customTools` replace tools of the registry that have their names. @default false */
  allowOverride?: boolean
  facts?: HostFacts
  /** For tool choice. */
  model?: ModelLike
  alwaysActiveToolNames?: readonly string[]
  mandatoryMcpToolNames?: readonly string[]
  exactMcpConfig?: { toolNames: readonly string[] }
  /** Selections of an earlier session. */
  persisted?: { mcp?: readonly string[]; builtins?: readonly string[] }
  /** Called after the active set changed. */
  onActiveToolsChanged?: (active: AgentTool<any, any, any>[]) => void
}

/**
 * Builds a session with its tools: registry, active list, discovery, tool-choice queue and preview handlers in one
 * object, so that a host writes none of them. Errors: those of {@link createTools} and {@link partitionInitialTools}.
 */
export declare function createToolSession(options: ToolSessionOptions): Promise<ManagedToolSession>

/** What one turn adds to what the session knows. */
export interface TurnOptions extends PlanToolChoiceOptions {
  /** The caller's own choice, where the queue has none. */
  staticChoice?: ToolChoice
}

/** One call of {@link ManagedToolSession.runCall}. */
export interface RunCallOptions {
  /** As SDKs give it: null is none. */
  signal?: AbortSignal | null
  onUpdate?: AgentToolUpdateCallback
  hooks?: ToolBatchHooks
}

/** See {@link createToolSession}, the only way to one. */
export declare class ManagedToolSession implements ToolSession {
  private constructor()
  [key: string]: any
  cwd: string
  hasUI: boolean
  settings: SettingsLike
  getSessionFile: () => string | null
  getSessionSpawns: () => string | null
  model?: ModelLike

  /** Every tool, active or not, in registration order. */
  get registry(): ReadonlyMap<string, AgentTool<any, any, any>>
  /** The tools to send with the next model call, in order. */
  getActiveTools(): AgentTool<any, any, any>[]
  getActiveToolNames(): string[]
  /** Adds tools; MCP bridges wait to be found where discovery is on, others become active. */
  addTools(tools: AgentTool<any, any, any>[]): void
  /** Removes tools; unknown names are ignored. */
  removeTools(names: string[]): void
  /** Replaces the active set by the registered tools among the names (case does not matter); returns the active names. */
  setActiveTools(names: string[]): string[]

  isToolDiscoveryEnabled(): boolean
  getDiscoverableTools(filter?: { source?: DiscoverableToolSource }): DiscoverableTool[]
  /** Kept true as tools come, go and are activated. */
  getDiscoverableToolSearchIndex(): DiscoverableToolSearchIndex
  getSelectedDiscoveredToolNames(): string[]
  /** Activates found tools before the next model call; returns the names that were not active before. */
  activateDiscoveredTools(names: string[]): Promise<string[]>

  getToolChoiceQueue(): ToolChoiceQueue
  buildToolChoice(toolName: string): ToolChoice | undefined
  /** Exact also where the API has no form for a name, but {@link planTurn} can narrow the tools. */
  buildToolChoiceResult(toolName: string): NamedToolChoiceResult
  /** What to send with the next model call; see {@link planTurnToolChoice}. Needs `options.model`. */
  planTurn(options?: TurnOptions): TurnToolChoicePlan<AgentTool<any, any, any>>
  /** See {@link finishTurnToolChoice}. */
  finishTurn(stopReason?: string): void
  /** At the end of a run: a choice that is still in flight was aborted. */
  finishRun(): void
  /** See {@link forceToolForUser}. Needs `options.model`. */
  forceTool(toolName: string): void

  /**
   * Runs one call of an active tool: arguments validated and repaired (JSON text is arguments, too), every failure a
   * result, no text without words (`(empty)`, since providers refuse them). For hosts whose SDK has a loop of its own; calls
   * that come together run side by side, an exclusive one alone in its turn. Not to be awaited by a tool that runs in this way.
   */
  runCall(call: { id: string; name: string; arguments: unknown }, options?: RunCallOptions): Promise<ToolResultMessage>

  peekQueueInvoker(): Invoker | undefined
  peekStandingResolveHandler(): Invoker | undefined
  setStandingResolveHandler(handler: Invoker | null): void
  /** Keeps a reminder for the next model call, unless `options.steer` takes it. */
  steer(message: { customType: string; content: string; details?: unknown }): void
  /** What custom tools are told; members of the host such as `abort` are handed on. */
  getCustomToolContext(): CustomToolContext
  /** The reminders since the last call. */
  takeReminders(): { customType: string; content: string; details?: unknown }[]
}

/** Details of `search_tool_bm25`. */
export interface SearchToolBm25Details {
  query: string
  limit: number
  /** Tools that could be found before this call. */
  total_tools: number
  activated_tools: string[]
  /** Every selected tool that is active now. */
  active_selected_tools: string[]
  tools: {
    name: string
    label: string
    /** The summary. */
    description: string
    server_name?: string
    mcp_tool_name?: string
    schema_keys: string[]
    /** Rounded to 6 decimals. */
    score: number
  }[]
}

/** Arguments of `search_tool_bm25`. */
export interface SearchToolBm25Params {
  query: string
  /** 1 or more. @default 8 */
  limit?: number
}

/**
 * Finds tools that are not active and activates the best.
 *
 * Codes: `tool_unavailable` (no hooks, or discovery is off), `invalid_arguments` (`query`, `limit`).
 */
export declare class SearchToolBm25Tool implements AgentTool<TypedSchema<SearchToolBm25Params>, SearchToolBm25Details> {
  /** Null where discovery is off or the session has no hooks for it. */
  static createIf(session: ToolSession): SearchToolBm25Tool | null
  constructor(session: ToolSession)
  readonly name: 'search_tool_bm25'
  readonly label: 'SearchTools'
  readonly loadMode: 'essential'
  readonly strict: true
  description: string
  parameters: TypedSchema<SearchToolBm25Params>
  execute: NativeExecute<SearchToolBm25Params, SearchToolBm25Details>
}

/** The text a model reads about `search_tool_bm25`; the same through a session. */
export declare function renderSearchToolBm25Description(): string

// ── 9. Tool calls ────────────────────────────────────────────────────────────────────────────────────────────────────

/** A message of a conversation. What a host adds to it is kept. */
export interface AgentMessage {
  role: string
  [key: string]: any
}

/** What a model answered. */
export interface AssistantMessage extends AgentMessage {
  role: 'assistant'
  /** Texts and {@link ToolCall}s; other blocks are left alone. */
  content: any[]
  /** `error` and `aborted` keep every call from running; a run ends with them. Words of providers may stand here. */
  stopReason?: string
  /** Of the provider; told with each call that did not run. */
  errorMessage?: string
  timestamp?: number
}

/** The result of one call, as the conversation has it. */
export interface ToolResultMessage extends AgentMessage {
  role: 'toolResult'
  toolCallId: string
  /** The name that the model used. */
  toolName: string
  content: (TextContent | ImageContent)[]
  /** `failureKind` of a failed call is a {@link ToolFailureKind}; `argumentRepairs` says what was taken from arguments. */
  details?: any
  isError: boolean
  timestamp: number
}

/** Why a call failed: its arguments, the call itself (also an unknown tool), or a hook that blocked it. */
export type ToolFailureKind = 'argument_validation' | 'execution' | 'blocked'

/** The place of a call among those of its message. */
export interface ToolCallContext {
  /** Time of the message and id of its first call. */
  batchId: string
  index: number
  total: number
  /** Frozen: the calls share it. */
  toolCalls: { id: string; name: string }[]
}

/** What `beforeToolCall` decides. */
export interface BeforeToolCallResult {
  /** The call does not run. @default false */
  block?: boolean
  /** Told to the model. */
  reason?: string
}

/** What `afterToolCall` replaces; an absent part stays. */
export interface AfterToolCallResult {
  content?: (TextContent | ImageContent)[]
  /** `null` is a value like any other. */
  details?: unknown
  isError?: boolean
}

/** What hooks are told of a call. */
export interface ToolCallHookContext {
  assistantMessage: any
  /** A copy. */
  toolCall: ToolCall
  /** A copy, the same for both hooks. */
  args: Record<string, unknown>
  /** Whatever the caller of the batch passed; in {@link runAgentTurns} the messages so far and the tools. */
  context: any
}

/**
 * The host's part in a batch. A hook about one call that throws makes that call fail. Where `getSteeringMessages` or
 * `emit` throws, the batch comes to its end and then rejects with that error.
 */
export interface ToolBatchHooks {
  /** Models state their intent in `_i`, which no tool sees. @default false */
  intentTracing?: boolean
  /** `immediate` asks for messages of the user after every call, `wait` never during a batch. @default 'immediate' */
  interruptMode?: 'immediate' | 'wait'
  /** Messages that arrived meanwhile. Who asks takes them. */
  getSteeringMessages?: () => Promise<unknown[] | undefined> | unknown[] | undefined
  /** What a tool gets as its last argument. */
  getToolContext?: (call?: ToolCallContext) => AgentToolContext | undefined
  /** Changes what a tool receives; hooks keep seeing what was there before. */
  transformToolCallArguments?: (args: Record<string, unknown>, toolName: string) => Record<string, unknown>
  /** Before a call of valid arguments. Changes to `args` stay and are not validated again. */
  beforeToolCall?: (
    context: ToolCallHookContext,
    signal?: AbortSignal,
  ) => Promise<BeforeToolCallResult | undefined | void> | BeforeToolCallResult | undefined | void
  /** After every call that was started, also of an unknown tool, with refused arguments, or blocked. */
  afterToolCall?: (
    context: ToolCallHookContext & { result: AgentToolResult; isError: boolean },
    signal?: AbortSignal,
  ) => Promise<AfterToolCallResult | undefined | void> | AfterToolCallResult | undefined | void
}

/** Start, updates and end come as they happen; messages come in call order, each after the end of its call. */
export type ToolExecutionEvent =
  | { type: 'tool_execution_start'; toolCallId: string; toolName: string; args: any; intent?: string }
  | { type: 'tool_execution_update'; toolCallId: string; toolName: string; args: any; partialResult: AgentToolResult }
  | { type: 'tool_execution_end'; toolCallId: string; toolName: string; result: AgentToolResult; isError: boolean }
  | { type: 'message_start' | 'message_end'; message: ToolResultMessage }

/** A batch: the calls of one message. */
export interface ExecuteToolCallsInput {
  /** Those that may be called. The first of a name counts; a wire name is looked at when no name fits. */
  tools: readonly AgentTool<any, any, any>[]
  /** Changed in one way only: its calls are given their `intent`. */
  assistantMessage: any
  hooks?: ToolBatchHooks
  /** As SDKs give it: null is none. */
  signal?: AbortSignal | null
  emit?: (event: ToolExecutionEvent) => void
  /** For hooks. */
  context?: unknown
  /** Why no call may run: each is answered with this text. */
  refuse?: string
}

/** What became of a batch. */
export interface ToolBatchOutcome {
  /** One for each call, in call order. */
  toolResults: ToolResultMessage[]
  /** What the user said meanwhile, and what ended the batch. */
  steeringMessages?: unknown[]
  /** `name:arguments` of each call whose arguments were refused. */
  malformedToolCallSignatures: string[]
}

/**
 * Runs the tool calls of a message. Shared calls run side by side, an exclusive one runs alone, in call order. Every call
 * gets one result. After an abort or a message of the user no further call starts; what has finished keeps its result.
 * @throws ToolError `invalid_arguments` for input of the wrong shape
 */
export declare function executeToolCalls(input: ExecuteToolCallsInput): Promise<ToolBatchOutcome>

/**
 * A text without terminal sequences, control characters (but tab and newline) and lone surrogates. CR LF and a lone CR
 * become LF; real U+FFFD stay.
 */
export declare function sanitizeText(text: string): string

/** One request to a model. */
export interface AgentModelRequest {
  /** The conversation; what is said for this request alone is last and `synthetic`. */
  messages: AgentMessage[]
  /** As the provider is told of them. */
  tools: Tool[]
  /** In the provider's own form; absent: the field is left out. */
  toolChoice?: any
  /** No call of the answer will run: the model is asked in words what it cannot get right. */
  isRecovery: boolean
  signal?: AbortSignal
}

/** The model of a run. What it streams on the way is between it and the host. */
export interface AgentModel {
  /** What tool choice has to know of it. */
  facts: ModelLike
  /** A failure is thrown, or answered with `stopReason` `error`. */
  ask(request: AgentModelRequest): Promise<AssistantMessage>
}

/** The host's part in a run. */
export interface AgentTurnHooks extends ToolBatchHooks {
  /** What is to be said once the model has nothing more to call. */
  getFollowUpMessages?: () => Promise<unknown[] | undefined> | unknown[] | undefined
}

/** What happens in a run. */
export type AgentTurnEvent =
  | Exclude<ToolExecutionEvent, { type: 'message_start' | 'message_end' }>
  | { type: 'message_start' | 'message_end'; message: AgentMessage }
  | { type: 'tool_choice_refused'; refusal: ToolChoiceRefusal }
  | { type: 'broken_answer'; message: AssistantMessage }
  | { type: 'turn_end'; message: AssistantMessage; toolResults: ToolResultMessage[] }
  | { type: 'agent_end'; reason: AgentEndReason; messages: AgentMessage[] }

/**
 * `malformed_calls`: five turns in a row in which the arguments of every call were refused. `turn_limit`: the model had
 * more to do after the last turn that it was allowed; a run over the messages so far goes on from there.
 */
export type AgentEndReason = 'completed' | 'malformed_calls' | 'turn_limit'

/** What a run starts from. */
export interface AgentTurnsInput {
  model: AgentModel
  /** The conversation so far, with what the user says last. Not changed. */
  messages: readonly AgentMessage[]
  /** Gives tools, queue and reminders where they are not given. */
  session?: ManagedToolSession
  /** A function is asked before each turn. @default the active tools of the session */
  tools?: readonly AgentTool<any, any, any>[] | (() => readonly AgentTool<any, any, any>[])
  /** @default the queue of the session */
  queue?: ToolChoiceQueueLike
  /** What else decides on tool choice. */
  choice?: TurnOptions
  hooks?: AgentTurnHooks
  /** How many answers the run takes at most, 1 or more; `Infinity` for no limit. @default 500 */
  maxTurns?: number
  signal?: AbortSignal
  emit?: (event: AgentTurnEvent) => void
}

/** What became of a run. */
export interface AgentTurnsOutcome {
  /** Those of this run, in order. */
  messages: AgentMessage[]
  reason: AgentEndReason
  /** Of the last turn. */
  stopReason?: string
  /** What the model threw, where that ended the run. */
  error?: unknown
}

/**
 * Asks a model and runs its calls, turn by turn, until it calls nothing and nobody has anything more to say, the answer
 * fails, or the run is aborted. A forced choice that the provider refuses is recorded, and the request made once more
 * without it. A model that repeats refused arguments is asked once without tools, and stopped after five such turns. An
 * answer that was to call a tool and holds no call (`stopReason` `toolUse`, or a provider's word such as `tool_calls` and
 * `MALFORMED_FUNCTION_CALL`) is asked for again with a hint, once or three times, and then counts as failed.
 */
export declare function runAgentTurns(input: AgentTurnsInput): Promise<AgentTurnsOutcome>

// ── 10. Custom tools ─────────────────────────────────────────────────────────────────────────────────────────────────

/** How a program is run. */
export interface ExecOptions {
  /** Ends the program, and what it started. */
  signal?: AbortSignal
  /** Milliseconds. @default 0, for ever */
  timeout?: number
  /** Where it runs, from the session's directory. @default the session's directory */
  cwd?: string
}

/** How a program ended and what it said. */
export interface ExecResult {
  stdout: string
  stderr: string
  /** 128 + signal after a signal, 124 after the time limit, 130 after an abort. */
  code: number
  /** Whether the time limit or the signal stopped it. */
  killed: boolean
  /** Bytes of each output beyond the first 10 MiB; absent where nothing is missing. */
  dropped?: { stdout: number; stderr: number }
}

/**
 * Runs a program without a shell, its input closed, and waits until it and its outputs have ended. What it leaves in
 * its process group is ended then. A program that cannot be started throws (`path_not_found`, `permission_denied` …);
 * any exit code is a result, also that of an abort.
 */
export declare function execCommand(command: string, args: string[], cwd: string, options?: ExecOptions): Promise<ExecResult>

/** The host's interface, as tools see it. */
export interface CustomToolUIContext {
  select(...args: any[]): Promise<any>
  confirm(...args: any[]): Promise<boolean>
  input(...args: any[]): Promise<string | undefined>
  editor(...args: any[]): Promise<string | undefined>
  custom(...args: any[]): Promise<any>
  notify(...args: any[]): void
  setStatus(...args: any[]): void
  setEditorText(text: string): void
  getEditorText(): string
  readonly theme: any
}

/** An interface that answers nothing: no choice, no text, and no to every question. */
export declare function createNoOpUIContext(): CustomToolUIContext

/** Where a tool writes for the people who run the host. */
export interface CustomToolLogger {
  debug?(...args: any[]): void
  info?(...args: any[]): void
  warn?(...args: any[]): void
  error?(...args: any[]): void
}

/** A change that waits for the model to apply or discard it with `resolve`. */
export interface CustomToolPendingAction {
  /** What the change is, for people and for the model. */
  label: string
  apply(reason: string, extra?: Record<string, unknown>): Promise<AgentToolResult<unknown>>
  reject?(reason: string, extra?: Record<string, unknown>): Promise<AgentToolResult<unknown> | undefined>
  /** Details for the result, where apply or reject give none. */
  details?: unknown
  /** @default 'custom_tool' */
  sourceToolName?: string
}

/** Takes a pending action into the host's session; `(action) => queueResolveHandler(session, action)` does. */
export type PushPendingAction = (action: PendingResolveOptions) => void

/** What the factory of a module is given. Frozen; `ui` and `hasUI` follow the host. */
export interface CustomToolAPI {
  /** The session's directory. */
  readonly cwd: string
  /** See {@link execCommand}. */
  exec(command: string, args: string[], options?: ExecOptions): Promise<ExecResult>
  readonly ui: CustomToolUIContext
  /** Whether `ui` answers. */
  readonly hasUI: boolean
  readonly logger: Required<CustomToolLogger>
  /** Loaded when it is first touched. */
  readonly typebox: typeof import('@sinclair/typebox')
  /** Loaded when it is first touched. */
  readonly zod: typeof import('zod')
  /** What the host gives. */
  readonly pi: any
  /** Throws `tool_unavailable` where the host takes no previews. */
  pushPendingAction(action: CustomToolPendingAction): void
}

/** The session at the time of a call. */
export interface CustomToolContext {
  sessionManager: any
  modelRegistry: any
  model: any | undefined
  isIdle(): boolean
  hasQueuedMessages(): boolean
  /** Ends the run, without waiting for its end. */
  abort(): void
  settings?: any
}

/** What happens to a session. */
export type CustomToolSessionEvent =
  | { reason: 'start' | 'switch' | 'branch' | 'tree' | 'shutdown'; previousSessionFile: string | undefined }
  | { reason: 'auto_compaction_start'; trigger: 'threshold' | 'overflow' | 'idle'; action: 'context-full' | 'handoff' }
  | { reason: 'auto_compaction_end'; action: 'context-full' | 'handoff'; result: any | undefined; aborted: boolean; willRetry: boolean; errorMessage?: string }
  | { reason: 'auto_retry_start'; attempt: number; maxAttempts: number; delayMs: number; errorMessage: string; unbounded?: boolean }
  | { reason: 'auto_retry_end'; success: boolean; attempt: number; finalError?: string }
  | { reason: 'ttsr_triggered'; rules: any[] }
  | { reason: 'todo_reminder'; todos: any[]; attempt: number; maxAttempts: number }

/** What a custom tool gives back. */
export type CustomToolResult<D = any> = AgentToolResult<D>

/** A tool as people write it. Note the order of the arguments of `execute`. */
export interface CustomTool<P extends TSchema = TSchema, D = any> {
  /** 1 to 64 letters, digits, `_` or `-`; no other tool may have it, also in other case. */
  name: string
  /** The name for people. @default the name */
  label?: string
  /** For the model. @default that of a `.md` or `.json` file beside the module */
  description?: string
  parameters: P
  strict?: boolean
  concurrency?: 'shared' | 'exclusive'
  hidden?: boolean
  deferrable?: boolean
  mcpServerName?: string
  mcpToolName?: string
  /** A rejection becomes an error result. */
  execute(toolCallId: string, params: Static<P>, onUpdate: AgentToolUpdateCallback<D, P> | undefined, ctx: CustomToolContext, signal?: AbortSignal): Promise<AgentToolResult<D, P>>
  onSession?(event: CustomToolSessionEvent, ctx: CustomToolContext): void | Promise<void>
  /** Called as `(args, options, theme)` with {@link RenderResultOptions}; one that declares two parameters as `(args, theme)`. */
  renderCall?(args: Static<P>, optionsOrTheme: any, theme: any): any
  renderResult?(result: AgentToolResult<D>, options: RenderResultOptions, theme: any, args?: Static<P>): any
}

/** The default export of a tool module. */
export type CustomToolFactory = (pi: CustomToolAPI) => CustomTool<any, any> | CustomTool<any, any>[] | Promise<CustomTool<any, any> | CustomTool<any, any>[]>

/** Where a module comes from. */
export interface ToolSourceInfo {
  /** `native`, `claude`, `claude-plugins`, `codex`, `plugin` or `config`. */
  provider: string
  /** For people. */
  providerName: string
  level: 'user' | 'project'
}

/** A path to load. */
export interface ToolPathWithSource {
  path: string
  source?: ToolSourceInfo
}

/** A tool, and where it comes from. */
export interface LoadedCustomTool<P extends TSchema = TSchema, D = any> {
  /** As it was given. */
  path: string
  /** Absolute. */
  resolvedPath: string
  tool: CustomTool<P, D>
  source?: ToolSourceInfo
}

/** Why nothing came of a path, or not everything. */
export interface ToolLoadError {
  path: string
  /** The reason, with the place in the file where it is known. */
  error: string
  code?:
    | 'load_failed'
    | 'timeout'
    | 'not_a_function'
    | 'invalid_tool'
    | 'name_conflict'
    | 'untrusted'
    | 'not_a_module'
    | 'declarative_file'
    | 'unreadable_folder'
    | 'plugin_registry'
    | 'plugin_manifest'
    | (string & {})
  source?: ToolSourceInfo
}

/** How custom tools are found and loaded. */
export interface CustomToolLoadOptions {
  /** The agent's own folder. @default '.xcsh' */
  configDirName?: string
  /** The agent's key in the manifests of plugins. @default `configDirName` without its dot */
  manifestKey?: string
  /** @default the home directory of this process */
  home?: string
  /** What modules find as `pi` of the object they are given. */
  pi?: unknown
  logger?: CustomToolLogger
  /** How long a module may take until its tools are there. What blocks the thread cannot be stopped. @default 10000 */
  timeoutMs?: number
  /** Tools (`name` or `tool:name`, as the file or the tool is called) and providers (their id). They are not imported. */
  disabled?: readonly string[]
  /** Lets a custom tool have the name of a built-in one. @default false */
  allowOverride?: boolean
  /**
   * Asked before a module of the project is imported, and about paths without a source; anything but `true` keeps it
   * out. All questions come before the first import. Absent: everything is loaded.
   */
  trust?(path: string, level: 'user' | 'project'): boolean | Promise<boolean>
}

/** What was loaded. One module that fails keeps no other from loading. */
export interface CustomToolsLoadResult {
  tools: LoadedCustomTool[]
  errors: ToolLoadError[]
  /** Gives the modules an interface, also those that hold the object already. */
  setUIContext(ui: CustomToolUIContext, hasUI: boolean): void
}

/** Loads tools; all of one loader share one API object and one set of names. */
export declare class CustomToolLoader {
  constructor(pi: any, cwd: string, builtInToolNames: string[], pushPendingAction?: PushPendingAction, options?: CustomToolLoadOptions)
  tools: LoadedCustomTool[]
  errors: ToolLoadError[]
  /** May be called again; what was loaded stays. With `discover`, folders and plugins come first. */
  load(paths: ToolPathWithSource[], discover?: boolean): Promise<void>
  setUIContext: (ui: CustomToolUIContext, hasUI: boolean) => void
}

/** Loads the tools of paths, in their order. */
export declare function loadCustomTools(
  paths: ToolPathWithSource[],
  cwd: string,
  builtInToolNames: string[],
  pushPendingAction?: PushPendingAction,
  options?: CustomToolLoadOptions,
): Promise<CustomToolsLoadResult>

/** Loads the tools of all folders and plugins, then those of configured paths, which count as the project's. */
export declare function discoverAndLoadCustomTools(
  configuredPaths: string[],
  cwd: string,
  builtInToolNames: string[],
  pushPendingAction?: PushPendingAction,
  options?: CustomToolLoadOptions,
): Promise<CustomToolsLoadResult>

/** A custom tool as the runtime calls tools: the order of arguments turned, what it draws caught. */
export declare class CustomToolAdapter<P extends TSchema = TSchema, D = any> implements AgentTool<P, D, any> {
  /** `getContext` is asked at each call that comes without a context. */
  constructor(tool: CustomTool<P, D>, getContext: () => CustomToolContext)
  static wrap<P extends TSchema = TSchema, D = any>(tool: CustomTool<P, D>, getContext: () => CustomToolContext): AgentTool<P, D, any>
  name: string
  label: string
  description: string
  parameters: P
  strict?: boolean
  concurrency?: 'shared' | 'exclusive'
  execute(toolCallId: string, params: Static<P>, signal?: AbortSignal, onUpdate?: AgentToolUpdateCallback<D, P>, context?: any): Promise<AgentToolResult<D, P>>
}

/** Gives `wrapper` an accessor for every own or inherited member of `tool` that it lacks; functions come bound. */
export declare function applyToolProxy<T extends object>(tool: T, wrapper: object): void

/** The absolute path that a text means: `~`, `@`, file URLs and Unicode spaces are read as in configured paths. */
export declare function resolvePath(filePath: string, cwd: string): string

/**
 * Calls every tool's `onSession` in order, each awaited for at most ten seconds; an error is told to the logger of the
 * loader and ignored.
 */
export declare function emitCustomToolSessionEvent(tools: readonly LoadedCustomTool[], event: CustomToolSessionEvent, ctx: CustomToolContext): Promise<void>
