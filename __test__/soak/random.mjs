// Numbers that look random and come again with their seed.

/** @param {number} seed */
export function random(seed) {
  let state = seed >>> 0
  /** A number from 0 to below 1. */
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (/** @type {number} */ limit) => Math.floor(next() * limit)
  return {
    below,
    between: (/** @type {number} */ least, /** @type {number} */ most) => least + below(most - least + 1),
    chance: (/** @type {number} */ part) => next() < part,
    /** @template T @param {readonly T[]} list @returns {T} */
    pick: (list) => list[below(list.length)],
  }
}

/** @typedef {ReturnType<typeof random>} Random */
