// Long results: the whole text goes to the host's store, or to a folder beside the session's file; the conversation gets
// what the engine decides to show.

import { basename, dirname, extname, join } from 'node:path'
import native from './native.cjs'
import { renderError } from './errors.js'
import { settingsSnapshot } from './session.js'

/** @typedef {import('../../index.d.ts').ToolSession} ToolSession */
/** @typedef {{ id: string, missing?: number }} Kept */
/** @typedef {(text: string, tool: string) => Promise<Kept | undefined>} Store */

/**
 * A result as it may enter the conversation.
 * @param {any} result
 * @param {string} tool
 * @param {ToolSession | undefined} session without one nothing is cut
 * @returns {Promise<any>}
 */
export async function bounded(result, tool, session) {
  if (typeof session?.settings?.get !== 'function' || !Array.isArray(result?.content)) return result
  const texts = result.content.filter(isText).map((/** @type {any} */ block) => block.text)
  if (texts.length === 0) return result
  const store = storeOf(session)
  const { details } = result
  const { artifactId, artifactTruncatedBytes } = details?.meta?.truncation ?? {}
  const settings = settingsSnapshot(session.settings, 'spill')
  const limits = { tool, settings, hasStore: Boolean(store), spillEligible: details?.spillEligible === true }
  // A UTF-16 unit is at most three bytes: what cannot be above the floor does not cross to the engine.
  const units = texts.reduce((/** @type {number} */ sum, /** @type {string} */ text) => sum + text.length + 1, 0)
  const floor = native.resultFloor(JSON.stringify({ ...limits, meta: artifactId === undefined ? null : { truncation: { artifactId } } }))
  if (floor === null || units * 3 <= floor) return result

  const facts = { ...limits, meta: details?.meta ?? null, notices: noticesOf(result).map(({ text }) => String(text ?? '')) }
  const whole = () => texts.join('\n')
  const spill = planned(native.planSpill, facts, texts)
  const kept = spill && store && (await keep(store, whole(), tool, session))
  const spilled = kept && 'id' in kept ? spill.truncation.outputBytes : undefined
  const cap = planned(native.planCap, { ...facts, spilledBytes: spilled }, texts)
  if (!cap) return spilled === undefined ? result : applied(result, spill, kept)
  if (artifactId !== undefined) return applied(result, cap, { id: artifactId, missing: artifactTruncatedBytes })
  return applied(result, cap, kept ?? (store && (await keep(store, whole(), tool, session))))
}

/** @param {any} block */
function isText(block) {
  return block?.type === 'text' && typeof block.text === 'string'
}

/**
 * @param {any} result
 * @returns {any[]}
 */
function noticesOf({ details }) {
  return Array.isArray(details?.notices) ? details.notices.filter(Boolean) : []
}

/**
 * @param {(facts: string, texts: string[]) => string | null} plan
 * @param {object} facts
 * @param {string[]} texts
 */
function planned(plan, facts, texts) {
  const decided = plan(JSON.stringify(facts), texts)
  return decided === null ? undefined : JSON.parse(decided)
}

/**
 * The result with what is left of its texts, each where it was.
 * @param {any} result
 * @param {any} plan
 * @param {Kept | { failure: string } | undefined} kept
 */
function applied(result, plan, kept) {
  const texts = plan.texts.values()
  const content = result.content.flatMap((/** @type {any} */ block) => {
    if (!isText(block)) return [block]
    const text = texts.next().value
    return text === null || text === undefined ? [] : [{ ...block, text }]
  })
  for (const text of texts) if (text !== null) content.push({ type: 'text', text })
  const said = content.filter(isText).map((/** @type {any} */ block) => block.text)
  const notices = [...noticesOf(result), ...plan.notices].filter(({ text }) => said.some((/** @type {string} */ block) => block.includes(text)))
  const meta = { ...result.details?.meta, truncation: { ...plan.truncation, ...artifactOf(kept, plan.truncation.artifactTruncatedBytes) } }
  for (const [key, value] of Object.entries(meta.truncation)) if (value === undefined) delete meta.truncation[key]
  const { notices: _, ...details } = result.details ?? {}
  return { ...result, content, details: { ...details, ...(notices.length > 0 && { notices }), meta } }
}

/**
 * @param {Kept | { failure: string } | undefined} kept
 * @param {number} [cutBefore] bytes that the tool had cut already
 */
function artifactOf(kept, cutBefore = 0) {
  if (!kept) return { artifactTruncatedBytes: undefined }
  if ('failure' in kept) return { artifactTruncatedBytes: undefined, artifactFailureDiagnostic: kept.failure }
  return { artifactId: kept.id, artifactTruncatedBytes: cutBefore + (kept.missing ?? 0) || undefined }
}

/**
 * Where whole texts go; absent: nowhere.
 * @param {ToolSession} session
 * @returns {Store | undefined}
 */
export function storeOf(session) {
  const artifacts = hostStore(session)
  if (artifacts) {
    return async (text, tool) => {
      const id = await artifacts.save(text, tool)
      return id === undefined || id === null ? undefined : { id: String(id) }
    }
  }
  const folder = artifactFolder(session)
  return folder === undefined ? undefined : (text, tool) => native.keepText(folder, tool, text)
}

/**
 * The host's own store: `artifacts`, or the manager that agents of this kind have.
 * @param {ToolSession} session
 * @returns {{ save(text: string, tool: string): Promise<unknown> } | undefined}
 */
function hostStore(session) {
  const store = typeof session.artifacts?.save === 'function' ? session.artifacts : session.getArtifactManager?.()
  return typeof store?.save === 'function' ? store : undefined
}

/**
 * The folder of kept texts beside the session's file, or where the host says; it may not be there yet.
 * @param {ToolSession} session
 * @returns {string | undefined}
 */
export function artifactFolder(session) {
  if (typeof session.artifacts?.save === 'function') return undefined
  const folder = session.getArtifactsDir?.()
  if (typeof folder === 'string' && folder !== '') return folder
  const file = session.getSessionFile?.()
  if (typeof file !== 'string' || file === '') return undefined
  return join(dirname(file), basename(file, extname(file)) + (extname(file) === '' ? '.artifacts' : ''))
}

/**
 * Keeps the output of a command; into a folder it goes without passing through memory.
 * @param {Store} store
 * @param {import('./binding.d.ts').EndedCommand} ended
 * @param {ToolSession} session
 */
export function keepOutput(store, ended, session) {
  const folder = hostStore(session) ? undefined : artifactFolder(session)
  if (folder === undefined) return keep(store, ended.output(), 'bash', session)
  return keep(async (_, tool) => ({ id: await ended.keepIn(folder, tool) }), '', 'bash', session)
}

/**
 * A store that fails costs the reference, never the result.
 * @param {Store} store
 * @param {string} text
 * @param {string} tool
 * @param {ToolSession} session
 * @returns {Promise<Kept | { failure: string } | undefined>}
 */
export async function keep(store, text, tool, session) {
  try {
    return await store(text, tool)
  } catch (error) {
    const failure = renderError(error)
    session.logger?.warn?.(`The output of ${tool} could not be kept: ${failure}`)
    return { failure }
  }
}
