// The queue of tool choices for the next model calls. Iterators and callbacks are the caller's, so it lives here whole.
//
// What holds: at most one value is in flight, and it stays so until it is resolved, rejected, degraded, removed or
// cleared; a rejected value comes back at most three times; every call ends.

import { checkToolChoice } from './choice.js'
import { invalidArgument } from './errors.js'
import { describe } from './session.js'

/** @typedef {import('../../index.d.ts').ToolChoice} ToolChoice */
/** @typedef {import('../../index.d.ts').Invoker} Invoker */
/** @typedef {import('../../index.d.ts').PushOptions} PushOptions */
/** @typedef {import('../../index.d.ts').DirectiveCallbacks} DirectiveCallbacks */
/** @typedef {import('../../index.d.ts').RejectInfo['reason']} RejectReason */
/** @typedef {import('../../index.d.ts').DroppedDirective} DroppedDirective */
/**
 * A requeued copy keeps the label, the callbacks and the family of the directive it comes from.
 * @typedef {{ iterator: Iterator<ToolChoice>, label: string, callbacks: DirectiveCallbacks, family: symbol, requeues: number }} Directive
 */

const MOST_REQUEUES = 3

const rejectReasons = ['aborted', 'error', 'cleared', 'removed']

/**
 * A generator of one choice.
 * @param {ToolChoice} choice
 * @returns {Generator<ToolChoice, void, unknown>}
 */
export function* onceGen(choice) {
  yield choice
}

/** Tool choices for the coming model calls, first in first out. */
export class ToolChoiceQueue {
  /** @type {Directive[]} */
  #directives = []
  /** @type {{ directive: Directive, choice: ToolChoice } | undefined} */
  #inFlight
  /** @type {string | undefined} */
  #lastServed
  /** @type {DroppedDirective | undefined} */
  #lastDropped
  #isPulling = false

  /**
   * Queues one choice.
   * @param {ToolChoice} choice
   * @param {PushOptions} [options]
   */
  pushOnce(choice, options) {
    checkToolChoice(choice, 'choice')
    this.push(onceGen(choice), options)
  }

  /**
   * Queues choices for as many model calls.
   * @param {ToolChoice[]} choices
   * @param {PushOptions} [options]
   */
  pushSequence(choices, options) {
    if (!Array.isArray(choices)) throw invalidArgument('choices', `expected an array of tool choices, got ${describe(choices)}`)
    choices.forEach((choice, index) => checkToolChoice(choice, `choices[${index}]`))
    this.push([...choices], options)
  }

  /**
   * Queues whatever the iterable yields, one value for each model call.
   * @param {Iterable<ToolChoice>} generator
   * @param {PushOptions} [options]
   */
  push(generator, options = {}) {
    const { now, label, callbacks } = readOptions(options)
    const isIterable = typeof generator === 'object' && generator !== null && typeof generator[Symbol.iterator] === 'function'
    if (!isIterable) throw invalidArgument('generator', `expected an iterable of tool choices, got ${describe(generator)}`)
    const directive = { iterator: generator[Symbol.iterator](), label, callbacks, family: Symbol(label), requeues: 0 }
    if (now) this.#directives.unshift(directive)
    else this.#directives.push(directive)
  }

  /**
   * The choice for the coming model call, in flight from now on. The same again as long as one is in flight.
   * @returns {ToolChoice | undefined}
   */
  nextToolChoice() {
    if (this.#inFlight) return this.#inFlight.choice
    // An iterator that asks its own queue gets nothing.
    if (this.#isPulling) return undefined
    this.#isPulling = true
    try {
      // What an iterator queues while it is pulled waits for the next call, so that this one ends.
      for (const directive of [...this.#directives]) {
        const choice = this.#pull(directive)
        if (choice !== undefined) {
          this.#inFlight = { directive, choice }
          return choice
        }
      }
      return undefined
    } finally {
      this.#isPulling = false
    }
  }

  /** The choice in flight was followed. */
  resolve() {
    const served = this.#land()
    if (!served) return
    this.#lastServed = served.directive.label
    served.directive.callbacks.onResolved?.({ choice: served.choice })
  }

  /**
   * The choice in flight was not followed. Its owner may ask for it to come back.
   * @param {RejectReason} reason
   */
  reject(reason) {
    if (!rejectReasons.includes(reason)) throw invalidArgument('reason', `expected one of ${rejectReasons.join(', ')}, got ${describe(reason)}`)
    const served = this.#land()
    if (served && tellRejected(served, reason) === 'requeue') this.#requeue(served)
  }

  /**
   * The choice in flight cannot be sent. Its directive goes with all its remaining values, and nobody is called.
   * @param {string} [reason] kept for `consumeLastDropped`
   * @returns {string | undefined} the label of what went
   */
  degradeInFlight(reason = 'degraded') {
    if (typeof reason !== 'string') throw invalidArgument('reason', `expected a text, got ${describe(reason)}`)
    const served = this.#land()
    if (!served) return undefined
    this.#drop(served, reason)
    return served.directive.label
  }

  /** Whether a choice waits for its outcome. */
  get hasInFlight() {
    return this.#inFlight !== undefined
  }

  /**
   * The invoker of the directive in flight.
   * @returns {Invoker | undefined}
   */
  peekInFlightInvoker() {
    return this.#inFlight?.directive.callbacks.onInvoked
  }

  /**
   * Removes every directive of a label, requeued ones too; one in flight is rejected as `removed` and does not come back.
   * @param {string} label
   */
  removeByLabel(label) {
    if (typeof label !== 'string') throw invalidArgument('label', `expected a text, got ${describe(label)}`)
    try {
      if (this.#inFlight?.directive.label === label) this.#rejectForGood('removed')
    } finally {
      this.#keep((directive) => directive.label !== label)
    }
  }

  /**
   * Removes what waits under an invoker; nobody is called, and what is in flight stays there.
   * @param {Invoker} invoker
   */
  removeByInvoker(invoker) {
    if (typeof invoker !== 'function') throw invalidArgument('invoker', `expected a function, got ${describe(invoker)}`)
    const flying = this.#inFlight?.directive
    this.#keep((directive) => directive === flying || directive.callbacks.onInvoked !== invoker)
  }

  /** Removes everything; what is in flight is rejected as `cleared`. */
  clear() {
    try {
      this.#rejectForGood('cleared')
    } finally {
      // Also what a callback has queued or pulled meanwhile.
      this.#directives = []
      this.#inFlight = undefined
      this.#lastServed = undefined
      this.#lastDropped = undefined
    }
  }

  /**
   * The label of the last choice that was followed; told once.
   * @returns {string | undefined}
   */
  consumeLastServedLabel() {
    const label = this.#lastServed
    this.#lastServed = undefined
    return label
  }

  /**
   * The last choice that the queue gave up by itself, and why; told once.
   * @returns {DroppedDirective | undefined}
   */
  consumeLastDropped() {
    const dropped = this.#lastDropped
    this.#lastDropped = undefined
    return dropped
  }

  /**
   * The labels of what waits. The directive in flight stays listed until it is found to have no more values.
   * @returns {readonly string[]}
   */
  inspect() {
    return this.#directives.map(({ label }) => label)
  }

  /**
   * The next value of a directive; nothing, and the directive gone, when there is none.
   * @param {Directive} directive
   */
  #pull(directive) {
    if (!this.#directives.includes(directive)) return undefined
    const { done, value } = directive.iterator.next()
    if (done) {
      this.#keep((other) => other !== directive)
      return undefined
    }
    checkValue(value, directive.label)
    // The iterator may have removed its own directive.
    return this.#directives.includes(directive) ? value : undefined
  }

  /** Takes the value out of flight, before anyone is told. */
  #land() {
    const served = this.#inFlight
    this.#inFlight = undefined
    return served
  }

  /** @param {RejectReason} reason */
  #rejectForGood(reason) {
    const served = this.#land()
    if (served) tellRejected(served, reason)
  }

  /** @param {{ directive: Directive, choice: ToolChoice }} served */
  #requeue(served) {
    const { directive, choice } = served
    if (directive.requeues >= MOST_REQUEUES) return this.#drop(served, `rejected after it had come back ${MOST_REQUEUES} times`)
    this.#directives.unshift({ ...directive, iterator: onceGen(choice), requeues: directive.requeues + 1 })
  }

  /**
   * Gives up a directive wherever it is, with the rest of the sequence it comes from.
   * @param {{ directive: Directive, choice: ToolChoice }} served
   * @param {string} reason
   */
  #drop({ directive, choice }, reason) {
    this.#keep(({ family }) => family !== directive.family)
    this.#lastDropped = { label: directive.label, choice, reason }
  }

  /** @param {(directive: Directive) => boolean} isKept */
  #keep(isKept) {
    this.#directives = this.#directives.filter(isKept)
  }
}

/**
 * @param {{ directive: Directive, choice: ToolChoice }} served
 * @param {RejectReason} reason
 */
function tellRejected({ directive, choice }, reason) {
  return directive.callbacks.onRejected?.({ choice, reason })
}

/**
 * @param {unknown} value
 * @param {string} label
 */
function checkValue(value, label) {
  if (typeof value === 'string' || (typeof value === 'object' && value !== null)) return
  throw invalidArgument('generator', `expected tool choices from the iterable of \`${label}\`, got ${describe(value)}`)
}

/** @param {PushOptions} options */
function readOptions(options) {
  if (typeof options !== 'object' || options === null) throw invalidArgument('options', `expected an object, got ${describe(options)}`)
  const { now = false, label = 'anonymous', onResolved, onRejected, onInvoked } = options
  if (typeof now !== 'boolean') throw invalidArgument('options.now', `expected true or false, got ${describe(now)}`)
  if (typeof label !== 'string') throw invalidArgument('options.label', `expected a text, got ${describe(label)}`)
  for (const [name, callback] of Object.entries({ onResolved, onRejected, onInvoked })) {
    if (callback !== undefined && typeof callback !== 'function') {
      throw invalidArgument(`options.${name}`, `expected a function, got ${describe(callback)}`)
    }
  }
  return { now, label, callbacks: { onResolved, onRejected, onInvoked } }
}
