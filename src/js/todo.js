// The list of tasks outside of a call: what a person edits, and what a transcript remembers. The rules are the engine's.

import native from './native.cjs'
import { callNativeSync, invalidArgument } from './errors.js'
import { describe } from './session.js'

/** @typedef {import('../../index.d.ts').TodoPhase} TodoPhase */

/** The custom entry of a transcript that holds a list as a person left it. */
export const USER_TODO_EDIT_CUSTOM_TYPE = 'user_todo_edit'

/**
 * The list after operations; the same list and what failed, if one does.
 * @param {TodoPhase[]} currentPhases
 * @param {import('../../index.d.ts').TodoOperation[]} ops
 * @returns {{ phases: TodoPhase[], errors: string[] }}
 */
export function applyOpsToPhases(currentPhases, ops) {
  return JSON.parse(callNativeSync(() => native.applyTodo(listText(currentPhases, 'currentPhases'), listText(ops, 'ops'))))
}

/**
 * @param {TodoPhase[]} phases
 * @returns {string}
 */
export function phasesToMarkdown(phases) {
  return callNativeSync(() => native.todoToMarkdown(listText(phases, 'phases')))
}

/**
 * @param {string} md
 * @returns {{ phases: TodoPhase[], errors: string[] }}
 */
export function markdownToPhases(md) {
  if (typeof md !== 'string') throw invalidArgument('md', `expected a text, got ${describe(md)}`)
  return JSON.parse(callNativeSync(() => native.todoFromMarkdown(md)))
}

/**
 * The list where a transcript ends: what a person edited last, or the last call that did not fail.
 * @param {readonly any[]} entries
 * @returns {TodoPhase[]}
 */
export function getLatestTodoPhasesFromEntries(entries) {
  if (!Array.isArray(entries)) throw invalidArgument('entries', `expected an array, got ${describe(entries)}`)
  for (const entry of entries.toReversed()) {
    const phases = phasesIn(entry)
    const restored = Array.isArray(phases) ? callNativeSync(() => native.todoRestored(JSON.stringify(phases))) : null
    if (restored !== null) return JSON.parse(restored)
  }
  return []
}

/** @param {any} entry */
function phasesIn(entry) {
  if (entry?.type === 'custom') return entry.customType === USER_TODO_EDIT_CUSTOM_TYPE ? entry.data?.phases : undefined
  const message = entry?.type === 'message' ? entry.message : undefined
  return message?.role === 'toolResult' && message.toolName === 'todo_write' && !message.isError ? message.details?.phases : undefined
}

const numerals = /** @type {const} */ ([
  ['M', 1000],
  ['CM', 900],
  ['D', 500],
  ['CD', 400],
  ['C', 100],
  ['XC', 90],
  ['L', 50],
  ['XL', 40],
  ['X', 10],
  ['IX', 9],
  ['V', 5],
  ['IV', 4],
  ['I', 1],
])

/**
 * A phase as interfaces show it: `II. Build`.
 * @param {string} name
 * @param {number} oneBasedIndex
 */
export function formatPhaseDisplayName(name, oneBasedIndex) {
  if (!Number.isInteger(oneBasedIndex) || oneBasedIndex < 1 || oneBasedIndex > 3999) return `${oneBasedIndex}. ${name}`
  let [rest, numeral] = [oneBasedIndex, '']
  for (const [sign, value] of numerals) {
    numeral += sign.repeat(Math.trunc(rest / value))
    rest %= value
  }
  return `${numeral}. ${name}`
}

/**
 * @param {unknown} list
 * @param {string} path
 */
function listText(list, path) {
  if (!Array.isArray(list)) throw invalidArgument(path, `expected an array, got ${describe(list)}`)
  return JSON.stringify(list)
}
