// The process of one case: reads it, runs it, writes what became of it, and ends by itself.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { emptyHome, withEnvironment } from '../vectors/environment.mjs'
import { NotRun } from '../vectors/outcome.mjs'
import { argumentDrivers } from './arguments.mjs'
import { callDrivers } from './calls.mjs'
import { judge } from './expect.mjs'
import { loadingDrivers } from './loading.mjs'
import { nativeDrivers } from './native.mjs'
import { providerDrivers } from './provider.mjs'
import { buildCaseTree } from './tree.mjs'

/** What a case is about → `(case, root) => what happened`. Every other name is that of a tool. */
const drivers = { ...argumentDrivers, ...loadingDrivers, ...nativeDrivers, ...providerDrivers, ...callDrivers }

const [questionPath, answerPath, directory] = process.argv.slice(2)
const one = JSON.parse(readFileSync(questionPath, 'utf8'))
const home = join(directory, 'home')
const root = join(directory, 'tree')
mkdirSync(home)
mkdirSync(root)

const answer = await withEnvironment(emptyHome(home), run).catch((error) =>
  error instanceof NotRun ? { notRun: error.message } : { faults: [{ where: 'the case', message: error?.stack ?? String(error) }] },
)
writeFileSync(answerPath, JSON.stringify({ ...answer, at: Date.now() }))

async function run() {
  const tree = buildCaseTree(root, one.tree)
  const driver = Object.hasOwn(drivers, one.tool) ? drivers[one.tool] : drivers.calls
  const happened = await driver(one, root)
  const callsOverAt = Date.now()
  return { callsOverAt, faults: await judge(one.expect, { root, tree, ...happened }) }
}
