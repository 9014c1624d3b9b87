// Builds the addon into src/js and regenerates its loader and types. `--debug` for a fast build, `--target T` to cross.

import { buildArguments } from './addon.mjs'
import { root, run } from './setup.mjs'
import { copyTypes } from './types.mjs'

const passed = process.argv.slice(2).filter((argument) => argument !== '--debug')
const profile = process.argv.includes('--debug') ? [] : ['--release']

run(process.execPath, [...buildArguments('src/js'), ...profile, ...passed], { cwd: root })
copyTypes()
