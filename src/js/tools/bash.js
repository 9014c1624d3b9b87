// The shell, and what runs through it.

import native from '../native.cjs'
import { callNativeSync, invalidArgument } from '../errors.js'
import { jobEnded } from '../jobs.js'
import { callContext, describe, settingOf, toolNamesOf } from '../session.js'
import { keepOutput, storeOf } from '../spill.js'
import { terminalFor } from '../terminal.js'
import { defineNativeTool } from './native-tool.js'

/** @typedef {import('../../../index.d.ts').ToolSession} ToolSession */

/** Runs a shell command. */
export class BashTool {
  /** @param {ToolSession} session */
  constructor(session) {
    const complete = (/** @type {Record<string, any>} */ context, /** @type {any} */ { command }, /** @type {AbortSignal | undefined} */ signal) => {
      const addresses = addressesOf(command, session, signal)
      return addresses ? addresses.then((found) => withHost(context, session, found)) : withHost(context, session)
    }
    defineNativeTool(this, 'bash', session, executorFor(session, native.execBash), { complete })
    if (!settingOf(session.settings, 'async.enabled')) delete (/** @type {any} */ (this).parameters.properties.async)
    Object.defineProperty(this, 'description', { get: () => descriptionFor(session), enumerable: true, configurable: true })
  }
}

/**
 * What becomes of a command's state is a setting, which may change.
 * @param {ToolSession} session
 */
function descriptionFor(session) {
  const readOnly = session.bashProfile !== undefined || session.bashAllowedPrefixes !== undefined
  return callNativeSync(() => native.bashDescription(JSON.stringify({ ...callContext(session, 'bash'), bash: { readOnly } })))
}

/** Runs a task of the project. Made by {@link recipeTool}, which knows whether there is any. */
export class RecipeTool {
  /**
   * @param {ToolSession} session
   * @param {string} [tasks] the tasks, in words
   */
  constructor(session, tasks) {
    defineNativeTool(this, 'recipe', session, executorFor(session, native.execRecipe), { complete: (context) => withHost(context, session), group: 'bash' })
    if (tasks !== undefined) /** @type {any} */ (this).description += `\n${tasks}\n`
  }
}

/**
 * The tool, where there are tasks.
 * @param {ToolSession} session
 */
export async function recipeTool(session) {
  const tasks = await native.recipeTasks(JSON.stringify(withHost(callContext(session, 'bash'), session)))
  return tasks === null ? null : new RecipeTool(session, tasks)
}

/**
 * The engine never reads the environment itself; a command runs with the one of the moment.
 * @param {Record<string, any>} context
 * @param {ToolSession} session
 * @param {string[][]} [addresses] what internal addresses stand for
 */
function withHost(context, session, addresses = []) {
  return {
    ...context,
    bash: { ...restrictions(session), tools: toolNamesOf(session), hasUi: session.hasUI === true, holdsOutput: storeOf(session) !== undefined, addresses },
    env: Object.entries(process.env),
  }
}

/**
 * What is there but makes no sense is a fault, never taken for absence.
 * @param {ToolSession} session
 */
function restrictions({ bashProfile: profile, bashAllowedPrefixes: prefixes }) {
  if (profile !== undefined && profile !== 'read-only') throw invalidArgument('session.bashProfile', `expected \`read-only\`, got ${describe(profile)}`)
  if (prefixes === undefined) return { readOnly: profile !== undefined }
  if (!Array.isArray(prefixes) || prefixes.some((prefix) => typeof prefix !== 'string')) {
    throw invalidArgument('session.bashAllowedPrefixes', `expected an array of texts, got ${describe(prefixes)}`)
  }
  return { readOnly: profile !== undefined, allowedPrefixes: prefixes }
}

/**
 * The files that internal addresses of a command stand for, as far as the host says so; absent where it has none.
 * @param {unknown} command
 * @param {ToolSession} session
 * @param {AbortSignal} [signal]
 * @returns {Promise<string[][]> | undefined}
 */
function addressesOf(command, session, signal) {
  if (typeof command !== 'string' || !command.includes('://') || typeof session.resolveInternalUrl !== 'function') return undefined
  const found = native.commandAddresses(command).map(async (address) => [address, (await session.resolveInternalUrl?.(address, signal))?.path])
  return Promise.all(found).then((all) => /** @type {string[][]} */ (all.filter(([, path]) => typeof path === 'string')))
}

/**
 * Runs a command. An output that is too long to be shown is kept before anything is said about it.
 * @param {ToolSession} session
 * @param {typeof native.execBash} run
 * @returns {import('./native-tool.js').Executor}
 */
function executorFor(session, run) {
  return async (arguments_, context, handle, state, onUpdate) => {
    const store = storeOf(session)
    const onEnd = mayGoOn(session) ? (/** @type {string} */ id) => jobEnded(session, id) : undefined
    const ended = await run(arguments_, context, handle, state, onUpdate, onEnd, terminalFor(session, arguments_))
    if (!(ended instanceof native.EndedCommand)) return ended
    const kept = store && (await keepOutput(store, ended, session))
    if (kept && 'failure' in kept) return ended.finish(undefined, undefined, kept.failure)
    return ended.finish(kept?.id, kept?.missing)
  }
}

/**
 * Whether a command may become a job; only then is it prepared for that.
 * @param {ToolSession} session
 */
function mayGoOn({ settings }) {
  return Boolean(settingOf(settings, 'async.enabled') || settingOf(settings, 'bash.autoBackground.enabled'))
}
