// Session objects of the vectors: settings over the defaults, and whatever members a case adds.

import { tmpdir } from 'node:os'

/** Settings that know which of them were set. */
export function settingsOf(values = {}) {
  return { get: (key) => values[key], has: (key) => Object.hasOwn(values, key) }
}

/** A session over settings; `members` win. */
export function sessionOf(settings, members = {}) {
  return {
    cwd: tmpdir(),
    hasUI: false,
    settings: settingsOf(settings),
    getSessionFile: () => null,
    getSessionSpawns: () => null,
    ...members,
  }
}

/** A place for long outputs: a list in memory. */
export function artifactStore() {
  const texts = []
  return { texts, save: async (text) => String(texts.push(text) - 1) }
}
