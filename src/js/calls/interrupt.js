// The signal of a batch: the run's and our own in one. A single listener on the run's signal, gone with the batch.

/** One signal for all calls of a batch. */
export class Interrupt {
  #own = new AbortController()
  /** @type {AbortSignal | undefined} */
  #outer
  #forward = () => this.#own.abort(this.#outer?.reason)

  /** @param {AbortSignal} [outer] the signal of the run */
  constructor(outer) {
    this.#outer = outer
    if (outer?.aborted) this.#forward()
    else outer?.addEventListener('abort', this.#forward)
  }

  /** For hooks and for tools that may be cancelled. */
  get signal() {
    return this.#own.signal
  }

  /** Whether the whole run was aborted. */
  get isRunAborted() {
    return this.#outer?.aborted === true
  }

  /**
   * Ends what runs in this batch; the run goes on.
   * @param {unknown} reason
   */
  interrupt(reason) {
    this.#own.abort(reason)
  }

  /** The batch has ended. */
  close() {
    this.#outer?.removeEventListener('abort', this.#forward)
  }
}
