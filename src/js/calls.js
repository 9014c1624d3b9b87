// The calls of one assistant message, from a model to its results. Order and barriers are calls/schedule.js, the life
// of a call is calls/one-call.js, what calls share is calls/batch.js.

import { invalidArgument } from './errors.js'
import { Batch } from './calls/batch.js'
import { runCall } from './calls/one-call.js'
import { runInStages } from './calls/schedule.js'
import { describe } from './session.js'

/**
 * Runs every tool call of a message: one result for each, in call order.
 * @param {import('../../index.d.ts').ExecuteToolCallsInput} input
 * @returns {Promise<import('../../index.d.ts').ToolBatchOutcome>}
 */
export async function executeToolCalls(input) {
  check(input)
  const batch = new Batch(input)
  try {
    await runInStages(batch.calls, ({ tool }) => tool?.concurrency === 'exclusive', (call) => runCall(batch, call))
  } finally {
    batch.close()
  }
  return batch.outcome()
}

/** @param {any} input */
function check(input) {
  if (typeof input !== 'object' || input === null) throw invalidArgument('input', `expected an object, got ${describe(input)}`)
  const { tools, assistantMessage, hooks, signal, emit } = input
  if (!Array.isArray(tools)) throw invalidArgument('input.tools', `expected an array of tools, got ${describe(tools)}`)
  if (!Array.isArray(assistantMessage?.content)) {
    throw invalidArgument('input.assistantMessage.content', `expected an array of blocks, got ${describe(assistantMessage?.content)}`)
  }
  checkHooks(hooks, 'input.hooks')
  if (signal !== undefined && signal !== null && typeof signal.addEventListener !== 'function') {
    throw invalidArgument('input.signal', `expected an AbortSignal, got ${describe(signal)}`)
  }
  if (emit !== undefined && typeof emit !== 'function') throw invalidArgument('input.emit', `expected a function, got ${describe(emit)}`)
}

const callbacks = ['getSteeringMessages', 'getToolContext', 'transformToolCallArguments', 'beforeToolCall', 'afterToolCall']

/**
 * Hooks of a batch. A misspelled function must not silently allow what it was to block.
 * @param {any} hooks
 * @param {string} path
 */
export function checkHooks(hooks, path) {
  if (hooks === undefined) return
  if (typeof hooks !== 'object' || hooks === null) throw invalidArgument(path, `expected an object, got ${describe(hooks)}`)
  for (const name of callbacks) {
    const hook = hooks[name]
    if (hook !== undefined && typeof hook !== 'function') throw invalidArgument(`${path}.${name}`, `expected a function, got ${describe(hook)}`)
  }
  if (hooks.interruptMode !== undefined && !['immediate', 'wait'].includes(hooks.interruptMode)) {
    throw invalidArgument(`${path}.interruptMode`, `expected immediate or wait, got ${describe(hooks.interruptMode)}`)
  }
}
