// Commands in the background, as the host sees them: what there is, waiting, ending, and being told of an end.

import { invalidArgument, throwIfAborted } from './errors.js'
import { checkSession, describe, sessionState } from './session.js'
import { keepOutput, storeOf } from './spill.js'

/** @typedef {import('../../index.d.ts').ToolSession} ToolSession */
/** @typedef {import('../../index.d.ts').BackgroundJob} BackgroundJob */

/** Who waits for the next end of a job. @type {WeakMap<ToolSession, Set<() => void>>} */
const waiting = new WeakMap()

/**
 * Every job of a session, the oldest first; an ended one for five minutes.
 * @param {ToolSession} session
 * @returns {BackgroundJob[]}
 */
export function listJobs(session) {
  checkSession(session)
  return JSON.parse(sessionState(session).jobs())
}

/**
 * Waits until one of the jobs has ended, at most `timeoutMs`; what they are then.
 * @param {ToolSession} session
 * @param {{ ids?: string[], timeoutMs?: number, signal?: AbortSignal }} [options]
 * @returns {Promise<BackgroundJob[]>}
 */
export async function pollJobs(session, { ids, timeoutMs = 0, signal } = {}) {
  checkSession(session)
  if (ids !== undefined && !Array.isArray(ids)) throw invalidArgument('ids', `expected an array of ids, got ${describe(ids)}`)
  if (typeof timeoutMs !== 'number' || !(timeoutMs >= 0)) throw invalidArgument('timeoutMs', `expected a number of at least 0, got ${describe(timeoutMs)}`)
  throwIfAborted(signal)
  const asked = () => listJobs(session).filter(({ id }) => ids === undefined || ids.includes(id))
  const jobs = asked()
  if (timeoutMs === 0 || jobs.length === 0 || jobs.some(({ state }) => state !== 'running')) return jobs
  const end = Date.now() + timeoutMs
  while (asked().every(({ state }) => state === 'running') && Date.now() < end) await nextEnd(session, end - Date.now(), signal)
  return asked()
}

/**
 * Ends a job. Whether it was running.
 * @param {ToolSession} session
 * @param {string} id
 */
export function cancelJob(session, id) {
  checkSession(session)
  if (typeof id !== 'string') throw invalidArgument('id', `expected a text, got ${describe(id)}`)
  return sessionState(session).cancelJob(id)
}

/**
 * Ends every job of a session.
 * @param {ToolSession} session
 */
export function cancelJobs(session) {
  for (const { id } of listJobs(session)) cancelJob(session, id)
}

/**
 * A job has ended: its output is kept, then the host is told. What the host does with that cannot hurt anyone.
 * @param {ToolSession} session
 * @param {string} id
 */
export async function jobEnded(session, id) {
  const state = sessionState(session)
  const ended = state.jobToKeep(id)
  const store = storeOf(session)
  if (ended && store) {
    const kept = await keepOutput(store, ended, session)
    const failure = kept && 'failure' in kept ? kept.failure : undefined
    state.settleJob(id, kept && 'id' in kept ? kept.id : undefined, kept && 'id' in kept ? kept.missing : undefined, failure)
  }
  for (const wake of waiting.get(session) ?? []) wake()
  const job = state.job(id)
  if (job === null || typeof session.onJobEnd !== 'function') return
  try {
    await session.onJobEnd(JSON.parse(job))
  } catch (error) {
    session.logger?.warn?.(`The end of ${id} could not be told: ${error}`)
  }
}

/**
 * Until the next end of a job, at most so long.
 * @param {ToolSession} session
 * @param {number} limit
 * @param {AbortSignal} [signal]
 */
function nextEnd(session, limit, signal) {
  const all = waiting.get(session) ?? new Set()
  waiting.set(session, all)
  return new Promise((resolve, reject) => {
    const finish = () => {
      clearTimeout(timer)
      all.delete(finish)
      signal?.removeEventListener('abort', finish)
      if (signal?.aborted) reject(signal.reason)
      else resolve(undefined)
    }
    const timer = setTimeout(finish, Math.min(limit, 2 ** 31 - 1))
    all.add(finish)
    signal?.addEventListener('abort', finish)
  })
}
