// The registry as callers know it: names to factories. Order, gates and conditions are the engine's table.

import native from './native.cjs'
import { fromNative, invalidArgument, ToolError } from './errors.js'
import { toJson } from './json.js'
import { checkSession, checkSettings, describe, selectionSnapshot, settingsFacts } from './session.js'
import { builtinSpecs, hiddenSpecs, specOf } from './specs.js'
import { packageFactories } from './tools/index.js'

/** @typedef {import('../../index.d.ts').ToolFactory} ToolFactory */
/** @typedef {import('../../index.d.ts').ToolSession} ToolSession */
/** @typedef {import('./specs.js').Spec} Spec */

/** @type {Map<string, ToolFactory>} */
const slots = new Map()

/** The essential tools of a session that overrides nothing. */
export const DEFAULT_ESSENTIAL_TOOL_NAMES = Object.freeze(['read', 'bash', 'edit'])

/** Builtin tools in registry order. */
export const BUILTIN_TOOLS = table(builtinSpecs.filter(({ name }) => name !== 'computer' || process.platform !== 'win32'))

/** Tools that no one asks for by chance. */
export const HIDDEN_TOOLS = table(hiddenSpecs)

/** What interfaces show of the builtin tools. */
export const BUILTIN_CAPABILITY_CATALOG = Object.freeze(
  builtinSpecs.map(({ name, label, summary, defaultEnabled }) =>
    Object.freeze({ name, label, summary, docsPath: `docs/tools.md#${name}`, callableBuiltin: true, defaultEnabled }),
  ),
)

/**
 * Fills the slot of a tool whose implementation belongs to the host.
 * @param {string} name
 * @param {ToolFactory} factory called for each session that is offered the tool
 */
export function registerToolFactory(name, factory) {
  if (typeof name !== 'string') throw invalidArgument('name', `expected a tool name, got ${describe(name)}`)
  if (typeof factory !== 'function') throw invalidArgument('factory', `expected a function, got ${describe(factory)}`)
  if (!specOf(name)) throw new ToolError(`Unknown tool name: \`${name}\``, { code: 'unknown_tool', names: [name] })
  if (packageFactories.has(name)) throw invalidArgument('name', `\`${name}\` is implemented by this package and has no slot`)
  slots.set(name, factory)
}

/**
 * The names of the essential set.
 * @param {import('../../index.d.ts').SettingsLike} settings
 * @returns {string[]}
 */
export function computeEssentialBuiltinNames(settings) {
  checkSettings(settings, 'settings')
  return decide(native.essentialNames, settingsFacts(settings)).names
}

/**
 * Which languages `GJC_PY` allows; null where it says nothing.
 * @param {Record<string, string | undefined>} env
 */
export function parseGjcPy(env) {
  const allowed = decide(native.evalBackends, { ask: 'variant', env: definedOnly(env) })
  return allowed && { py: allowed.python, js: allowed.js }
}

/**
 * Which languages the environment allows; null where it says nothing.
 * @param {Record<string, string | undefined>} env
 */
export function resolveEvalBackendsFromEnv(env) {
  return decide(native.evalBackends, { ask: 'environment', env: definedOnly(env) })
}

/**
 * Which languages a session allows: environment first, then settings.
 * @param {ToolSession} session
 */
export function readEvalBackendsAllowance(session) {
  checkSession(session)
  return decide(native.evalBackends, { ask: 'session', snapshot: selectionSnapshot(session) })
}

export { readEvalBackendsAllowance as resolveEvalBackends }

/**
 * One decision of the engine.
 * @param {(input: string) => string} decision
 * @param {unknown} input
 */
export function decide(decision, input) {
  const text = toJson(/** @type {object} */ (input), 'input')
  try {
    return JSON.parse(decision(text))
  } catch (error) {
    throw renamed(fromNative(error))
  }
}

/**
 * Refused facts under the names callers know them by.
 * @param {unknown} error
 */
function renamed(error) {
  if (!(error instanceof ToolError) || error.code !== 'invalid_arguments') return error
  const [issue] = /** @type {{ path: string, message: string }[]} */ (error.context?.issues ?? [])
  const path = issue?.path.replace(/^snapshot\.host/, 'facts').replace(/^snapshot\./, '')
  return path === undefined || path === issue?.path ? error : invalidArgument(path, issue.message)
}

/**
 * Own keys only: `constructor` is no tool.
 * @param {Spec[]} specs
 * @returns {Readonly<Record<string, ToolFactory>>}
 */
function table(specs) {
  return Object.freeze(Object.assign(Object.create(null), Object.fromEntries(specs.map(({ name }) => [name, factoryOf(name)]))))
}

/**
 * The factory of a name: the tool's own condition first, then the package's implementation or the host's.
 * @param {string} name
 * @returns {ToolFactory}
 */
function factoryOf(name) {
  return (session) => {
    checkSession(session)
    const allowed = decide(native.factoryAllowed, { name, snapshot: selectionSnapshot(session) })
    return allowed ? buildTool(name, session) : null
  }
}

/**
 * Builds a tool whose gate and condition hold already.
 * @param {string} name
 * @param {ToolSession} session
 */
export function buildTool(name, session) {
  const factory = packageFactories.get(name) ?? slots.get(name)
  return factory ? factory(session) : null
}

/** @param {Record<string, string | undefined>} env */
function definedOnly(env) {
  if (typeof env !== 'object' || env === null) throw invalidArgument('env', `expected an object, got ${describe(env)}`)
  return Object.fromEntries(Object.entries(env).filter(([, value]) => typeof value === 'string'))
}
