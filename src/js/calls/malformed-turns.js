// Turns whose calls all failed their argument checks: a model that repeats itself is asked once without tools, and one
// that goes on is stopped.

const most = 5

const recovery = {
  prompt:
    'The arguments of your last tool calls were refused again and again. Tools are not available for this answer. Say in words what you want to call, with which arguments, and what about them was refused; then go on from there.',
  refusal: 'Not run, since tools are not available for this answer',
}

/** The malformed turns of one run. */
export class MalformedTurns {
  /** @type {Set<string>} */
  #last = new Set()
  #count = 0
  #isDue = false
  #isUsed = false

  /**
   * A turn has ended.
   * @param {readonly string[]} signatures of the calls that failed their argument checks
   * @param {number} calls how many calls there were
   */
  note(signatures, calls) {
    if (calls === 0 || signatures.length < calls) {
      this.#count = 0
      this.#last.clear()
      return
    }
    this.#count += 1
    const now = new Set(signatures)
    const isRepeated = now.size < signatures.length || signatures.some((signature) => this.#last.has(signature))
    this.#last = now
    this.#isDue = isRepeated && !this.#isUsed
  }

  /** The one recovery of a run, when it is due; told once. */
  takeRecovery() {
    if (!this.#isDue) return undefined
    this.#isDue = false
    this.#isUsed = true
    return recovery
  }

  /** Whether the run must end. */
  get isHopeless() {
    return this.#count >= most
  }

  /** Why. */
  get complaint() {
    return `The arguments of every tool call were refused in ${most} turns in a row`
  }
}
