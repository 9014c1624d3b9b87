// From items that were found to tools. One bad item never hides, stops or delays another for longer than its time.

import { exportOf, importModule, reasonOf } from './import-module.js'
import { isClass, isTool } from './check.js'
import { renderError } from '../errors.js'
import { describe } from '../session.js'

/** @typedef {import('../../../index.d.ts').CustomToolAPI} CustomToolAPI */
/**
 * What the engine found; see src/engine/custom/collect.rs.
 * @typedef {{ path: string, source?: import('../../../index.d.ts').ToolSourceInfo | null }} Origin
 * @typedef {Origin & { kind: 'module', resolvedPath: string, entry: string, stem: string, folder: string, loader: 'plain' | 'translated' }} FoundModule
 * @typedef {Origin & { kind: 'metadata', stem: string, folder: string, metadata: { name?: string | null, label?: string | null, description?: string | null } }} FoundMetadata
 * @typedef {Origin & { kind: 'refused', code: string, reason: string }} Refused
 * @typedef {FoundModule | FoundMetadata | Refused} Item
 */
/** @typedef {{ values: unknown[] } | { code: string, reason: string }} Loaded */
/** @typedef {(path: string, level: 'user' | 'project') => boolean | Promise<boolean>} Trust */

/** How long a module may take, from its import to the tools of its factory. */
const DEFAULT_TIMEOUT = 10_000

/** Modules under way: a few that wait must not hold up the rest, and many at once would eat up each other's time. */
const AT_ONCE = 16

/**
 * What each of the modules brings, in their order.
 * @param {FoundModule[]} modules
 * @param {CustomToolAPI} api
 * @param {{ timeoutMs?: number, trust?: Trust }} options
 * @returns {Promise<Loaded[]>}
 */
export async function loadModules(modules, api, { timeoutMs = DEFAULT_TIMEOUT, trust }) {
  /** @type {Loaded[]} */
  const loaded = []
  // All questions before the first import: what was refused must not be reached by a module that was not.
  for (const [index, module] of modules.entries()) {
    const refusal = trust && (await distrust(module, trust))
    if (refusal) loaded[index] = refusal
  }
  const waiting = [...modules.keys()].filter((index) => loaded[index] === undefined)
  const work = async () => {
    for (let index = waiting.shift(); index !== undefined; index = waiting.shift()) {
      loaded[index] = await withinTime(timeoutMs, () => load(modules[index], api))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return loaded
}

/**
 * Why a module of the project is not imported; nothing if it may be. Whose it is nobody knows counts as the project's.
 * @param {FoundModule} module
 * @param {Trust} trust
 * @returns {Promise<Loaded | undefined>}
 */
async function distrust({ resolvedPath, source }, trust) {
  if (source?.level === 'user') return undefined
  try {
    if ((await trust(resolvedPath, 'project')) === true) return undefined
    return { code: 'untrusted', reason: 'the project is not trusted with running code' }
  } catch (error) {
    return { code: 'untrusted', reason: `whether it may run could not be asked: ${renderError(error)}` }
  }
}

/**
 * @param {FoundModule} module
 * @param {CustomToolAPI} api
 * @returns {Promise<Loaded>}
 */
async function load({ entry, loader }, api) {
  let factory
  try {
    factory = exportOf(await importModule(entry, loader))
  } catch (error) {
    return { code: 'load_failed', reason: reasonOf(error, entry) }
  }
  if (isTool(factory)) return { values: [factory] }
  if (typeof factory !== 'function') {
    return { code: 'not_a_function', reason: `expected a function as default export, which makes a tool or several, got ${describe(factory)}` }
  }
  if (isClass(factory)) return { code: 'not_a_function', reason: 'exports a class; expected a function that gives back a tool' }
  try {
    const made = await factory(api)
    return { values: Array.isArray(made) ? [...made] : [made] }
  } catch (error) {
    return { code: 'load_failed', reason: reasonOf(error, entry) }
  }
}

/**
 * What work comes to, or that it takes too long. It cannot be stopped: what it brings later is not looked at.
 * @param {number} milliseconds
 * @param {() => Promise<Loaded>} work
 * @returns {Promise<Loaded>}
 */
async function withinTime(milliseconds, work) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer
  const end = new Promise((/** @type {(late: Loaded) => void} */ resolve) => {
    timer = setTimeout(() => resolve({ code: 'timeout', reason: `not loaded within ${milliseconds} ms` }), milliseconds)
  })
  try {
    return await Promise.race([work(), end])
  } finally {
    clearTimeout(timer)
  }
}
