// Runs bug cases against the built addon: `npm run -s bugs -- [DIR] [--only ID|PREFIX*|KIND]`. DIR holds one JSON file for
// each case; without it, the fixtures. The format is in __test__/fixtures/bugs/README.md.

import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { fixtures, readCases } from './bugs/cases.mjs'
import { runCase } from './bugs/run.mjs'
import { printFile, printTotal } from './vectors/report.mjs'

const usage = 'usage: npm run -s bugs -- [DIR] [--only ID|PREFIX*|KIND]'

class UsageError extends Error {}

process.exitCode = await main().catch((error) => {
  console.error(error instanceof UsageError ? `${error.message}\n${usage}` : error)
  return 2
})

async function main() {
  const { target, only } = readArguments()
  if (!existsSync(target)) throw new UsageError(`${target} does not exist`)
  const cases = readCases(target, only)
  if (cases.length === 0) throw new UsageError(only ? `Nothing in ${target} is called ${only}` : `There are no cases in ${target}`)
  const total = { passed: 0, failed: 0, notRun: 0 }
  for (const kind of new Set(cases.map(({ kind }) => kind))) {
    const results = []
    // One after the other: some watch the clock.
    for (const one of cases.filter((one) => one.kind === kind)) results.push(await runCase(one))
    const counts = printFile({ title: kind }, results)
    for (const key of Object.keys(total)) total[key] += counts[key]
  }
  printTotal(total)
  return total.failed > 0 ? 1 : 0
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({ options: { only: { type: 'string' } }, allowPositionals: true })
    if (positionals.length > 1) throw new Error('at most one folder is expected')
    return { target: positionals[0] ?? fixtures, only: values.only }
  } catch (error) {
    throw new UsageError(error.message)
  }
}
