// The tests of the addon that is there, under Bun, Deno and Node. Names of runtimes as arguments: only these.

import { locate, runtimes } from './runtimes.mjs'
import { install, installAgents, isMain } from './setup.mjs'
import { runStep, summarize } from './steps.mjs'

/**
 * Runs the test files under each runtime.
 * @param {string[]} names absent or empty: all
 */
export async function testRuntimes(names = []) {
  const outcomes = []
  for (const runtime of runtimes.filter(({ name }) => names.length === 0 || names.includes(name))) {
    const title = `tests under ${runtime.name}`
    try {
      outcomes.push(await runStep({ title, command: locate(runtime), arguments: runtime.arguments(), counts: runtime.counts }))
    } catch (error) {
      outcomes.push({ title, ok: false, note: error.message, seconds: 0 })
    }
  }
  return outcomes
}

if (isMain(import.meta.url)) {
  install()
  installAgents()
  summarize(await testRuntimes(process.argv.slice(2)))
}
