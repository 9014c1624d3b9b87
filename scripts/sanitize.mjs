// The engine's tests under a sanitizer, in a target directory of their own (several gigabytes, removed by hand).
//
//   node scripts/sanitize.mjs [address|thread|leak] [TEST …]
//
// Needs a nightly toolchain for Linux or macOS; `thread` its source as well (`rustup component add rust-src --toolchain nightly`), as all
// code has to be built for it. C code of dependencies is not instrumented.

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { root } from './setup.mjs'

const [sanitizer = 'address', ...tests] = process.argv.slice(2)
if (!['address', 'thread', 'leak'].includes(sanitizer)) {
  console.error(`no sanitizer called ${sanitizer}`)
  process.exit(2)
}
const compiler = spawnSync('rustc', ['+nightly', '-vV'], { encoding: 'utf8' })
if (compiler.status !== 0) {
  console.error('a nightly toolchain is needed: rustup toolchain install nightly')
  process.exit(2)
}
const target = /^host: (.*)$/m.exec(compiler.stdout)?.[1] ?? ''
const arguments_ = ['+nightly', 'test', '--no-default-features', '--target', target, '--test', 'engine', ...(sanitizer === 'thread' ? ['-Zbuild-std'] : []), '--', ...tests]
const env = {
  ...process.env,
  CARGO_TARGET_DIR: join(root, 'target/sanitize'),
  CARGO_INCREMENTAL: '0',
  CARGO_PROFILE_DEV_DEBUG: 'line-tables-only',
  RUSTFLAGS: `-Zsanitizer=${sanitizer}`,
}
process.exitCode = spawnSync('cargo', arguments_, { cwd: root, stdio: 'inherit', env }).status ?? 1
