// Every test there is, from a fresh clone on: packages, release build, engine, types, Bun, Deno, Node.

import { sum } from './runtimes.mjs'
import { buildRelease, install, installAgents } from './setup.mjs'
import { runStep, summarize } from './steps.mjs'
import { testRuntimes } from './test-runtimes.mjs'
import { typescript } from './types.mjs'

install()
installAgents()
buildRelease()

summarize([
  await runStep({
    title: 'engine tests',
    command: 'cargo',
    // Without napi: the engine and its tests need no runtime to link against.
    arguments: ['test', '--no-default-features'],
    counts: (output) => ({ passed: sum(output, /(\d+) passed;/g), failed: sum(output, /(\d+) failed;/g) }),
  }),
  await runStep({ title: 'type tests', command: process.execPath, arguments: [typescript, '--project', '.'] }),
  ...(await testRuntimes()),
])
