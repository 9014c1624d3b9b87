// Runs one case in a process of its own, since it may hang the host, end it or fill its memory.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { subsetFaults } from '../vectors/compare.mjs'
import { withDirectory } from '../vectors/tree.mjs'
import { canSeeSignals, lateSignals, traced } from './signals.mjs'

const host = fileURLToPath(new URL('host.mjs', import.meta.url))

/** For the case and the end of its process together. */
const patience = 90_000

/** What became of a case: `{id, faults}`, or `{id, notRun: reason}`. */
export async function runCase(one) {
  if (!fits(one.platform)) return { id: one.id, notRun: `only on ${one.platform}` }
  if (watchesSignals(one) && !canSeeSignals) return { id: one.id, notRun: 'nothing here can see signals (strace)' }
  return { id: one.id, ...(await withDirectory((directory) => inOwnProcess(one, directory))) }
}

/** Whether a case is for this platform. */
export function fits(platform) {
  return platform === undefined || (platform === 'windows') === (process.platform === 'win32')
}

/** Whether a case is about signals that are sent when its calls are over. */
export function watchesSignals({ expect }) {
  return expect.no_signal_after_exit_ms !== undefined
}

async function inOwnProcess(one, directory) {
  const files = { question: join(directory, 'case.json'), answer: join(directory, 'result.json'), signals: join(directory, 'signals.txt') }
  writeFileSync(files.question, JSON.stringify(one))
  // Detached: a tool that ends its whole process group must not end this process.
  const command = ['node', '--expose-gc', host, files.question, files.answer, directory]
  const [program, ...args] = watchesSignals(one) ? traced(command, files.signals) : command
  const child = spawn(program, args, { detached: true, stdio: ['ignore', 'ignore', 'pipe'] })
  const said = []
  child.stderr.on('data', (chunk) => said.push(chunk))
  const end = await Promise.race([once(child, 'exit'), sleep(patience, undefined, { ref: false })])
  const endedAt = Date.now()
  if (!end) child.kill('SIGKILL')
  const answer = existsSync(files.answer) ? JSON.parse(readFileSync(files.answer, 'utf8')) : undefined
  if (answer?.notRun !== undefined) return answer
  const { exit_code: exitCode = 0, exit_within_ms: within } = one.expect
  // A host that ends itself gives no answer.
  const mayBeSilent = one.expect.exit_code !== undefined
  return {
    faults: [
      ...(answer || mayBeSilent ? (answer?.faults ?? []) : [{ where: 'the host', message: `gave no answer: ${Buffer.concat(said)}` }]),
      ...(end ? subsetFaults(exitCode, end[0] ?? end[1], 'exit code') : [{ where: 'the host', message: `did not end within ${patience / 1000} s` }]),
      ...(within !== undefined && endedAt - answer?.at > within ? [{ where: 'exit_within_ms', expected: within, actual: endedAt - answer.at }] : []),
      ...(watchesSignals(one) && answer ? lateSignals(files.signals, answer.callsOverAt) : []),
    ],
  }
}
