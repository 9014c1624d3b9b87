// The engine's tests under a sanitizer, for Linux.
//
//   node scripts/sanitize.mjs [address|leak|thread] [TEST …]
//
// `address`, which looks for leaks too, and `leak` need no nightly toolchain: the stable one has their runtimes. Our own code
// is instrumented, and what the tests have built of all other crates serves here as it is. So accesses that the standard
// library and dependencies make in code of their own are not seen; memory that they hand out, take back or forget is.
//
// `thread` has to see every lock, or takes what a mutex of the standard library keeps in order for a race. It builds
// everything, in a target directory of its own (several gigabytes, removed by hand), with a nightly toolchain that has the
// library's source: `rustup component add rust-src --toolchain nightly`.

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './setup.mjs'

const [sanitizer = 'address', ...tests] = process.argv.slice(2)
const ways = { address: ofOurs, leak: ofOurs, thread: ofAll }
const way = Object.hasOwn(ways, sanitizer) ? ways[sanitizer] : refuse(`no sanitizer called ${sanitizer}`)
const target = /^host: (.*)$/m.exec(ask('rustc', '-vV'))?.[1] ?? ''
const { toolchain = [], flags = [], env } = way()
const words = [...toolchain, 'test', '--no-default-features', '--target', target, '--test', 'engine', ...flags, '--', ...tests]
process.exitCode = spawnSync('cargo', words, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } }).status ?? 1

function ofOurs() {
  // For a workspace's crates alone. Its path is part of what names their output: nothing that was built is replaced.
  const wrapper = join(root, 'target/sanitize', sanitizer)
  mkdirSync(join(root, 'target/sanitize'), { recursive: true })
  rmSync(wrapper, { force: true })
  symlinkSync('../../scripts/sanitize-rustc.sh', wrapper)
  // Locals stay on the stack: its depth is measured where a schema is judged.
  const options = ['detect_stack_use_after_return=0', process.env.ASAN_OPTIONS].filter(Boolean).join(':')
  return { env: { RUSTC_WORKSPACE_WRAPPER: wrapper, ASAN_OPTIONS: options } }
}

function ofAll() {
  const library = join(ask('rustc', '+nightly', '--print', 'sysroot').trim(), 'lib/rustlib/src/rust/library')
  if (!existsSync(library)) refuse('a nightly toolchain with rust-src is needed')
  const env = { CARGO_TARGET_DIR: join(root, 'target/sanitize-all'), CARGO_INCREMENTAL: '0', RUSTFLAGS: `-Zsanitizer=${sanitizer}` }
  return { toolchain: ['+nightly'], flags: ['-Zbuild-std'], env }
}

/** What a command prints; nothing if it fails. */
function ask(command, ...arguments_) {
  return spawnSync(command, arguments_, { encoding: 'utf8' }).stdout ?? ''
}

/** @param {string} words @returns {never} */
function refuse(words) {
  console.error(words)
  process.exit(2)
}
