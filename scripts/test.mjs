// Every test there is, from a fresh clone on: packages, release build, engine, types, Bun, Deno, Node.

import { buildRelease, install, root } from './setup.mjs'
import { runStep, summarize } from './steps.mjs'
import { testRuntimes } from './test-runtimes.mjs'
import { testFiles } from './tests.mjs'
import { sum } from './runtimes.mjs'

install()
buildRelease()

const outcomes = [
  await runStep({
    title: 'engine tests',
    command: 'cargo',
    // Without napi: the engine and its tests need no runtime to link against.
    arguments_: ['test', '--no-default-features'],
    counts: (output) => ({ passed: sum(output, /(\d+) passed;/g), failed: sum(output, /(\d+) failed;/g) }),
  }),
  await runStep({ title: 'type tests', command: process.execPath, arguments_: [`${root}/node_modules/typescript/bin/tsc`, '-p', '.'] }),
  ...(await testRuntimes()),
  // Last, so that Node's own summary stands at the end.
  await runStep({
    title: `tests under node ${process.versions.node}`,
    command: process.execPath,
    arguments_: ['--test', '--test-reporter=spec', ...testFiles('js', 'runtime', 'package')],
    counts: (output) => ({ passed: sum(output, /^ℹ pass (\d+)/gm), failed: sum(output, /^ℹ fail (\d+)/gm) }),
  }),
]
summarize(outcomes)
