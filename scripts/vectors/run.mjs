// Runs the cases of a file, one after the other: some watch the clock, some change the environment.

import { addressKinds } from './addresses.mjs'
import { choiceKinds } from './choice.mjs'
import { coreKinds } from './core.mjs'
import { customKinds } from './custom.mjs'
import { discoveryKinds } from './discovery.mjs'
import { editKinds } from './edit.mjs'
import { execKinds } from './exec.mjs'
import { changedFor } from './files.mjs'
import { loopKinds } from './loop.mjs'
import { NotRun } from './outcome.mjs'
import { outputKinds } from './output.mjs'
import { validationKinds } from './validation.mjs'
import { wrapperKinds } from './wrapper.mjs'

const families = [addressKinds, coreKinds, choiceKinds, customKinds, discoveryKinds, execKinds, editKinds, loopKinds, outputKinds, validationKinds, wrapperKinds]

/** Kind of file → `(case, original case, file) => faults`. The case has the changed expectation, the original its recorded one. */
const kinds = Object.assign({}, ...families)

const patience = 60_000

/** The result of each selected case: `{id, faults}`, or `{id, notRun: reason}`. */
export async function runFile(file, only) {
  const changed = changedFor(file.name)
  const results = []
  for (const one of file.cases.filter(selectedBy(only, file.name))) {
    const { why, ...replaced } = (Object.hasOwn(changed, one.id) && changed[one.id]) || {}
    results.push({ id: one.id, ...(await runCase(file, { ...one, ...replaced }, one)) })
  }
  return results
}

async function runCase(file, one, original) {
  const { kind } = file
  if (kind === 'quirks') return { notRun: 'shows what the reference does where something else is wanted' }
  if (!Object.hasOwn(kinds, kind)) return { notRun: `nothing here drives \`${kind}\`` }
  try {
    return { faults: await withPatience(kinds[kind](one, original, file)) }
  } catch (error) {
    if (error instanceof NotRun) return { notRun: error.message }
    return { faults: [{ where: 'the call', message: error?.stack ?? String(error) }] }
  }
}

async function withPatience(work) {
  let timer
  const end = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${patience / 1000} s`)), patience)
  })
  return Promise.race([work, end]).finally(() => clearTimeout(timer))
}

function selectedBy(only, name) {
  if (only === undefined || only.replace(/\.json$/, '') === name) return () => true
  return only.endsWith('*') ? ({ id }) => id.startsWith(only.slice(0, -1)) : ({ id }) => id === only
}
