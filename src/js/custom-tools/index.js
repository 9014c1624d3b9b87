// Tools that people write as modules: found by the engine, imported here, checked, and named so that no two clash.

import { homedir } from 'node:os'
import { isAbsolute } from 'node:path'
import native from '../native.cjs'
import { callNativeSync, invalidArgument, renderError } from '../errors.js'
import { toJson } from '../json.js'
import { describe } from '../session.js'
import { callNative } from '../signal.js'
import { completeLogger, createApi } from './api.js'
import { faultOf } from './check.js'
import { loadModules } from './load.js'
import { rememberLogger } from './events.js'

/** @typedef {import('../../../index.d.ts').CustomToolLoadOptions} CustomToolLoadOptions */
/** @typedef {import('../../../index.d.ts').CustomToolsLoadResult} CustomToolsLoadResult */
/** @typedef {import('../../../index.d.ts').LoadedCustomTool} LoadedCustomTool */
/** @typedef {import('../../../index.d.ts').PushPendingAction} PushPendingAction */
/** @typedef {import('../../../index.d.ts').ToolLoadError} ToolLoadError */
/** @typedef {import('../../../index.d.ts').ToolPathWithSource} ToolPathWithSource */
/** @typedef {import('./load.js').Item} Item */
/** @typedef {import('./load.js').FoundModule} FoundModule */

export { createNoOpUIContext } from './api.js'
export { applyToolProxy, CustomToolAdapter } from './adapter.js'
export { emitCustomToolSessionEvent } from './events.js'
export { execCommand } from './exec.js'

const CONFIGURED = Object.freeze({ provider: 'config', providerName: 'configured paths', level: /** @type {const} */ ('project') })

/**
 * Loads the tools of all folders and plugins, then those of configured paths.
 * @param {string[]} configuredPaths
 * @param {string} cwd absolute
 * @param {string[]} builtInToolNames
 * @param {PushPendingAction} [pushPendingAction]
 * @param {CustomToolLoadOptions} [options]
 * @returns {Promise<CustomToolsLoadResult>}
 */
export async function discoverAndLoadCustomTools(configuredPaths, cwd, builtInToolNames, pushPendingAction, options = {}) {
  checkTexts(configuredPaths, 'configuredPaths')
  const loader = new CustomToolLoader(options.pi, cwd, builtInToolNames, pushPendingAction, options)
  await loader.load(configuredPaths.map((path) => ({ path, source: CONFIGURED })), true)
  return resultOf(loader)
}

/**
 * Loads the tools of paths that the host has collected itself.
 * @param {ToolPathWithSource[]} paths
 * @param {string} cwd absolute
 * @param {string[]} builtInToolNames
 * @param {PushPendingAction} [pushPendingAction]
 * @param {CustomToolLoadOptions} [options]
 * @returns {Promise<CustomToolsLoadResult>}
 */
export async function loadCustomTools(paths, cwd, builtInToolNames, pushPendingAction, options = {}) {
  const loader = new CustomToolLoader(options.pi, cwd, builtInToolNames, pushPendingAction, options)
  await loader.load(paths)
  return resultOf(loader)
}

/**
 * The absolute path that a text means, as configured paths are read.
 * @param {string} filePath
 * @param {string} cwd absolute
 */
export function resolvePath(filePath, cwd) {
  for (const [name, value] of Object.entries({ filePath, cwd })) {
    if (typeof value !== 'string') throw invalidArgument(name, `expected a path, got ${describe(value)}`)
  }
  return callNativeSync(() => native.resolvePath(filePath, cwd, homedir()))
}

/** Loads tools; all of them share one API object and one set of names. */
export class CustomToolLoader {
  /** @type {LoadedCustomTool[]} */
  tools = []
  /** @type {ToolLoadError[]} */
  errors = []
  /** Names in lower case, as sessions compare them, and whose they are. @type {Map<string, string>} */
  #taken = new Map()
  #cwd
  #options
  #logger
  #api
  /** @type {(ui: import('../../../index.d.ts').CustomToolUIContext, hasUI: boolean) => void} */
  setUIContext

  /**
   * @param {unknown} pi what the host gives to the modules
   * @param {string} cwd absolute
   * @param {string[]} builtInToolNames
   * @param {PushPendingAction} [pushPendingAction]
   * @param {CustomToolLoadOptions} [options]
   */
  constructor(pi, cwd, builtInToolNames, pushPendingAction, options = {}) {
    if (typeof cwd !== 'string' || !isAbsolute(cwd)) throw invalidArgument('cwd', `expected an absolute path, got ${typeof cwd === 'string' ? `\`${cwd}\`` : describe(cwd)}`)
    checkTexts(builtInToolNames, 'builtInToolNames')
    checkOptions(options, pushPendingAction)
    if (!options.allowOverride) for (const name of builtInToolNames) this.#taken.set(name.toLowerCase(), 'a built-in tool')
    this.#cwd = cwd
    this.#options = options
    this.#logger = completeLogger(options.logger)
    const { api, setUIContext } = createApi({ pi, cwd, logger: this.#logger, pushPendingAction })
    this.#api = api
    this.setUIContext = setUIContext
  }

  /**
   * Loads paths. May be called again; what was loaded stays.
   * @param {ToolPathWithSource[]} paths
   * @param {boolean} [discover] looks through the folders and plugins before
   */
  async load(paths, discover = false) {
    const { configDirName = '.xcsh', manifestKey = configDirName.replace(/^\./, ''), home = homedir(), disabled = [] } = this.#options
    checkPaths(paths)
    const question = toJson({ cwd: this.#cwd, home, configDirName, manifestKey, disabled, discover, paths }, 'paths')
    /** @type {Item[]} */
    const items = JSON.parse(await callNative(undefined, (handle) => native.findCustomTools(question, handle)))
    const modules = items.filter((item) => item.kind === 'module')
    const loaded = await loadModules(modules, this.#api, this.#options)
    const results = new Map(modules.map((module, index) => [/** @type {Item} */ (module), loaded[index]]))
    const before = this.tools.length
    /** @type {Map<LoadedCustomTool, FoundModule>} */
    const origins = new Map()
    for (const item of items) {
      const result = results.get(item)
      if (item.kind === 'refused') this.#refuse(item, item.code, item.reason)
      else if (item.kind === 'module' && result) this.#takeIn(item, result, origins)
    }
    // Last, since a description may stand before its tool.
    for (const item of items) if (item.kind === 'metadata') this.#describe(item, this.tools.slice(before), origins)
    const place = new Map(items.map((item, index) => [item.path, index]))
    this.errors.sort((one, other) => (place.get(one.path) ?? -1) - (place.get(other.path) ?? -1))
  }

  /**
   * @param {FoundModule} module
   * @param {import('./load.js').Loaded} result
   * @param {Map<LoadedCustomTool, FoundModule>} origins
   */
  #takeIn(module, result, origins) {
    if ('code' in result) return this.#refuse(module, result.code, result.reason)
    for (const value of result.values) {
      const fault = faultOf(value)
      if (fault !== undefined) {
        this.#refuse(module, 'invalid_tool', fault)
        continue
      }
      const tool = /** @type {any} */ (value)
      const name = /** @type {string} */ (tool.name)
      const { disabled = [] } = this.#options
      if (disabled.includes(name) || disabled.includes(`tool:${name}`)) continue
      const holder = this.#taken.get(name.toLowerCase())
      if (holder !== undefined) {
        this.#refuse(module, 'name_conflict', `the name \`${name}\` is taken by ${holder}`)
        continue
      }
      this.#taken.set(name.toLowerCase(), module.resolvedPath)
      const { path, resolvedPath, source } = module
      const loaded = { path, resolvedPath, tool, ...(source ? { source } : {}) }
      rememberLogger(tool, this.#logger)
      origins.set(loaded, module)
      this.tools.push(loaded)
    }
  }

  /**
   * Gives a description to a tool that has none; metadata that no tool goes by is refused.
   * @param {import('./load.js').FoundMetadata} item
   * @param {LoadedCustomTool[]} tools
   * @param {Map<LoadedCustomTool, FoundModule>} origins
   */
  #describe(item, tools, origins) {
    const { stem, folder, metadata } = item
    const isMeant = (/** @type {LoadedCustomTool} */ loaded) => {
      const module = origins.get(loaded)
      return loaded.tool.name === (metadata.name ?? stem) || (module?.folder === folder && module.stem === stem)
    }
    const meant = tools.filter(isMeant)
    if (meant.length > 0 && meant.every(({ tool }) => completed(tool, metadata))) return
    this.#refuse(item, 'declarative_file', 'it describes a tool but is none: a tool is a JavaScript or TypeScript module')
  }

  /**
   * @param {import('./load.js').Origin} item
   * @param {string} code
   * @param {string} error
   */
  #refuse({ path, source }, code, error) {
    this.errors.push({ path, error, code, ...(source ? { source } : {}) })
  }
}

/**
 * Gives a tool what it does not say itself; false where it cannot be given anything.
 * @param {any} tool
 * @param {any} metadata
 */
function completed(tool, metadata) {
  const missing = ['label', 'description'].filter((key) => !tool[key] && metadata[key])
  return missing.every((key) => Reflect.defineProperty(tool, key, { value: metadata[key], writable: true, enumerable: true, configurable: true }))
}

/** @param {CustomToolLoader} loader */
function resultOf({ tools, errors, setUIContext }) {
  return { tools, errors, setUIContext }
}

/**
 * @param {CustomToolLoadOptions} options
 * @param {unknown} pushPendingAction
 */
function checkOptions(options, pushPendingAction) {
  if (typeof options !== 'object' || options === null) throw invalidArgument('options', `expected an object, got ${describe(options)}`)
  const { configDirName, manifestKey, home, timeoutMs, disabled, trust } = options
  for (const [name, value] of Object.entries({ configDirName, manifestKey, home })) {
    if (value !== undefined && (typeof value !== 'string' || value === '')) throw invalidArgument(`options.${name}`, `expected a text, got ${describe(value)}`)
  }
  if (timeoutMs !== undefined && !(Number.isFinite(timeoutMs) && timeoutMs > 0)) throw invalidArgument('options.timeoutMs', `expected milliseconds above 0, got ${timeoutMs}`)
  if (disabled !== undefined) checkTexts(disabled, 'options.disabled')
  // A misspelled function must not open what it was to close.
  for (const [name, value] of Object.entries({ 'options.trust': trust, pushPendingAction })) {
    if (value !== undefined && typeof value !== 'function') throw invalidArgument(name, `expected a function, got ${describe(value)}`)
  }
}

/** @param {any} paths */
function checkPaths(paths) {
  if (!Array.isArray(paths)) throw invalidArgument('paths', `expected an array of {path}, got ${describe(paths)}`)
  paths.forEach((entry, index) => {
    if (typeof entry?.path !== 'string') throw invalidArgument(`paths[${index}].path`, `expected a path, got ${describe(entry?.path)}`)
  })
}

/**
 * @param {any} values
 * @param {string} name
 */
function checkTexts(values, name) {
  if (!Array.isArray(values)) throw invalidArgument(name, `expected an array of texts, got ${describe(values)}`)
  values.forEach((value, index) => {
    if (typeof value !== 'string') throw invalidArgument(`${name}[${index}]`, `expected a text, got ${describe(value)}`)
  })
}
