// What a host gives a session of ours: a plain object, or an instance of a class of its own with accessors and methods.

/**
 * Gives `session` every member of `host` but those named in `without`. Values are taken as they are now; what `host`
 * answers by an accessor is asked anew each time, and inherited methods keep their `this`.
 * @param {object} session
 * @param {any} host
 * @param {ReadonlySet<PropertyKey>} without
 */
export function takeMembers(session, host, without) {
  for (const [key, descriptor] of membersOf(host)) {
    // What a host left open, such as an option of its own that was not set, is not there.
    if (without.has(key) || ('value' in descriptor && descriptor.value === undefined)) continue
    Object.defineProperty(session, key, 'value' in descriptor ? kept(host, key) : asked(host, key))
  }
}

/**
 * Own and inherited members, the nearest of each name.
 * @param {any} host
 */
function membersOf(host) {
  /** @type {Map<PropertyKey, PropertyDescriptor>} */
  const members = new Map()
  for (let level = host; level !== null && level !== Object.prototype; level = Object.getPrototypeOf(level)) {
    for (const key of Reflect.ownKeys(level)) {
      const descriptor = Reflect.getOwnPropertyDescriptor(level, key)
      if (key !== 'constructor' && descriptor && !members.has(key)) members.set(key, descriptor)
    }
  }
  return members
}

/**
 * @param {any} host
 * @param {PropertyKey} key
 * @returns {PropertyDescriptor}
 */
function asked(host, key) {
  return {
    get: () => host[key],
    // Whoever gives the session another value means the session, not its host.
    set(value) {
      Object.defineProperty(this, key, { value, writable: true, enumerable: true, configurable: true })
    },
    enumerable: true,
    configurable: true,
  }
}

/**
 * @param {any} host
 * @param {PropertyKey} key
 * @returns {PropertyDescriptor}
 */
function kept(host, key) {
  const value = host[key]
  const isInherited = typeof value === 'function' && !Object.hasOwn(host, key)
  return { value: isInherited ? value.bind(host) : value, writable: true, enumerable: true, configurable: true }
}
