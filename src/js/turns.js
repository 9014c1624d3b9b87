// Which calls a model wrote at once. None of them knows what another one left, so what they say of a file is meant of the
// file as it was before the first of them.

/** @typedef {{ id: string, isWhole: boolean, also?: string[] }} Turn */

/** The turns of calls that run as a batch, by the ids of the calls. @type {Map<string, Turn>} */
const batches = new Map()

/** The calls of a session that run by themselves. @type {WeakMap<object, Set<string>>} */
const running = new WeakMap()

let last = 0

/**
 * Tells that calls belong together, until the function that is given back is called.
 * @param {readonly string[]} toolCallIds
 */
export function openTurn(toolCallIds) {
  const turn = { id: `turn ${(last += 1)}`, isWhole: true }
  for (const id of toolCallIds) batches.set(id, turn)
  return () => {
    for (const id of toolCallIds) if (batches.get(id) === turn) batches.delete(id)
  }
}

/**
 * Runs a call as a part of its turn: that of its batch, or the one its host names. Of a call by itself only those are
 * known to belong to it that have no result yet.
 * @template T
 * @param {object} session
 * @param {string} toolCallId
 * @param {any} toolContext what the host gives to tools
 * @param {(turn: Turn) => Promise<T>} run
 * @returns {Promise<T>}
 */
export async function inTurn(session, toolCallId, toolContext, run) {
  const known = batches.get(toolCallId) ?? namedByHost(toolContext)
  if (known) return run(known)
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

/** @param {any} toolContext @returns {Turn | undefined} */
function namedByHost(toolContext) {
  const id = toolContext?.toolCall?.batchId
  return typeof id === 'string' ? { id: `batch ${id}`, isWhole: true } : undefined
}
