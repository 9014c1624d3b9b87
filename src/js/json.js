// JSON text for the engine. What JSON would lose or change is refused by name instead.

import { invalidArgument } from './errors.js'

/**
 * An object as JSON text.
 * @param {object} value
 * @param {string} path what the value is called, for errors about the whole of it
 */
export function toJson(value, path) {
  const unfit = findUnfit(value, '')
  if (unfit) throw invalidArgument(unfit.path, unfit.message)
  let text
  try {
    text = JSON.stringify(value)
  } catch (error) {
    throw invalidArgument(path, `cannot be read as JSON: ${error instanceof Error ? error.message : error}`)
  }
  if (text?.[0] !== '{') throw invalidArgument(path, 'expected a plain object')
  return text
}

/** Deeper values are left to JSON. */
const DEPTH = 6

/**
 * The first number that is none in JSON, text that is no Unicode, or big integer.
 * @param {unknown} value
 * @param {string} path
 * @param {number} [depth]
 * @returns {{ path: string, message: string } | undefined}
 */
function findUnfit(value, path, depth = 0) {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : { path, message: `expected a finite number, got ${value}` }
  if (typeof value === 'bigint') return { path, message: 'expected a number, got a big integer' }
  if (typeof value === 'string') return value.isWellFormed() ? undefined : { path, message: 'holds half of a surrogate pair, which is no character' }
  if (typeof value !== 'object' || value === null || depth === DEPTH) return undefined
  const isArray = Array.isArray(value)
  for (const [key, item] of Object.entries(value)) {
    const unfit = findUnfit(item, isArray ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`, depth + 1)
    if (unfit) return unfit
  }
  return undefined
}
