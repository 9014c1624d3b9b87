// The engine's tests under a sanitizer.
//
//   node scripts/sanitize.mjs [address|thread|leak] [TEST …]
//
// For Linux. Needs no nightly toolchain: the stable one has the runtimes of the sanitizers too. Our own code is
// instrumented, and what the tests have built of all other crates serves here as it is.
//
// What is not seen: accesses that the standard library and dependencies make in code of their own. Their memory is: what
// they hand out, take back or forget. On Linux `address` looks for leaks too. `thread` has to see every lock and does not
// see those of other crates: its reports are hints to follow up.

import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './setup.mjs'

const [sanitizer = 'address', ...tests] = process.argv.slice(2)
if (!['address', 'thread', 'leak'].includes(sanitizer)) {
  console.error(`no sanitizer called ${sanitizer}`)
  process.exit(2)
}
const { stdout } = spawnSync('rustc', ['-vV'], { encoding: 'utf8' })
const target = /^host: (.*)$/m.exec(stdout)?.[1] ?? ''
// For a workspace's crates alone. Its path is part of what names their output: nothing that was built is replaced.
const wrapper = join(root, 'target/sanitize', sanitizer)
mkdirSync(join(root, 'target/sanitize'), { recursive: true })
rmSync(wrapper, { force: true })
symlinkSync('../../scripts/sanitize-rustc.sh', wrapper)
// Locals stay on the stack: its depth is measured where a schema is judged.
const options = ['detect_stack_use_after_return=0', process.env.ASAN_OPTIONS].filter(Boolean).join(':')
const env = { ...process.env, RUSTC_WORKSPACE_WRAPPER: wrapper, ASAN_OPTIONS: options }
const words = ['test', '--no-default-features', '--target', target, '--test', 'engine', '--', ...tests]
process.exitCode = spawnSync('cargo', words, { cwd: root, stdio: 'inherit', env }).status ?? 1
