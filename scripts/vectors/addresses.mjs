// Vectors of addresses: what a text is taken for, before any file is looked at.

import { createRequire } from 'node:module'
import { exactFaults } from './compare.mjs'
import { NotRun } from './outcome.mjs'

export const addressKinds = { path_selectors: parse }

const native = createRequire(import.meta.url)('../../src/js/native.cjs')

/** Stands for the home of whoever runs the vectors. */
const home = '/home/someone'

async function parse(one) {
  const { fn, input, expect } = JSON.parse(JSON.stringify(one).replaceAll('$HOME', home))
  const actual = parts(fn, typeof input === 'string' ? { path: input } : input)
  return exactFaults(expect, actual, fn)
}

/** The parts, or the kind of the error. */
function parts(form, { path, url, cwd, home, skills }) {
  try {
    return JSON.parse(native.addressParts(form, path ?? url, cwd, home, skills))
  } catch (error) {
    if (error.code === 'unsupported') throw new NotRun(`not supported yet: ${JSON.parse(error.context).feature}`)
    if (typeof error.code !== 'string' || error.context === undefined) throw error
    return { error_kind: error.code }
  }
}
