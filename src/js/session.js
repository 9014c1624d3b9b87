// What a session object offers, checked once and read into plain data; the engine decides on that.

import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import native from './native.cjs'
import { invalidArgument } from './errors.js'

/** @typedef {import('../../index.d.ts').ToolSession} ToolSession */
/** @typedef {import('../../index.d.ts').SettingsLike} SettingsLike */
/** @typedef {import('../../index.d.ts').HostFacts} HostFacts */

/** @type {Map<string, string[]>} */
const keysOfGroup = new Map()

/**
 * Throws unless the object has the members every tool relies on.
 * @param {ToolSession} session
 */
export function checkSession(session) {
  if (typeof session !== 'object' || session === null) throw invalidArgument('session', 'expected an object')
  if (typeof session.cwd !== 'string' || session.cwd === '') {
    throw invalidArgument('session.cwd', `expected an absolute path, got ${describe(session.cwd)}`)
  }
  if (!isAbsolute(session.cwd)) throw invalidArgument('session.cwd', `expected an absolute path, got \`${session.cwd}\``)
  checkSettings(session.settings, 'session.settings')
  allowedRoots(session)
  for (const name of ['getSessionFile', 'getSessionSpawns']) {
    if (typeof session[name] !== 'function') {
      throw invalidArgument(`session.${name}`, `expected a function, got ${describe(session[name])}`)
    }
  }
}

/**
 * @param {SettingsLike} settings
 * @param {string} path
 */
export function checkSettings(settings, path) {
  if (typeof settings?.get !== 'function') throw invalidArgument(`${path}.get`, `expected a function, got ${describe(settings?.get)}`)
}

/**
 * The values a group of decisions reads, by dotted key; what the host does not know is left out.
 * @param {SettingsLike} settings
 * @param {string} group
 */
export function settingsSnapshot(settings, group) {
  const keys = keysOfGroup.get(group) ?? native.settingKeys(group)
  keysOfGroup.set(group, keys)
  /** @type {Record<string, unknown>} */
  const values = {}
  for (const key of keys) {
    const value = settingOf(settings, key)
    if (typeof value === 'bigint') throw invalidArgument(`settings.get('${key}')`, 'expected a number, got a big integer')
    if (value !== undefined) values[key] = value
  }
  return values
}

/** Settings that have answered before. @type {WeakSet<SettingsLike>} */
const answering = new WeakSet()

/**
 * One value. Hosts whose schema lacks a key may throw when asked for it; where nothing was ever answered, the error is told.
 * @param {SettingsLike} settings
 * @param {string} key
 */
export function settingOf(settings, key) {
  try {
    const value = settings.get(key)
    answering.add(settings)
    return value
  } catch (error) {
    if (answering.has(settings) || knowsAnother(settings)) return undefined
    throw error
  }
}

/** @param {SettingsLike} settings */
function knowsAnother(settings) {
  /** @type {string[]} */
  const common = native.settingKeys('select')
  return common.some((key) => {
    try {
      settings.get(key)
      return true
    } catch {
      return false
    }
  })
}

/**
 * The facts selection decides on.
 * @param {ToolSession} session
 * @param {HostFacts} [facts]
 */
export function selectionSnapshot(session, facts) {
  return {
    ...settingsFacts(session.settings),
    session: {
      hasUi: Boolean(session.hasUI),
      workflowGateEligible: Boolean(session.workflowGateEligible),
      hasGateEmitter: Boolean(session.getWorkflowGateEmitter?.()),
      skipPythonPreflight: Boolean(session.skipPythonPreflight),
      enableLsp: session.enableLsp !== false,
      requireYieldTool: Boolean(session.requireYieldTool),
      taskDepth: taskDepth(session.taskDepth ?? 0),
      strictToolNames: Boolean(session.strictToolNames),
      skillCount: session.skills?.length ?? 0,
      canSendMessages: typeof session.sendCustomMessage === 'function',
      hasAgentRegistry: Boolean(session.agentRegistry),
      hasAgentId: typeof session.getAgentId === 'function',
      hasDiscoveryHooks:
        typeof session.isToolDiscoveryEnabled === 'function' &&
        typeof session.getSelectedDiscoveredToolNames === 'function' &&
        typeof session.activateDiscoveredTools === 'function',
    },
    host: hostFacts(facts),
  }
}

/** @param {unknown} depth */
function taskDepth(depth) {
  if (typeof depth !== 'number' || !Number.isFinite(depth)) throw invalidArgument('session.taskDepth', `expected a number, got ${describe(depth)}`)
  return depth
}

/**
 * Settings of the selection, with the keys that someone set: known from `has`, else every value that is there.
 * @param {SettingsLike} settings
 */
export function settingsFacts(settings) {
  const values = settingsSnapshot(settings, 'select')
  const isExplicit = (/** @type {string} */ key) => (settings.has ? settings.has(key) : key in values)
  return { settings: values, explicit: ['computer.enabled', 'computer.alwaysOn'].filter(isExplicit) }
}

/**
 * Facts about this process, unless the host gave its own.
 * @param {HostFacts} [facts]
 */
export function hostFacts(facts = {}) {
  const env = facts.env ?? process.env
  const { variables, programs } = selectionFacts()
  const has = facts.pathHas
  return {
    platform: facts.platform ?? process.platform,
    arch: facts.arch ?? process.arch,
    env: Object.fromEntries(variables.filter((name) => env[name] !== undefined).map((name) => [name, env[name]])),
    path: env.PATH ?? env.Path ?? '',
    programs: has ? Object.fromEntries(programs.map((name) => [name, Boolean(has.call(facts, name))])) : {},
  }
}

/** @type {{ variables: string[], programs: string[] } | undefined} */
let knownFacts
function selectionFacts() {
  return (knownFacts ??= /** @type {{ variables: string[], programs: string[] }} */ (JSON.parse(native.selectionFacts())))
}

/**
 * The context of one executor call.
 * @param {ToolSession} session
 * @param {string} group the settings it reads
 */
export function callContext(session, group) {
  const home = homedir()
  return {
    cwd: session.cwd,
    home,
    settings: settingsSnapshot(session.settings, group),
    hasEditTool: session.hasEditTool !== false,
    allowedRoots: allowedRoots(session),
    stateDirs: stateDirs(session.stateDir, home),
    ...(session.planFile && { planFile: absolute(session.planFile, 'session.planFile') }),
    ...modeFacts(session),
  }
}

/** What chooses the mode of `edit`, or how much may differ, before any setting does. */
const editVariables = ['GJC_EDIT_VARIANT', 'PI_EDIT_VARIANT', 'PI_EDIT_FUZZY', 'PI_EDIT_FUZZY_THRESHOLD']

/** Those variables as they were when the session's `edit` was made. @type {WeakMap<object, string[][]>} */
const environments = new WeakMap()

/**
 * Remembers the variables that choose how `edit` works: most of what a program sets later does not count.
 * @param {ToolSession} session
 */
export function rememberEnvironment(session) {
  environments.set(session, environment())
}

/**
 * What chooses the mode of `edit` beside the settings. Whoever shows lines needs it too: anchors are for one mode alone.
 * @param {import('../../index.d.ts').EditModeSessionLike} session
 */
export function modeFacts(session) {
  const now = environment()
  const env = environments.get(session) ?? now
  return { env, ...(now.length > 0 && { laterEnv: now }), model: modelName(session) }
}

function environment() {
  return editVariables.flatMap((name) => (process.env[name] === undefined ? [] : [[name, /** @type {string} */ (process.env[name])]]))
}

/**
 * The model of a session as `provider/id`, where it tells.
 * @param {import('../../index.d.ts').EditModeSessionLike} session
 */
function modelName(session) {
  const { model } = session
  if (typeof model?.id === 'string') return `${model.provider ?? ''}/${model.id}`
  const name = session.getActiveModelString?.()
  return typeof name === 'string' ? name : undefined
}

/**
 * Absent: no bounds. What is there but no list of paths is a fault, never taken for absence.
 * @param {ToolSession} session
 */
function allowedRoots({ allowedRoots: roots }) {
  if (roots === undefined || roots === null) return undefined
  if (!Array.isArray(roots)) throw invalidArgument('session.allowedRoots', `expected an array of absolute paths, got ${describe(roots)}`)
  roots.forEach((root, index) => {
    const path = `session.allowedRoots[${index}]`
    if (typeof root !== 'string') throw invalidArgument(path, `expected an absolute path, got ${describe(root)}`)
    if (!isAbsolute(root)) throw invalidArgument(path, `expected an absolute path, got \`${root}\``)
  })
  return roots
}

/** @type {WeakMap<ToolSession, import('./binding.d.ts').SessionState>} */
const states = new WeakMap()

/**
 * What the engine remembers for a session, made with its first call.
 * @param {ToolSession} session
 */
export function sessionState(session) {
  const state = states.get(session) ?? new native.SessionState()
  states.set(session, state)
  return state
}

/** @type {WeakMap<ToolSession, string[]>} */
const toolNames = new WeakMap()

/**
 * Remembers which tools a session was given.
 * @param {ToolSession} session
 * @param {string[]} names
 */
export function rememberToolNames(session, names) {
  toolNames.set(session, names)
}

/**
 * The tools a session was given; absent where nobody said.
 * @param {ToolSession} session
 */
export function toolNamesOf(session) {
  return toolNames.get(session)
}

/** Looked up once: every call needs them. @type {Map<string, string[]>} */
const placesOfHome = new Map()

/**
 * Where journals may lie: the session's own directory, else one of this user in the places systems have for that.
 * @param {string | undefined} own
 * @param {string} home
 */
function stateDirs(own, home) {
  if (own) return [absolute(own, 'session.stateDir')]
  const places = placesOfHome.get(home) ?? placesOf(home)
  placesOfHome.set(home, places)
  return places
}

/** @param {string} home */
function placesOf(home) {
  const { env, platform } = process
  const cache =
    env.XDG_CACHE_HOME || (platform === 'win32' ? env.LOCALAPPDATA : join(home, platform === 'darwin' ? 'Library/Caches' : '.cache'))
  return [...(cache ? [join(cache, folderName)] : []), join(tmpdir(), `${folderName}-${process.getuid?.() ?? ''}`)]
}

/** The folder of this package in directories that packages share. */
const folderName = 'gajae-tool-core'

/**
 * @param {unknown} path
 * @param {string} name
 */
function absolute(path, name) {
  if (typeof path !== 'string' || !isAbsolute(path)) {
    throw invalidArgument(name, `expected an absolute path, got ${typeof path === 'string' ? `\`${path}\`` : describe(path)}`)
  }
  return path
}

/**
 * Adds where the user's git configuration may lie: its rules count for what is searched.
 * @template {Record<string, any>} C
 * @param {C} context
 */
export function withConfigHome(context) {
  const home = process.env.XDG_CONFIG_HOME
  return home ? { ...context, env: [...(context.env ?? []), ['XDG_CONFIG_HOME', home]] } : context
}

/** @param {unknown} value */
export function describe(value) {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return value === undefined ? 'nothing' : `a value of type ${typeof value}`
}

/** @param {string} path */
export function isAbsolute(path) {
  return path.startsWith('/') || (process.platform === 'win32' && /^([a-zA-Z]:[\\/]|\\\\)/.test(path))
}
