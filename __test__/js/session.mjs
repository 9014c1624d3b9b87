// A session for tests: every required member, nothing else unless given.

/** @param {Record<string, any>} [members] `settings` is an object of dotted keys */
export function testSession({ settings = {}, ...members } = {}) {
  return {
    cwd: process.cwd(),
    hasUI: false,
    settings: { get: (key) => settings[key], has: (key) => key in settings },
    getSessionFile: () => null,
    getSessionSpawns: () => null,
    ...members,
  }
}

/** A tool that a host might bring. */
export function hostTool(name, members = {}) {
  return {
    name,
    label: name,
    description: `The host's ${name}`,
    parameters: { type: 'object', properties: {} },
    execute: async () => ({ content: [{ type: 'text', text: `${name} ran` }] }),
    ...members,
  }
}
