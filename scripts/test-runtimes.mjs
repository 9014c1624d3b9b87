// The tests of the addon under Bun and Deno. Names of runtimes as arguments: only these.

import { testFiles } from './tests.mjs'
import { locate, runtimes } from './runtimes.mjs'
import { install, isMain } from './setup.mjs'
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
      const { test, counts } = runtime
      outcomes.push(await runStep({ title, command: locate(runtime), arguments_: test(testFiles('js', 'runtime')), counts }))
    } catch (error) {
      outcomes.push({ title, ok: false, note: error.message, seconds: 0, output: '' })
    }
  }
  return outcomes
}

if (isMain(import.meta.url)) {
  install()
  summarize(await testRuntimes(process.argv.slice(2)))
}
