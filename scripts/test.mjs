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
    arguments: ['test'],
    counts: (output) => ({ passed: sum(output, /(\d+) passed;/g), failed: sum(output, /(\d+) failed;/g) }),
  }),
  await runStep({ title: 'type tests', command: process.execPath, arguments: [typescript, '--project', '.'] }),
  ...(await testRuntimes()),
])
