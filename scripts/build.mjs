// Builds the addon into src/js and regenerates its loader and types. `--debug` for a fast build, `--target T` to cross.

import { join } from 'node:path'
import { root, run } from './setup.mjs'

const passed = process.argv.slice(2).filter((argument) => argument !== '--debug')
const profile = process.argv.includes('--debug') ? [] : ['--release']
const napi = join(root, 'node_modules/@napi-rs/cli/dist/cli.js')
const outputs = ['--platform', '-o', 'src/js', '--js', 'binding.cjs', '--dts', 'binding.d.ts']

run(process.execPath, [napi, 'build', ...outputs, ...profile, ...passed])
