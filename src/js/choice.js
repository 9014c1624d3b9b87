// Tool choice as callers know it: facts of models, choices and errors in, the engine's decisions out.

import native from './native.cjs'
import { callNativeSync, invalidArgument } from './errors.js'
import { describe } from './session.js'

/** @typedef {import('../../index.d.ts').ToolChoice} ToolChoice */
/** @typedef {import('../../index.d.ts').ToolChoiceSupport} ToolChoiceSupport */
/** @typedef {import('../../index.d.ts').ToolChoiceCompat} ToolChoiceCompat */
/** @typedef {import('../../index.d.ts').ModelLike} ModelLike */
/** @typedef {import('../../index.d.ts').ResolveToolChoiceResult} Resolution */
/** @typedef {import('../../index.d.ts').WireToolOptions} WireToolOptions */
/** @typedef {{ name: string, customFormat?: unknown, customWireName?: string }} WireTool */

/** Units of each text of an error that are read: some servers answer with whole pages. */
const MOST_READ = 20_000

/**
 * The support that a model's description means: stated outright, else by its flags, else everything.
 * @param {ToolChoiceCompat | undefined} compat
 * @returns {{ support: ToolChoiceSupport, source: 'static' | 'derived' }}
 */
export function deriveToolChoiceSupport(compat) {
  const { support: stated, takesChoice, takesForced } = compatFacts(compat)
  const [support, source] = callNativeSync(() => native.toolChoiceSupport(stated, takesChoice, takesForced)).split('\n')
  return /** @type {any} */ ({ support, source })
}

/**
 * What becomes of a choice on a model: sent as it is, lowered to what the model honours, or left out.
 * @param {ModelLike} model
 * @param {ToolChoice | undefined} requested
 * @param {ToolChoiceCompat} [compat] replaces the model's own
 * @returns {Resolution}
 */
export function resolveToolChoice(model, requested, compat) {
  const facts = modelFacts(model, compat)
  const text = requested === undefined ? undefined : choiceText(requested, 'requested')
  return resolution(facts, requested, callNativeSync(() => native.resolveToolChoice(facts, text)).split('\n'))
}

/**
 * A choice of one tool in the shape of the model's API. `choice` is there only if the model will call exactly this tool.
 * @param {string} toolName
 * @param {ModelLike} [model]
 * @returns {import('../../index.d.ts').NamedToolChoiceResult}
 */
export function buildNamedToolChoiceResult(toolName, model) {
  if (typeof toolName !== 'string' || toolName === '') throw invalidArgument('toolName', `expected a tool name, got ${describeText(toolName)}`)
  if (model === undefined) return { choice: undefined, exactNamed: false }
  const facts = modelFacts(model)
  const answer = callNativeSync(() => native.nameToolChoice(model.api, toolName, facts))
  if (answer === null) return { choice: undefined, exactNamed: false }
  const [request, exact, ...lines] = answer.split('\n')
  const resolved = resolution(facts, JSON.parse(request), lines)
  const exactNamed = exact === 'exact'
  return { choice: exactNamed ? resolved.resolvedChoice : undefined, exactNamed, resolved }
}

/**
 * The older form: the exact choice, else what is left of it, which may be `required`.
 * @param {string} toolName
 * @param {ModelLike} [model]
 * @returns {ToolChoice | undefined}
 */
export function buildNamedToolChoice(toolName, model) {
  const { choice, resolved } = buildNamedToolChoiceResult(toolName, model)
  return choice ?? resolved?.resolvedChoice
}

/**
 * The key under which refusals of a model are remembered.
 * @param {ModelLike} model
 */
export function toolChoiceRegistryKey(model) {
  return modelFacts(model).key
}

/**
 * The level that refusals left a model, if any was recorded. Known to every worker of the process.
 * @param {ModelLike} model
 * @returns {ToolChoiceSupport | undefined}
 */
export function getToolChoiceCapabilityOverride(model) {
  return /** @type {any} */ (native.toolChoiceCapability(modelFacts(model).key) ?? undefined)
}

/**
 * Records that a model honours no more than a level. Only ever lowers. For what is `lasting` of a refusal.
 * @param {ModelLike} model
 * @param {ToolChoiceSupport} maxSupport
 * @param {string} [reason] for the caller's own log
 */
export function markToolChoiceIncapability(model, maxSupport, reason) {
  const { key } = modelFacts(model)
  if (typeof maxSupport !== 'string') throw invalidArgument('maxSupport', `expected a level, got ${describe(maxSupport)}`)
  if (reason !== undefined && typeof reason !== 'string') throw invalidArgument('reason', `expected a text, got ${describe(reason)}`)
  callNativeSync(() => native.lowerToolChoiceCapability(key, maxSupport))
}

/** Forgets every recorded level, in all workers. */
export function clearToolChoiceIncapabilityRegistryForTests() {
  native.clearToolChoiceCapabilities()
}

/**
 * Whether an error with status 400 says that the forced choice is not supported. A wrong tool name is no such error.
 * @param {unknown} error
 * @param {boolean} sentForcedToolChoice
 */
export function isForcedToolChoiceUnsupportedError(error, sentForcedToolChoice) {
  return Boolean(sentForcedToolChoice) && callNativeSync(() => native.isForcedUnsupported(failureText(error)))
}

/**
 * What a provider's refusal says: its kind, how far it reaches, and for `incapable` the level that remains.
 * @param {unknown} error
 * @param {ToolChoice} [sent] the choice of the request; absent: some named one
 * @returns {import('../../index.d.ts').ToolChoiceRefusal}
 */
export function classifyToolChoiceRefusal(error, sent) {
  const text = sent === undefined ? undefined : choiceText(sent, 'sent')
  return JSON.parse(callNativeSync(() => native.classifyRefusal(failureText(error), text)))
}

/**
 * Reads a refusal and records what is `lasting` of it. Plan the request again afterwards: a choice in flight is the
 * same until it is finalized. What only holds for this request goes into the plan's `compat`.
 * @param {ModelLike} model
 * @param {unknown} error
 * @param {ToolChoice} [sent]
 */
export function recordToolChoiceRefusal(model, error, sent) {
  const { key } = modelFacts(model)
  const refusal = classifyToolChoiceRefusal(error, sent)
  if (refusal.lasting && refusal.cap) callNativeSync(() => native.lowerToolChoiceCapability(key, /** @type {string} */ (refusal.cap)))
  return refusal
}

/**
 * Whether a Claude model of this id is known to refuse every forced choice.
 * @param {string} modelId
 */
export function isClaudeForcedToolChoiceIncapableModelId(modelId) {
  if (typeof modelId !== 'string') throw invalidArgument('modelId', `expected a model id, got ${describe(modelId)}`)
  return native.refusesForcing(modelId)
}

/**
 * `tool_choice` of Chat Completions.
 * @param {ToolChoice} [choice]
 */
export function mapToOpenAICompletionsToolChoice(choice) {
  return wire('openai-completions', choice).toolChoice
}

/**
 * `tool_choice` of Responses; a tool with a format of its own is named by its wire name where the model takes such.
 * @param {ToolChoice} [choice]
 * @param {WireToolOptions} [options]
 */
export function mapToOpenAIResponsesToolChoice(choice, options) {
  return wire('openai-responses', choice, options).toolChoice
}

/**
 * The choice of Messages: a word, or the object that names a tool.
 * @param {ToolChoice} [choice]
 */
export function mapToAnthropicToolChoice(choice) {
  return wire('anthropic', choice).toolChoice
}

/**
 * `toolConfig.toolChoice` of Bedrock's Converse. Nothing for `none`, which it has no word for: leave `toolConfig` out,
 * unless the history holds tool blocks, which need it.
 * @param {ToolChoice} [choice]
 * @param {WireToolOptions} [options]
 */
export function mapToBedrockToolChoice(choice, options) {
  return wire('bedrock', choice, options).toolChoice
}

/**
 * `toolConfig.functionCallingConfig` of Gemini. A named choice is ANY with that one name allowed.
 * @param {ToolChoice} [choice]
 * @param {WireToolOptions} [options] without tools there may be no config
 */
export function mapToGoogleToolChoice(choice, options) {
  return wire('google', choice, options).toolChoice
}

/**
 * The choice of Ollama, and the tools to offer with it: it knows no names and may ignore its words, so that the list
 * of tools says what the word cannot.
 * @template {WireTool} T
 * @param {ToolChoice | undefined} choice
 * @param {readonly T[]} tools
 * @returns {{ toolChoice?: 'none' | 'required', tools: T[] }}
 */
export function mapToOllamaToolChoice(choice, tools) {
  checkTools(tools)
  return offered(wire('ollama', choice, { tools }), tools)
}

/**
 * The choice of servers that know OpenAI's words and no objects (llama.cpp, LM Studio), and the tools to offer with it:
 * a named choice is `required` and that tool alone.
 * @template {WireTool} T
 * @param {ToolChoice | undefined} choice
 * @param {readonly T[]} tools
 * @returns {{ toolChoice?: 'auto' | 'none' | 'required', tools: T[] }}
 */
export function mapToWordsToolChoice(choice, tools) {
  checkTools(tools)
  return offered(wire('words', choice, { tools }), tools)
}

/**
 * Whether a value forces a call: a choice, or what a provider is sent for one.
 * @param {unknown} choice
 */
export function isForcedToolChoice(choice) {
  const text = plainText(choice)
  return text !== undefined && native.isForcedChoice(text)
}

/**
 * Everything about tool choice for one request: what becomes of the choice, the provider's field, the tools to offer,
 * and what to say to the model where it cannot be forced.
 * @template {WireTool} T
 * @param {ModelLike} model
 * @param {ToolChoice | undefined} requested
 * @param {readonly T[]} tools
 * @param {import('../../index.d.ts').PlanToolChoiceOptions} [options]
 * @returns {import('../../index.d.ts').ToolChoicePlan<T>}
 */
export function planToolChoice(model, requested, tools, options = {}) {
  if (typeof options !== 'object' || options === null) throw invalidArgument('options', `expected an object, got ${describe(options)}`)
  const facts = modelFacts(model, options.compat)
  const text = requested === undefined ? '"auto"' : choiceText(requested, 'requested')
  checkTools(tools)
  const offer = /** @type {string} */ (toolFacts({ ...options, tools }))
  const thinking = String(options.thinking ?? 'off')
  const [lines, sent, exact, reminder] = callNativeSync(() => native.planToolChoice(model.api, facts, text, offer, thinking))
  return {
    ...offered(JSON.parse(sent), tools),
    exactNamed: exact === 'exact',
    resolved: resolution(facts, requested, lines.split('\n')),
    ...(reminder ? { reminder } : {}),
  }
}

/**
 * Throws unless the value is a tool choice.
 * @param {unknown} choice
 * @param {string} path
 */
export function checkToolChoice(choice, path) {
  const text = choiceText(choice, path)
  if (!native.isToolChoice(text)) throw invalidArgument(path, `expected a tool choice, got ${describeText(choice)}`)
}

/**
 * @param {{ key: string }} facts
 * @param {ToolChoice | undefined} requestedChoice
 * @param {string[]} lines
 * @returns {Resolution}
 */
function resolution({ key: registryKey }, requestedChoice, [requestedLevel, resolved, resolvedLevel, support, supportSource, degraded, reasonCode, reason, ...target]) {
  const resolvedChoice = resolved === 'absent' ? undefined : resolved === 'required' ? 'required' : requestedChoice
  const result = { requestedChoice, requestedLevel, resolvedChoice, resolvedLevel, support, supportSource, degraded: degraded !== '', registryKey }
  if (reasonCode) Object.assign(result, { reason, reasonCode })
  const targetToolName = target.join('\n')
  if (targetToolName) Object.assign(result, { targetToolName })
  return /** @type {any} */ (result)
}

/**
 * @param {ModelLike} model
 * @param {ToolChoiceCompat} [compat]
 */
function modelFacts(model, compat = model?.compat) {
  if (typeof model !== 'object' || model === null) throw invalidArgument('model', `expected an object, got ${describe(model)}`)
  const { api, provider, baseUrl, wireModelId } = model
  const id = wireModelId || model.id
  for (const [name, value] of [['api', api], ['provider', provider], ['baseUrl', baseUrl], ['id', id]]) {
    if (typeof value !== 'string') throw invalidArgument(`model.${name}`, `expected a text, got ${describe(value)}`)
  }
  return { key: `${api}|${provider}|${baseUrl}|${id}`, id, provider, ...compatFacts(compat) }
}

/** @param {ToolChoiceCompat | null | undefined} compat */
function compatFacts(compat) {
  if (compat === undefined || compat === null) return {}
  if (typeof compat !== 'object') throw invalidArgument('compat', `expected an object, got ${describe(compat)}`)
  const { toolChoiceSupport: support, supportsToolChoice: takesChoice, supportsForcedToolChoice: takesForced } = compat
  if (support != null && typeof support !== 'string') throw invalidArgument('compat.toolChoiceSupport', `expected a level, got ${describe(support)}`)
  for (const [name, value] of [['supportsToolChoice', takesChoice], ['supportsForcedToolChoice', takesForced]]) {
    if (value != null && typeof value !== 'boolean') throw invalidArgument(`compat.${name}`, `expected true or false, got ${describe(value)}`)
  }
  return { support: support ?? undefined, takesChoice: takesChoice ?? undefined, takesForced: takesForced ?? undefined }
}

/**
 * A choice as it crosses.
 * @param {unknown} choice
 * @param {string} path
 */
function choiceText(choice, path) {
  const text = choice === null ? undefined : plainText(choice)
  if (text === undefined) throw invalidArgument(path, `expected a tool choice, got ${describe(choice)}`)
  return text
}

/**
 * JSON text; nothing for what has none.
 * @param {unknown} value
 */
function plainText(value) {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}

/**
 * @param {string} dialect
 * @param {ToolChoice | undefined} choice
 * @param {WireToolOptions} [options]
 */
function wire(dialect, choice, options) {
  const tools = options === undefined ? undefined : toolFacts(options)
  // What is no choice maps to nothing, as does no choice.
  const text = plainText(choice)
  return text === undefined ? {} : JSON.parse(callNativeSync(() => native.mapToolChoice(dialect, text, tools)))
}

/** @param {WireToolOptions & { toolsInHistory?: boolean }} options */
function toolFacts({ tools, freeformTools = false, toolsInHistory = false }) {
  if (tools === undefined) return undefined
  checkTools(tools)
  const custom = tools.filter(({ customFormat }) => customFormat)
  return JSON.stringify({
    names: tools.map(({ name }) => name),
    custom: Object.fromEntries(custom.map(({ name, customWireName }) => [name, customWireName ?? name])),
    takesFreeform: Boolean(freeformTools),
    inHistory: Boolean(toolsInHistory),
  })
}

/**
 * Throws unless the value is an array of things with a name.
 * @param {unknown} tools
 */
export function checkTools(tools) {
  if (!Array.isArray(tools)) throw invalidArgument('tools', `expected an array of tools, got ${describe(tools)}`)
  tools.forEach((tool, index) => {
    if (typeof tool?.name !== 'string') throw invalidArgument(`tools[${index}].name`, `expected a text, got ${describe(tool?.name)}`)
  })
}

/**
 * @param {{ toolChoice?: any, only?: string, noTools?: boolean }} wire
 * @param {readonly any[]} tools
 */
function offered({ toolChoice, only, noTools }, tools) {
  const kept = noTools ? [] : only === undefined ? [...tools] : tools.filter(({ name }) => name === only)
  return { ...(toolChoice === undefined ? {} : { toolChoice }), tools: kept }
}

/**
 * An error and its causes as plain facts. Whatever was thrown, reading it does not throw.
 * @param {unknown} error
 */
function failureText(error) {
  const layers = []
  try {
    for (let current = error; layers.length < 3 && current !== undefined && current !== null; current = /** @type {any} */ (current).cause) {
      layers.push(layer(current))
    }
  } catch {
    // An error that cannot be read says nothing more.
  }
  return JSON.stringify(layers)
}

/** @param {any} error */
function layer(error) {
  if (typeof error !== 'object') return { message: readable(String(error)) }
  const { status, statusCode, response, message, body, responseBody, code, error: inner } = error
  const statuses = [status, statusCode, response?.status].filter((value) => typeof value === 'string' || Number.isFinite(value))
  const parts = [code, body, responseBody, inner].map((part) => (typeof part === 'object' && part !== null ? plainText(part) : part))
  return {
    statuses: statuses.map((value) => (typeof value === 'string' ? readable(value) : value)),
    message: typeof message === 'string' ? readable(message) : '',
    body: parts.filter((part) => typeof part === 'string').map(readable).join('\n'),
  }
}

/**
 * The beginning of a text, which is where refusals speak, without halves of surrogate pairs.
 * @param {any} text
 */
function readable(text) {
  return text.slice(0, MOST_READ).toWellFormed()
}

/** @param {unknown} value */
function describeText(value) {
  return typeof value === 'string' ? `\`${value}\`` : typeof value === 'object' && value !== null ? plainText(value) : describe(value)
}
