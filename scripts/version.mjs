// Run by `npm version`, between the bump of package.json and its commit: everything that repeats the version follows.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readManifest } from './platforms.mjs'
import { root, run } from './setup.mjs'

const { version } = readManifest()
for (const manifest of ['Cargo.toml', 'addon/Cargo.toml']) {
  const path = join(root, manifest)
  writeFileSync(path, readFileSync(path, 'utf8').replace(/^version = ".*"$/m, `version = "${version}"`))
}

// What was unreleased is this version's.
const changelog = join(root, 'CHANGELOG.md')
const today = new Date().toISOString().slice(0, 10)
writeFileSync(changelog, readFileSync(changelog, 'utf8').replace('## Unreleased\n', `## Unreleased\n\nNothing yet.\n\n## ${version} (${today})\n`))

run(process.execPath, ['scripts/platforms.mjs'])
// The generated loader bakes the version in, and Cargo.lock follows Cargo.toml.
run(process.execPath, ['scripts/build.mjs', '--debug'])
run('git', ['add', 'Cargo.toml', 'addon/Cargo.toml', 'Cargo.lock', 'CHANGELOG.md', 'npm', 'src/js/binding.cjs', 'src/js/binding.d.ts'])
