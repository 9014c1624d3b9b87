// When calls of a batch may run. Decided up front: shared calls side by side, an exclusive one alone, in call order.

/**
 * Runs calls in stages: neighbours that are shared form one, each exclusive call is one of its own, and a stage starts
 * when the one before has ended.
 * @template T
 * @param {readonly T[]} calls
 * @param {(call: T) => boolean} isExclusive
 * @param {(call: T) => Promise<void>} run must not reject
 */
export async function runInStages(calls, isExclusive, run) {
  for (const stage of stages(calls, isExclusive)) await Promise.all(stage.map(run))
}

/**
 * @template T
 * @param {readonly T[]} calls
 * @param {(call: T) => boolean} isExclusive
 */
function stages(calls, isExclusive) {
  /** @type {T[][]} */
  const stages = []
  let isOpen = false
  for (const call of calls) {
    const isAlone = isExclusive(call)
    if (isOpen && !isAlone) stages[stages.length - 1].push(call)
    else stages.push([call])
    isOpen = !isAlone
  }
  return stages
}
