// A session of ours, for hosts that have none: the registry, the active list, discovery, the tool-choice queue and the
// standing handler of previews. Hosts with a session of their own pass that to createTools instead.

import native from './native.cjs'
import { executeToolCalls } from './calls.js'
import { withWords } from './calls/results.js'
import { Turnstile } from './calls/turnstile.js'
import { buildNamedToolChoiceResult, planToolChoice } from './choice.js'
import { CustomToolAdapter } from './custom-tools/adapter.js'
import { buildDiscoverableToolSearchIndex, collectDiscoverableTools, isMCPBridgeTool } from './discovery.js'
import { invalidArgument, renderError, ToolError } from './errors.js'
import { takeMembers } from './host-members.js'
import { wrapToolWithMetaNotice } from './notices.js'
import { ToolChoiceQueue } from './queue.js'
import { decide } from './registry.js'
import { checkNames, createTools, partitionInitialTools, registeredTool } from './select.js'
import { describe } from './session.js'
import { checkedTool } from './tools/checked.js'
import { finishTurnToolChoice, forceToolForUser, planTurnToolChoice } from './turn-choice.js'

/** @typedef {import('../../index.d.ts').AgentTool} AgentTool */
/** @typedef {import('../../index.d.ts').Invoker} Invoker */
/** @typedef {import('../../index.d.ts').ToolChoice} ToolChoice */
/** @typedef {import('../../index.d.ts').ToolSessionOptions} ToolSessionOptions */
/** @typedef {import('../../index.d.ts').DiscoverableToolSearchIndex} DiscoverableToolSearchIndex */

/**
 * Builds a session with its tools.
 * @param {ToolSessionOptions} options
 * @returns {Promise<ManagedToolSession>}
 */
export async function createToolSession(options) {
  if (typeof options !== 'object' || options === null) throw invalidArgument('options', `expected an object, got ${describe(options)}`)
  const session = new ManagedToolSession(options)
  // A host may have a `start` of its own.
  await ManagedToolSession.prototype.start.call(session, options)
  return session
}

/** What only the start of a session needs. @type {ReadonlySet<PropertyKey>} */
const STARTING_OPTIONS = new Set(['toolNames', 'tools', 'customTools', 'allowOverride', 'facts', 'onActiveToolsChanged'])

/** Every member that tools look for on a session, kept true as tools come, go and are activated. */
export class ManagedToolSession {
  /** @type {Map<string, AgentTool>} */
  #registry = new Map()
  /** Names in the order they are sent. @type {string[]} */
  #active = []
  /** Names that a search or an earlier session selected. @type {string[]} */
  #selected = []
  /** @type {'off' | 'mcp-only' | 'all'} */
  #mode = 'off'
  /** @type {{ tools: Set<AgentTool>, index: DiscoverableToolSearchIndex } | undefined} */
  #search
  /** @type {Invoker | null} */
  #standingHandler = null
  #queue = new ToolChoiceQueue()
  #turnstile = new Turnstile()
  /** @type {{ customType: string, content: string, details?: unknown }[]} */
  #reminders = []
  /** @type {((active: AgentTool[]) => void) | undefined} */
  #onActiveToolsChanged
  /** @type {readonly string[]} */
  #mandatory

  /** @param {ToolSessionOptions} options */
  constructor(options) {
    this.cwd = options.cwd
    this.settings = options.settings
    this.model = options.model
    this.discoverableToolAllowedNames = options.discoverableToolAllowedNames
    this.hasUI = false
    this.getSessionFile = () => null
    this.getSessionSpawns = () => null
    // Whatever else the host gives, also in place of the methods below.
    takeMembers(this, options, STARTING_OPTIONS)
    const { onActiveToolsChanged } = options
    this.#onActiveToolsChanged = onActiveToolsChanged?.bind(options)
    this.#mandatory = options.mandatoryMcpToolNames ?? []
  }

  /**
   * Builds the tools and splits them; called once, by createToolSession.
   * @param {ToolSessionOptions} options
   */
  async start(options) {
    const { toolNames, tools = [], customTools = [], allowOverride = false, facts } = options
    for (const tool of await createTools(this, toolNames, facts)) this.#registry.set(tool.name, tool)
    const adapted = this.#adapted(customTools)
    if (allowOverride) this.#makeRoom([...tools, ...adapted])
    this.#register(tools, 'options.tools')
    this.#register(adapted, 'options.customTools')
    const custom = [...tools, ...adapted].filter((tool) => !isMCPBridgeTool(tool)).map(({ name }) => name)
    const { alwaysActiveToolNames, discoverableToolAllowedNames, extensionToolNames, defaultInactiveToolNames, mandatoryMcpToolNames, exactMcpConfig, persisted } = options
    const split = partitionInitialTools({
      registry: this.#registry,
      settings: this.settings,
      toolNames: toolNames?.length ? toolNames : undefined,
      customToolNames: custom,
      alwaysActiveToolNames,
      discoverableToolAllowedNames,
      extensionToolNames,
      defaultInactiveToolNames,
      mandatoryMcpToolNames,
      exactMcpConfig,
      persisted,
    })
    this.#mode = split.mode
    this.#active = split.active
    this.#selected = [...split.selectedMcp, ...split.selectedBuiltins]
  }

  // The registry.

  /** Every tool of the session, active or not, in registration order. */
  get registry() {
    return /** @type {ReadonlyMap<string, AgentTool>} */ (this.#registry)
  }

  /** The tools to send with the next model call, in order. */
  getActiveTools() {
    return this.#active.map((name) => /** @type {AgentTool} */ (this.#registry.get(name)))
  }

  getActiveToolNames() {
    return [...this.#active]
  }

  /**
   * Adds tools, inactive where discovery hides them and active otherwise. A name that is taken is refused.
   * @param {AgentTool[]} tools
   */
  addTools(tools) {
    this.#register(tools, 'tools')
    const waits = (/** @type {AgentTool} */ tool) => isMCPBridgeTool(tool) || (this.#mode === 'all' && tool.loadMode === 'discoverable')
    const shown = tools.filter((tool) => this.#mode === 'off' || !waits(tool)).map(({ name }) => name)
    if (shown.length > 0) this.setActiveTools([...this.#active, ...shown])
  }

  /**
   * Removes tools; unknown names are ignored.
   * @param {string[]} names
   */
  removeTools(names) {
    requireNames(names)
    for (const name of names) this.#registry.delete(name)
    this.setActiveTools(this.#active)
  }

  /**
   * Replaces the active set by the registered tools among the names; case does not matter.
   * @param {string[]} names
   * @returns {string[]} the active names
   */
  setActiveTools(names) {
    requireNames(names)
    this.#apply(decide(native.setActiveTools, this.#question(names)))
    return this.getActiveToolNames()
  }

  // Discovery hooks, as search_tool_bm25 looks for them.

  isToolDiscoveryEnabled() {
    return this.#mode !== 'off'
  }

  /** @param {{ source?: import('../../index.d.ts').DiscoverableToolSource }} [filter] */
  getDiscoverableTools(filter) {
    const found = collectDiscoverableTools(this.#discoverable())
    return filter?.source ? found.filter(({ source }) => source === filter.source) : found
  }

  /** The index over {@link getDiscoverableTools}; what changed since the last call is added and removed. */
  getDiscoverableToolSearchIndex() {
    const tools = this.#discoverable()
    if (!this.#search) {
      this.#search = { tools: new Set(tools), index: buildDiscoverableToolSearchIndex(collectDiscoverableTools(tools)) }
      return this.#search.index
    }
    // By identity: a server that reconnects brings other tools under the same names.
    const { tools: known, index } = this.#search
    const wanted = new Set(tools)
    const gone = [...known].filter((tool) => !wanted.has(tool))
    const added = tools.filter((tool) => !known.has(tool))
    if (gone.length > 0) index.remove?.(gone.map(({ name }) => name))
    if (added.length > 0) index.add?.(collectDiscoverableTools(added))
    this.#search.tools = wanted
    return index
  }

  /** Selected MCP tools first, then discovered builtins; only those still active. */
  getSelectedDiscoveredToolNames() {
    const active = this.#selected.filter((name) => this.#active.includes(name))
    const isBridge = (/** @type {string} */ name) => isMCPBridgeTool(/** @type {any} */ (this.#registry.get(name)))
    return [...active.filter(isBridge), ...active.filter((name) => !isBridge(name))]
  }

  /**
   * Activates found tools before the next model call.
   * @param {string[]} names
   * @returns {Promise<string[]>} the names that were not active before
   */
  async activateDiscoveredTools(names) {
    requireNames(names)
    const activation = decide(native.activateTools, this.#question(names))
    this.#selected.push(...activation.activated.filter((/** @type {string} */ name) => !this.#selected.includes(name)))
    if (activation.activated.length > 0) this.#apply(activation)
    return activation.activated
  }

  // Tool choice and previews.

  getToolChoiceQueue() {
    return this.#queue
  }

  /**
   * The choice of one tool, exact also where the API has no form for it but a turn's plan can narrow the tools.
   * @param {string} toolName
   */
  buildToolChoiceResult(toolName) {
    const named = buildNamedToolChoiceResult(toolName, this.model)
    const tools = this.getActiveTools()
    if (named.exactNamed || !this.model || !tools.some(({ name }) => name === toolName)) return named
    const choice = /** @type {const} */ ({ type: 'tool', name: toolName })
    const { exactNamed, resolved } = planToolChoice(this.model, choice, tools)
    return exactNamed ? { choice, exactNamed, resolved } : named
  }

  /** @param {string} toolName */
  buildToolChoice(toolName) {
    return this.buildToolChoiceResult(toolName).choice
  }

  /**
   * What to send with the next model call: the tools, and the choice of the queue or of the caller.
   * @param {import('../../index.d.ts').TurnOptions} [options]
   */
  planTurn(options) {
    return planTurnToolChoice({ ...options, model: this.#modelOrThrow(), tools: this.getActiveTools(), queue: this.getToolChoiceQueue() })
  }

  /**
   * Settles the choice that was in flight, after the turn's tools have run.
   * @param {string} [stopReason] of the assistant message; `error` and `aborted` reject the choice
   */
  finishTurn(stopReason) {
    finishTurnToolChoice(this.getToolChoiceQueue(), stopReason)
  }

  /** At the end of a run: a choice that is still in flight was aborted. */
  finishRun() {
    const queue = this.getToolChoiceQueue()
    if (queue.hasInFlight) queue.reject('aborted')
  }

  /**
   * Makes the model call a tool next, and none in the turn after.
   * @param {string} toolName an active tool
   */
  forceTool(toolName) {
    forceToolForUser(this.getToolChoiceQueue(), toolName, { model: this.#modelOrThrow(), tools: this.getActiveTools() })
  }

  // Calls.

  /**
   * Runs one call of an active tool, where an SDK has a loop of its own. What goes wrong is in the result.
   * @param {{ id: string, name: string, arguments: unknown }} call
   * @param {import('../../index.d.ts').RunCallOptions} [options]
   * @returns {Promise<import('../../index.d.ts').ToolResultMessage>}
   */
  async runCall(call, { signal, onUpdate, hooks } = {}) {
    const tools = this.getActiveTools()
    const { toolResults } = await this.#turnstile.run(tools.find(({ name }) => name === call?.name)?.concurrency === 'exclusive', () =>
      executeToolCalls({
        tools,
        assistantMessage: { role: 'assistant', content: [{ ...call, type: 'toolCall' }] },
        hooks,
        signal,
        emit: (event) => event.type === 'tool_execution_update' && onUpdate?.(event.partialResult),
      }),
    )
    const [result] = toolResults
    return { ...result, content: withWords(result.content) }
  }

  peekQueueInvoker() {
    return this.getToolChoiceQueue().peekInFlightInvoker()
  }

  peekStandingResolveHandler() {
    return this.#standingHandler ?? undefined
  }

  /** @param {Invoker | null} handler */
  setStandingResolveHandler(handler) {
    this.#standingHandler = handler
  }

  /**
   * Keeps a reminder for the next model call; a host with a steering channel of its own passes `steer` instead.
   * @param {{ customType: string, content: string, details?: unknown }} message
   */
  steer(message) {
    this.#reminders.push(message)
  }

  /** The reminders since the last call. */
  takeReminders() {
    return this.#reminders.splice(0)
  }

  /**
   * @param {AgentTool[]} tools
   * @param {string} path
   */
  #register(tools, path) {
    if (!Array.isArray(tools)) throw invalidArgument(path, `expected an array of tools, got ${describe(tools)}`)
    const named = tools.map((tool, index) => checkedTool(`${path}[${index}]`, tool))
    // Names are matched without case, so they must differ in more than case.
    const taken = new Set([...this.#registry.keys()].map((name) => name.toLowerCase()))
    named.forEach(({ name }, index) => {
      if (taken.has(name.toLowerCase())) throw invalidArgument(`${path}[${index}].name`, `\`${name}\` is taken by another tool`)
      taken.add(name.toLowerCase())
    })
    const wrapped = named.map((tool) => wrapToolWithMetaNotice(tool, this))
    for (const tool of wrapped) this.#registry.set(tool.name, tool)
  }

  /**
   * Custom tools as tools of this session.
   * @param {readonly import('../../index.d.ts').LoadedCustomTool[]} customTools
   */
  #adapted(customTools) {
    if (!Array.isArray(customTools)) throw invalidArgument('options.customTools', `expected an array of loaded tools, got ${describe(customTools)}`)
    return customTools.map((loaded, index) => {
      const path = `options.customTools[${index}].tool`
      try {
        return CustomToolAdapter.wrap(/** @type {any} */ (checkedTool(path, loaded?.tool)), () => this.getCustomToolContext())
      } catch (error) {
        // Anything may look back from a module that people wrote.
        throw error instanceof ToolError ? error : invalidArgument(path, `cannot be used: ${renderError(error)}`)
      }
    })
  }

  /**
   * Takes out what the host explicitly replaces.
   * @param {AgentTool[]} tools
   */
  #makeRoom(tools) {
    const replaced = new Set(tools.map((tool) => String(tool?.name).toLowerCase()))
    for (const name of this.#registry.keys()) if (replaced.has(name.toLowerCase())) this.#registry.delete(name)
  }

  /**
   * What custom tools are told of the session. A host with more to tell gives a function of this name.
   * @returns {import('../../index.d.ts').CustomToolContext}
   */
  getCustomToolContext() {
    const host = /** @type {any} */ (this)
    return {
      sessionManager: host.sessionManager,
      modelRegistry: host.modelRegistry,
      model: this.model,
      settings: this.settings,
      isIdle: () => host.isIdle?.() ?? false,
      hasQueuedMessages: () => host.hasQueuedMessages?.() ?? false,
      abort: () => {
        if (typeof host.abort !== 'function') throw new ToolError('Not supported by this host: aborting the run, for which it would give the session `abort`', { code: 'unsupported', feature: 'abort' })
        host.abort()
      },
    }
  }

  /** @param {readonly string[]} [names] */
  #question(names = []) {
    return {
      registry: [...this.#registry].map(([name, tool]) => registeredTool(name, tool)),
      active: this.#active,
      mode: this.#mode,
      allowed: this.discoverableToolAllowedNames,
      mandatory: this.#mandatory,
      names,
    }
  }

  #discoverable() {
    const names = /** @type {string[]} */ (decide(native.discoverableTools, this.#question()))
    return names.map((name) => /** @type {AgentTool} */ (this.#registry.get(name)))
  }

  /** @param {{ active: string[] }} activation */
  #apply({ active }) {
    const changed = active.length !== this.#active.length || active.some((name, index) => name !== this.#active[index])
    this.#active = active
    if (changed) this.#onActiveToolsChanged?.(this.getActiveTools())
  }

  #modelOrThrow() {
    if (this.model === undefined) throw invalidArgument('options.model', 'a session without a model cannot choose tools for it')
    return this.model
  }
}

/** @param {unknown} names */
function requireNames(names) {
  if (names === undefined) throw invalidArgument('names', 'expected an array of names, got nothing')
  checkNames(names, 'names')
}
