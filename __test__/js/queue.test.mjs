// The queue of tool choices: what recorded traces do not ask, and what holds for every sequence of calls.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { onceGen, ToolChoiceQueue } from '../../src/js/index.js'

const named = (name) => ({ type: 'tool', name })

describe('ToolChoiceQueue', () => {
  it('keeps a value in flight until it is finalized', () => {
    const queue = new ToolChoiceQueue()
    queue.pushSequence([named('a'), named('b')])
    const first = queue.nextToolChoice()
    assert.equal(queue.nextToolChoice(), first)
    queue.pushOnce('none', { now: true })
    assert.equal(queue.nextToolChoice(), first)
    queue.resolve()
    assert.equal(queue.nextToolChoice(), 'none')
  })

  it('brings a rejected value back three times, under its own label, and then gives it up with a reason', () => {
    const queue = new ToolChoiceQueue()
    const resolved = []
    queue.pushSequence([named('a'), 'none'], { label: 'force', onRejected: () => 'requeue', onResolved: ({ choice }) => resolved.push(choice) })
    for (let turn = 0; turn < 4; turn++) {
      assert.deepEqual(queue.nextToolChoice(), named('a'), `turn ${turn}`)
      assert.ok(queue.inspect().every((label) => label === 'force'))
      queue.reject('aborted')
    }
    // The `none` that was to follow would block every tool for a turn.
    assert.equal(queue.nextToolChoice(), undefined)
    const { label, choice, reason } = queue.consumeLastDropped()
    assert.deepEqual([label, choice], ['force', named('a')])
    assert.match(reason, /3 times/)
    assert.equal(queue.consumeLastDropped(), undefined)
    assert.deepEqual(resolved, [])
  })

  it('tells a requeued value that it was followed, and reports the label it was pushed with', () => {
    const queue = new ToolChoiceQueue()
    const log = []
    queue.pushOnce(named('a'), { label: 'user-force', onRejected: () => 'requeue', onResolved: () => log.push('resolved') })
    queue.nextToolChoice()
    queue.reject('error')
    queue.nextToolChoice()
    queue.resolve()
    assert.deepEqual([log, queue.consumeLastServedLabel()], [['resolved'], 'user-force'])
  })

  it('degrades a directive with all that came of it, wherever it is', () => {
    const queue = new ToolChoiceQueue()
    queue.pushSequence([named('a'), 'none'], { label: 's', onRejected: () => 'requeue' })
    queue.nextToolChoice()
    queue.reject('aborted')
    queue.nextToolChoice()
    queue.pushOnce('any', { label: 'p', now: true })
    assert.equal(queue.degradeInFlight('not exact'), 's')
    assert.deepEqual(queue.inspect(), ['p'])
    assert.equal(queue.consumeLastDropped().reason, 'not exact')
  })

  it('removes by label without asking, also what was requeued', () => {
    const queue = new ToolChoiceQueue()
    const reasons = []
    queue.pushOnce(named('a'), { label: 'x', onRejected: ({ reason }) => (reasons.push(reason), 'requeue') })
    queue.nextToolChoice()
    queue.reject('aborted')
    queue.nextToolChoice()
    queue.removeByLabel('x')
    assert.deepEqual([queue.inspect(), queue.hasInFlight, reasons], [[], false, ['aborted', 'removed']])
  })

  it('removes by invoker what waits, and leaves what is in flight', () => {
    const queue = new ToolChoiceQueue()
    const invoker = () => {}
    queue.pushOnce(named('a'), { onInvoked: invoker, label: 'flying' })
    queue.pushOnce(named('b'), { onInvoked: invoker, label: 'waiting' })
    queue.pushOnce(named('c'), { onInvoked: () => {}, label: 'other' })
    queue.nextToolChoice()
    queue.removeByInvoker(invoker)
    assert.deepEqual(queue.inspect(), ['flying', 'other'])
    assert.equal(queue.peekInFlightInvoker(), invoker)
  })

  it('is empty after clear, whatever callbacks do', () => {
    for (const onRejected of [() => 'requeue', () => { throw new Error('no') }, (queue) => (queue.pushOnce('auto'), queue.nextToolChoice(), 'requeue')]) {
      const queue = new ToolChoiceQueue()
      queue.pushSequence(['any', 'any'], { onRejected: () => onRejected(queue) })
      queue.nextToolChoice()
      try {
        queue.clear()
      } catch ({ message }) {
        assert.equal(message, 'no')
      }
      assert.deepEqual([queue.inspect(), queue.hasInFlight, queue.nextToolChoice()], [[], false, undefined])
    }
  })

  it('propagates what an iterator throws and keeps its directive', () => {
    const queue = new ToolChoiceQueue()
    let tries = 0
    queue.push({ [Symbol.iterator]: () => ({ next: () => { if (++tries < 3) throw new Error(`try ${tries}`); return { value: 'any', done: false } } }) }, { label: 'shaky' })
    for (const message of ['try 1', 'try 2']) assert.throws(() => queue.nextToolChoice(), { message })
    assert.deepEqual([queue.inspect(), queue.hasInFlight], [['shaky'], false])
    assert.equal(queue.nextToolChoice(), 'any')
  })

  it('ends even if an iterator queues more whenever it is asked', () => {
    const queue = new ToolChoiceQueue()
    const breed = () => queue.push({ [Symbol.iterator]: () => ({ next: () => (breed(), { done: true, value: undefined }) }) }, { now: true })
    breed()
    assert.equal(queue.nextToolChoice(), undefined)
    const asking = { [Symbol.iterator]: () => ({ next: () => ({ done: false, value: queue.nextToolChoice() ?? 'any' }) }) }
    queue.clear()
    queue.push(asking)
    assert.equal(queue.nextToolChoice(), 'any')
    queue.clear()
    queue.push({ [Symbol.iterator]: () => ({ next: () => (queue.clear(), { done: false, value: 'any' }) }) })
    assert.deepEqual([queue.nextToolChoice(), queue.hasInFlight], [undefined, false])
  })

  it('refuses bad input and stays as it is', () => {
    const queue = new ToolChoiceQueue()
    queue.pushOnce('any', { label: 'kept' })
    queue.nextToolChoice()
    const cases = [
      [() => queue.pushOnce('sometimes'), 'choice'],
      [() => queue.pushOnce(undefined), 'choice'],
      [() => queue.pushOnce({ type: 'tool', name: '' }), 'choice'],
      [() => queue.pushSequence(['any', 7]), 'choices[1]'],
      [() => queue.pushSequence('any'), 'choices'],
      [() => queue.push('any'), 'generator'],
      [() => queue.push({}), 'generator'],
      [() => queue.push([], null), 'options'],
      [() => queue.pushOnce('any', { label: 3 }), 'options.label'],
      [() => queue.pushOnce('any', { now: 'yes' }), 'options.now'],
      [() => queue.pushOnce('any', { onRejected: 'requeue' }), 'options.onRejected'],
      [() => queue.reject('because'), 'reason'],
      [() => queue.degradeInFlight(3), 'reason'],
      [() => queue.removeByLabel(), 'label'],
      [() => queue.removeByInvoker('x'), 'invoker'],
    ]
    for (const [call, path] of cases) {
      assert.throws(call, ({ code, context }) => code === 'invalid_arguments' && context.issues[0].path === path, path)
      assert.deepEqual([queue.inspect(), queue.nextToolChoice()], [['kept'], 'any'], path)
    }
    queue.resolve()
    queue.push(new Set([7]), { label: 'numbers' })
    assert.throws(() => queue.nextToolChoice(), { code: 'invalid_arguments', message: /`numbers`/ })
  })

  it('has generators of one choice', () => assert.deepEqual([...onceGen('any')], ['any']))
})

/** A small generator of numbers, the same for the same seed. */
function random(seed) {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Plays random calls and checks after each what must hold. Every served value is unique, so that it can be counted. */
class Player {
  queue = new ToolChoiceQueue()
  served = new Map()
  ended = new Map()
  flying
  pushed = 0

  constructor(seed) {
    this.pick = random(seed)
  }

  one(list) {
    return list[this.pick(list.length)]
  }

  options() {
    const id = `d${this.pushed++}`
    const end = ({ choice }) => this.ended.set(choice, (this.ended.get(choice) ?? 0) + 1)
    const answer = this.one(['requeue', 'requeue', 'requeue', 'drop', undefined, 'throw'])
    return {
      id,
      label: this.one(['a', 'b', 'c', 'a-requeued']),
      now: this.pick(2) === 0,
      onResolved: (info) => {
        end(info)
        if (this.pick(4) === 0) this.push()
      },
      onRejected: (info) => {
        end(info)
        if (this.pick(5) === 0) this.push()
        if (this.pick(9) === 0) this.queue.removeByLabel('a')
        if (answer === 'throw') throw new Error('callback')
        return answer
      },
    }
  }

  push() {
    const { id, ...options } = this.options()
    const length = this.one([0, 1, 1, 2, 3])
    const values = Array.from({ length }, (_, index) => named(`${id}.${index}`))
    const queue = this.queue
    const kinds = [
      () => queue.pushSequence(values, options),
      () => queue.push(values, options),
      () => queue.push((function* () { for (let index = 0; ; index++) yield named(`${id}.${index}`) })(), options),
      () => queue.push((function* () { yield* values; throw new Error('iterator') })(), options),
    ]
    this.one(kinds)()
  }

  calls = {
    push: () => this.push(),
    next: () => this.take(this.queue.nextToolChoice()),
    again: () => this.take(this.queue.nextToolChoice()),
    resolve: () => this.queue.resolve(),
    reject: () => this.queue.reject(this.one(['aborted', 'error'])),
    rejectAgain: () => this.queue.reject('aborted'),
    degrade: () => this.queue.degradeInFlight('r'),
    remove: () => this.queue.removeByLabel(this.one(['a', 'b', 'a-requeued'])),
    clear: () => (this.pick(10) === 0 ? this.queue.clear() : undefined),
  }

  take(choice) {
    if (this.flying) assert.equal(choice, this.flying, 'a value in flight is not replaced')
    else if (choice) this.served.set(choice.name, (this.served.get(choice.name) ?? 0) + 1)
    if (choice) this.flying = choice
  }

  step() {
    const name = this.one(Object.keys(this.calls))
    try {
      this.calls[name]()
    } catch ({ message }) {
      assert.match(message, /^(callback|iterator)$/)
    }
    if (['resolve', 'reject', 'rejectAgain', 'degrade'].includes(name)) assert.equal(this.queue.hasInFlight, false, name)
    if (!this.queue.hasInFlight) this.flying = undefined
    else if (this.flying) assert.equal(this.queue.nextToolChoice(), this.flying)
  }
}

describe('random sequences of calls', () => {
  it('end, bring nothing back more than three times, and keep one value in flight', () => {
    for (let seed = 1; seed <= 400; seed++) {
      const player = new Player(seed)
      for (let step = 0; step < 120; step++) player.step()
      for (const [name, times] of player.served) assert.ok(times <= 4, `seed ${seed}: ${name} was served ${times} times`)
      for (const [choice, times] of player.ended) {
        assert.ok(times <= player.served.get(choice.name), `seed ${seed}: ${choice.name} ended more often than it was served`)
      }
    }
  })

  it('run dry when every value is rejected, however often it is asked back', () => {
    for (let seed = 1; seed <= 100; seed++) {
      const queue = new ToolChoiceQueue()
      const pick = random(seed)
      let values = 0
      for (let index = 0; index < 5; index++) {
        const length = 1 + pick(3)
        values += length
        queue.pushSequence(Array.from({ length }, () => 'any'), { now: pick(2) === 0, onRejected: () => 'requeue' })
      }
      let turns = 0
      while (queue.nextToolChoice() !== undefined) {
        queue.reject('aborted')
        turns += 1
        assert.ok(turns <= values * 4, `seed ${seed}`)
      }
    }
  })
})
