// Which calls a model wrote at once. None of them knows what another one left, so what they say of a file is meant of the
// file as it was before the first of them.

/** @typedef {{ id: string, isWhole: boolean, also?: string[] }} Turn */
/** @typedef {readonly { id: string, name: string }[]} Calls */

/** Tools whose calls end with the host's `afterWrite`, also by the name that providers know. */
const writing = new Set(['edit', 'apply_patch', 'write'])

/** The turns of calls that run as a batch, by the ids of the calls. @type {Map<string, { turn: Turn, calls: Calls }>} */
const batches = new Map()

/** The calls of a session that run by themselves. @type {WeakMap<object, Set<string>>} */
const running = new WeakMap()

let last = 0

/**
 * Tells that calls belong together, until the function that is given back is called.
 * @param {Calls} calls
 */
export function openTurn(calls) {
  const batch = { turn: { id: `turn ${(last += 1)}`, isWhole: true }, calls }
  for (const { id } of calls) batches.set(id, batch)
  return () => {
    for (const { id } of calls) if (batches.get(id) === batch) batches.delete(id)
  }
}

/**
 * Runs a call as a part of its turn: that of its batch, or the one its host names. Of a call by itself only those are
 * known to belong to it that have no result yet.
 * @template T
 * @param {object} session
 * @param {string} toolCallId
 * @param {any} toolContext what the host gives to tools
 * @param {(turn: Turn, batch?: { id: string, isLast: boolean }) => Promise<T>} run `isLast`: no call behind it writes
 * @returns {Promise<T>}
 */
export async function inTurn(session, toolCallId, toolContext, run) {
  const known = batches.get(toolCallId) ?? namedByHost(toolContext)
  if (known) {
    const { turn, calls } = known
    const behind = calls.slice(calls.findIndex(({ id }) => id === toolCallId) + 1)
    return run(turn, { id: turn.id, isLast: !behind.some(({ name }) => writing.has(name)) })
  }
  const others = running.get(session) ?? new Set()
  running.set(session, others)
  const id = `call ${(last += 1)}`
  const turn = { id, isWhole: false, also: [...others] }
  others.add(id)
  try {
    return await run(turn)
  } finally {
    others.delete(id)
  }
}

/** @param {any} toolContext @returns {{ turn: Turn, calls: Calls } | undefined} */
function namedByHost(toolContext) {
  const { batchId: id, toolCalls } = toolContext?.toolCall ?? {}
  if (typeof id !== 'string') return undefined
  return { turn: { id: `batch ${id}`, isWhole: true }, calls: Array.isArray(toolCalls) ? toolCalls : [] }
}
