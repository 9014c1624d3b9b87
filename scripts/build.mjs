// Builds the addon into src/js and regenerates its loader and types. `--debug` for a fast build, `--target T` to cross.

import { readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { buildArguments } from './addon.mjs'
import { root, run } from './setup.mjs'
import { copyTypes } from './types.mjs'

const passed = process.argv.slice(2).filter((argument) => argument !== '--debug')
const profile = process.argv.includes('--debug') ? [] : ['--release']

run(process.execPath, [...buildArguments('src/js'), ...profile, ...passed], { cwd: root })
copyTypes()

// A debug build must never pass for a current release build: it is older than every source.
if (process.argv.includes('--debug')) {
  const directory = join(root, 'src/js')
  for (const name of readdirSync(directory)) if (name.endsWith('.node')) utimesSync(join(directory, name), 0, 0)
}
