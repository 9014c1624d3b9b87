// Runs vector files against the built addon: `npm run -s vectors -- DIR [--only NAME]`.
// NAME is a file name without `.json`, a case id, or the beginning of ids followed by `*`.

import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { findFiles } from './vectors/files.mjs'
import { printFile, printTotal } from './vectors/report.mjs'
import { runFile } from './vectors/run.mjs'

const usage = 'usage: npm run -s vectors -- DIR_OR_FILE [--only NAME]'

class UsageError extends Error {}

process.exitCode = await main().catch((error) => {
  console.error(error instanceof UsageError ? `${error.message}\n${usage}` : error)
  return 2
})

async function main() {
  const { target, only } = readArguments()
  if (!existsSync(target)) throw new UsageError(`${target} does not exist`)
  const total = { passed: 0, failed: 0, notRun: 0 }
  for (const file of findFiles(target)) {
    const results = await runFile(file, only)
    if (results.length === 0) continue
    const counts = printFile(file, results)
    for (const key of Object.keys(total)) total[key] += counts[key]
  }
  printTotal(total)
  if (total.passed + total.failed + total.notRun > 0) return total.failed > 0 ? 1 : 0
  throw new UsageError(only ? `Nothing in ${target} is called ${only}` : `There are no vectors in ${target}`)
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({ options: { only: { type: 'string' } }, allowPositionals: true })
    if (positionals.length !== 1) throw new Error('exactly one folder or file is expected')
    return { target: positionals[0], only: values.only }
  } catch (error) {
    throw new UsageError(error.message)
  }
}
