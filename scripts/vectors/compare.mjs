// Comparing plain data; each fault says where, what was expected and what came.

import { createHash } from 'node:crypto'

/** Faults unless `actual` has everything `expected` has. `null` means absent. Keys named in `exact` allow nothing more. */
export function subsetFaults(expected, actual, where, { exact = [], loose = false } = {}) {
  const options = { exact, loose }
  if (expected === null || expected === undefined) return actual == null ? [] : [{ where, expected: 'nothing', actual }]
  if (expected?.$long) return longFaults(expected.$long, actual, where)
  if (typeof expected !== 'object') return sameScalar(expected, actual, loose) ? [] : [{ where, expected, actual }]
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return [{ where, expected, actual }]
    return expected.flatMap((item, index) => subsetFaults(item, actual[index], `${where}[${index}]`, options))
  }
  if (typeof actual !== 'object' || actual === null || Array.isArray(actual)) return [{ where, expected, actual }]
  return Object.entries(expected).flatMap(([key, value]) => {
    const at = where ? `${where}.${key}` : key
    return exact.includes(key) ? exactFaults(value, actual[key], at) : subsetFaults(value, actual[key], at, options)
  })
}

/** Faults unless the two are equal, absent and null being the same. */
export function exactFaults(expected, actual, where) {
  const faults = subsetFaults(expected, actual, where)
  return faults.length > 0 ? faults : subsetFaults(actual, expected, where).map(({ where }) => ({ where, message: 'not expected' }))
}

/** Faults unless two lists of names are equal. */
export function listFaults(expected, actual, where) {
  return JSON.stringify(expected) === JSON.stringify(actual) ? [] : [{ where, expected, actual }]
}

function sameScalar(expected, actual, loose) {
  if (actual === null || actual === undefined || typeof actual === 'object') return false
  return expected === actual || (loose && String(expected) === String(actual))
}

/** Strings too long for a vector are given by size, digest and both ends. */
function longFaults({ chars, bytes, sha256, head, tail }, actual, where) {
  if (typeof actual !== 'string') return [{ where, expected: `a text of ${bytes} bytes`, actual }]
  const digest = createHash('sha256').update(actual).digest('hex')
  const measured = { chars: actual.length, bytes: Buffer.byteLength(actual), sha256: digest }
  const ends = { head: actual.slice(0, head?.length), tail: tail ? actual.slice(-tail.length) : tail }
  return subsetFaults(withoutAbsent({ chars, bytes, sha256, head, tail }), { ...measured, ...ends }, where)
}

function withoutAbsent(object) {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))
}
