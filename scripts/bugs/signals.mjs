// The signals that a host sends, as the system sees them. Looked at from outside with strace, where there is one.

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const trace = ['-f', '-ttt', '-e', 'trace=kill,tkill,tgkill,pidfd_send_signal']

/** Whether signals can be seen here. */
export const canSeeSignals = spawnSync('strace', [...trace, '-o', '/dev/null', 'true'], { stdio: 'ignore' }).status === 0

/** The command line that runs another one and writes its signals to a file. */
export function traced(command, file) {
  return ['strace', ...trace, '-o', file, ...command]
}

/** Faults for the signals of the host after a moment. The commands of the case have ended by then. */
export function lateSignals(file, after) {
  const lines = readFileSync(file, 'utf8').split('\n')
  // `12 1700000000.123456 kill(-34, SIGTERM) = 0`; signal 0 only asks whether somebody is there.
  const calls = lines.map((line) => /^\d+ +([\d.]+) (\w+\(.*SIG[A-Z].*)$/.exec(line)).filter(Boolean)
  return calls.filter(([, time]) => Number(time) * 1000 > after).map(([, , call]) => ({ where: 'a late signal', message: call }))
}
