// Copies of plain data, so that neither hooks nor tools write into a conversation.

/**
 * A deep copy of arrays and plain objects; everything else is shared. Any depth, and cycles stay cycles.
 * @template T
 * @param {T} value
 * @returns {T}
 */
export function copyPlain(value) {
  if (!isPlain(value)) return value
  /** @type {Map<object, any>} */
  const copies = new Map()
  /** @type {any[]} */
  const waiting = []
  const copyOf = (/** @type {any} */ source) => {
    if (!isPlain(source)) return source
    const known = copies.get(source)
    if (known) return known
    const copy = Array.isArray(source) ? [] : Object.getPrototypeOf(source) === null ? Object.create(null) : {}
    copies.set(source, copy)
    waiting.push(source)
    return copy
  }
  const copy = copyOf(value)
  for (let source = waiting.pop(); source !== undefined; source = waiting.pop()) fill(copies.get(source), source, copyOf)
  return copy
}

/**
 * @param {any} copy
 * @param {any} source
 * @param {(value: any) => any} copyOf
 */
function fill(copy, source, copyOf) {
  if (Array.isArray(source)) {
    for (const item of source) copy.push(copyOf(item))
    return
  }
  for (const key of Object.keys(source)) {
    // An assignment to this key would set the prototype.
    if (key === '__proto__') Object.defineProperty(copy, key, { value: copyOf(source[key]), writable: true, enumerable: true, configurable: true })
    else copy[key] = copyOf(source[key])
  }
}

/**
 * Whether a value is an array or an object as JSON has them.
 * @param {unknown} value
 * @returns {value is object}
 */
export function isPlain(value) {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return true
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
