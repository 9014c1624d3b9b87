// When calls that come one by one may run, for hosts whose own loop starts them: shared calls side by side, an exclusive
// one alone, in the order in which they came.

export class Turnstile {
  /** The last exclusive call. @type {Promise<unknown>} */
  #exclusive = Promise.resolve()
  /** The shared calls since then. @type {Set<Promise<unknown>>} */
  #shared = new Set()

  /**
   * @template T
   * @param {boolean} isExclusive
   * @param {() => Promise<T>} call
   * @returns {Promise<T>}
   */
  run(isExclusive, call) {
    const before = isExclusive ? Promise.all([this.#exclusive, ...this.#shared]) : this.#exclusive
    const result = before.then(call)
    const end = result.then(ignore, ignore)
    if (isExclusive) {
      this.#exclusive = end
      this.#shared = new Set()
    } else {
      const shared = this.#shared.add(end)
      void end.then(() => shared.delete(end))
    }
    return result
  }
}

function ignore() {}
