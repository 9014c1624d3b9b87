// `read`, and what only the host can answer for it: internal addresses, and which pages may be fetched.

import native from '../native.cjs'
import { invalidArgument, throwIfAborted } from '../errors.js'
import { artifactFolder } from '../spill.js'
import { describe } from '../session.js'
import { defineNativeTool } from './native-tool.js'

/** @typedef {import('../../../index.d.ts').ToolSession} ToolSession */
/** @typedef {import('../../../index.d.ts').InternalResource} InternalResource */
/** @typedef {{ url: string, artifact?: string }} Address */

/** Fetched pages of one session are not shown to another. @type {WeakMap<ToolSession, number>} */
const numbers = new WeakMap()
let sessions = 0

/** Reads files, directories, documents, pictures, web pages and the host's internal addresses. */
export class ReadTool {
  /** @param {ToolSession} session */
  constructor(session) {
    const complete = (/** @type {Record<string, any>} */ context, /** @type {any} */ { path }, /** @type {AbortSignal | undefined} */ signal) => {
      const fetch = fetchPolicy(session)
      // Almost every path: spares the crossing.
      if (typeof path !== 'string' || !path.includes('://')) return { ...context, remote: { fetch } }
      const skills = (session.skills ?? []).map(({ name }) => name)
      const address = /** @type {Address | null} */ (native.internalAddress(path, skills))
      if (address === null) return { ...context, remote: { fetch } }
      return resolved(session, address, signal).then((internal) => ({ ...context, remote: { fetch, skills, internal } }))
    }
    defineNativeTool(this, 'read', session, native.execRead, { complete })
  }
}

/** @param {ToolSession} session */
function fetchPolicy(session) {
  let number = numbers.get(session)
  if (number === undefined) {
    number = sessions += 1
    numbers.set(session, number)
  }
  const policy = session.fetchPolicy ?? {}
  if (typeof policy !== 'object') throw invalidArgument('session.fetchPolicy', `expected an object, got ${describe(policy)}`)
  const { allowPrivate = false, timeoutMs, maxBytes } = policy
  return { allowPrivate, timeoutMs, maxBytes, session: number }
}

/**
 * What an internal address stands for: a text this package kept itself, else what the host says.
 * @param {ToolSession} session
 * @param {Address} address
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<InternalResource | undefined>}
 */
async function resolved(session, { url, artifact }, signal) {
  if (artifact !== undefined) {
    const kept = await keptText(session, artifact, signal)
    if (kept) return kept
  }
  if (typeof session.resolveInternalUrl !== 'function') return undefined
  const answer = await untilAborted(session.resolveInternalUrl(url, signal), signal)
  // Known to be nothing, which is not the same as nobody to ask.
  if (answer === undefined || answer === null) return {}
  return checkedResource(answer)
}

/**
 * What a promise of the host's gives, unless the signal fires first: the host may never answer.
 * @template T
 * @param {Promise<T> | T} answer
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<T>}
 */
async function untilAborted(answer, signal) {
  if (!signal) return await answer
  let abort = () => {}
  const aborted = new Promise((resolve) => {
    abort = () => resolve(undefined)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort)
  })
  try {
    const given = await Promise.race([answer, aborted])
    throwIfAborted(signal)
    return given
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/**
 * @param {ToolSession} session
 * @param {string} id
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<InternalResource | undefined>}
 */
async function keptText(session, id, signal) {
  const { artifacts } = session
  if (typeof artifacts?.read === 'function') {
    const text = await untilAborted(artifacts.read(id), signal)
    return typeof text === 'string' ? { text, immutable: true } : undefined
  }
  const folder = artifactFolder(session)
  const path = folder && (await native.keptPath(folder, id))
  return path ? { path, immutable: true } : undefined
}

/**
 * @param {any} answer
 * @returns {InternalResource}
 */
function checkedResource(answer) {
  const given = 'the answer of session.resolveInternalUrl'
  if (typeof answer !== 'object') throw invalidArgument(given, `expected an object, got ${describe(answer)}`)
  const { text, mimeType, immutable, path } = answer
  for (const [name, value] of Object.entries({ text, mimeType, path })) {
    if (value !== undefined && typeof value !== 'string') throw invalidArgument(`${given}.${name}`, `expected a text, got ${describe(value)}`)
    if (value !== undefined && !value.isWellFormed()) throw invalidArgument(`${given}.${name}`, 'holds half of a surrogate pair, which is no character')
  }
  return { text, mimeType, immutable: Boolean(immutable), path }
}
