// The engine's tests under a sanitizer, in a target directory of their own (several gigabytes, removed by hand).
//
//   node scripts/sanitize.mjs [address|thread|leak] [TEST …]
//
// For Linux and macOS; address looks for leaks as well on Linux. A nightly toolchain is taken where there is one, and the
// stable one told to behave like it where there is none: it has the runtimes of the sanitizers too.
//
// What is not seen: C code of dependencies and, but for `thread` on a nightly with its source (`rustup component add
// rust-src --toolchain nightly`), the standard library. An access that is wrong is found in the code that makes it, also
// where std or C have handed out the memory. `thread` has to see every lock: without an instrumented std it takes what std
// keeps in order for a race, and its reports are hints to follow up.

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './setup.mjs'

const [sanitizer = 'address', ...tests] = process.argv.slice(2)
if (!['address', 'thread', 'leak'].includes(sanitizer)) {
  console.error(`no sanitizer called ${sanitizer}`)
  process.exit(2)
}

const nightly = ask('rustc', '+nightly', '-vV') !== undefined
const toolchain = nightly ? ['+nightly'] : []
const target = /^host: (.*)$/m.exec(ask('rustc', ...toolchain, '-vV') ?? '')?.[1] ?? ''
const sysroot = ask('rustc', ...toolchain, '--print', 'sysroot')?.trim() ?? ''
const buildsStd = sanitizer === 'thread' && nightly && existsSync(join(sysroot, 'lib/rustlib/src/rust/library/Cargo.lock'))
if (sanitizer === 'thread' && !buildsStd) console.error('The standard library is not instrumented: a race that is reported may be none.')

const flags = [`-Zsanitizer=${sanitizer}`, ...(sanitizer === 'thread' && !buildsStd ? ['-Cunsafe-allow-abi-mismatch=sanitizer'] : [])]
const env = {
  ...process.env,
  CARGO_TARGET_DIR: join(root, 'target/sanitize'),
  CARGO_INCREMENTAL: '0',
  CARGO_PROFILE_DEV_DEBUG: 'line-tables-only',
  RUSTFLAGS: flags.join(' '),
  ...(!nightly && { RUSTC_BOOTSTRAP: '1' }),
}
const arguments_ = [...toolchain, 'test', '--no-default-features', '--target', target, '--test', 'engine', ...(buildsStd ? ['-Zbuild-std'] : []), '--', ...tests]
process.exitCode = spawnSync('cargo', arguments_, { cwd: root, stdio: 'inherit', env }).status ?? 1

/** What a command prints; nothing if it fails. */
function ask(command, ...words) {
  const { status, stdout } = spawnSync(command, words, { encoding: 'utf8' })
  return status === 0 ? stdout : undefined
}
