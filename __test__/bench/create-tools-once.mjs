// Prints how long the first createTools takes in a fresh process with a stand-in in every slot, in milliseconds.

import { BUILTIN_TOOLS, createTools, HIDDEN_TOOLS, registerToolFactory } from '../../src/js/index.js'

for (const name of [...Object.keys(BUILTIN_TOOLS), ...Object.keys(HIDDEN_TOOLS)]) {
  const standIn = { name, label: name, description: name, parameters: {}, execute: async () => ({ content: [] }) }
  try {
    registerToolFactory(name, () => standIn)
  } catch (error) {
    if (error.code !== 'invalid_arguments') throw error // A tool of this package has no slot.
  }
}
const session = {
  cwd: process.cwd(),
  hasUI: true,
  settings: { get: () => undefined },
  getSessionFile: () => null,
  getSessionSpawns: () => null,
}
const started = performance.now()
const tools = await createTools(session)
console.log(performance.now() - started)
if (tools.length < 20) throw new Error(`only ${tools.length} tools`)
