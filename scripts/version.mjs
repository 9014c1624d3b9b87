// Run by `npm version`, between the bump of package.json and its commit: everything that repeats the version follows.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readManifest } from './platforms.mjs'
import { root, run } from './setup.mjs'

const { version } = readManifest()
const cargo = join(root, 'Cargo.toml')
writeFileSync(cargo, readFileSync(cargo, 'utf8').replace(/^version = ".*"$/m, `version = "${version}"`))

run(process.execPath, ['scripts/platforms.mjs'])
// The generated loader bakes the version in, and Cargo.lock follows Cargo.toml.
run(process.execPath, ['scripts/build.mjs', '--debug'])
run('git', ['add', 'Cargo.toml', 'Cargo.lock', 'npm', 'src/js/binding.cjs', 'src/js/binding.d.ts'])
