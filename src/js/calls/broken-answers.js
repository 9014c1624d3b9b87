// Answers that were to call a tool and hold no call: the provider lost it, or could not read what the model wrote. The
// model is asked again a few times, with a word on what went wrong; then the answer counts as failed.

/** What can be wrong, by the stop reasons that say so, and how often the model is asked again. */
const kinds = [
  {
    reasons: new Set(['tooluse', 'toolcall', 'toolcalls', 'functioncall']),
    retries: 1,
    complaint: 'The answer ended as if it called a tool, but holds no call',
    hint: 'Your last answer ended as if it called a tool, but no call arrived. Make the call again, or answer in words.',
  },
  {
    reasons: new Set(['malformedfunctioncall', 'malformedtoolcall', 'unexpectedtoolcall', 'toomanytoolcalls']),
    retries: 3,
    complaint: 'The provider could not read the tool call of the answer',
    hint: 'The provider could not read your last tool call. Call one of the tools that are offered, one call at a time, with arguments that fit its parameters.',
  },
]

/** The broken answers to one question. */
export class BrokenAnswers {
  #retries = 0
  /** @type {typeof kinds[number] | undefined} */
  #last

  /**
   * Looks at an answer.
   * @param {import('../../../index.d.ts').AssistantMessage} answer
   * @returns {boolean} whether it is broken
   */
  note({ content, stopReason }) {
    // The calls decide: an answer that holds one is not broken, whatever the provider says of it.
    const hasCall = content.some((block) => block?.type === 'toolCall')
    const reason = String(stopReason).replaceAll(/[^a-zA-Z]/g, '').toLowerCase()
    this.#last = hasCall ? undefined : kinds.find(({ reasons }) => reasons.has(reason))
    return this.#last !== undefined
  }

  /** The word for one more request after a broken answer; none once there were enough. */
  takeHint() {
    if (!this.#last || this.#retries >= this.#last.retries) return undefined
    this.#retries += 1
    return this.#last.hint
  }

  /** What was wrong with the last broken answer. */
  get complaint() {
    return `${this.#last?.complaint}, also not when asked again`
  }
}
