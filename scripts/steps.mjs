// Runs a list of commands one after another, whatever becomes of each, and tells the end of every one.

import { spawn } from 'node:child_process'
import { root, step } from './setup.mjs'

/**
 * @typedef {{ passed: number, failed: number }} Counts
 * @typedef {{ title: string, command: string, arguments: string[], counts?: (output: string) => Counts }} Step
 * @typedef {{ title: string, ok: boolean, note: string, seconds: number, ending?: string }} Outcome `ending`: the last
 *   lines that a failed step printed
 */

/** What a terminal gets for colour. */
const COLOURS = /\u001b\[[0-9;]*m/g

/** Every runner tells its failures last; so many lines hold a few of them. */
const ENDING_LINES = 40

/**
 * Runs a step with its output shown as it comes. A run that counts its tests must have run at least one.
 * @param {Step} what
 * @returns {Promise<Outcome>}
 */
export async function runStep(what) {
  step(what.title)
  const start = performance.now()
  const { code, output } = await teed(what.command, what.arguments)
  const plain = output.replaceAll(COLOURS, '')
  const counts = what.counts?.(plain)
  const notes = [
    counts && `${counts.passed} passed, ${counts.failed} failed`,
    counts?.passed === 0 && 'no test ran',
    code !== 0 && `exit code ${code}`,
  ]
  const ok = code === 0 && (counts === undefined || (counts.passed > 0 && counts.failed === 0))
  const ending = ok ? undefined : plain.trimEnd().split('\n').slice(-ENDING_LINES).join('\n')
  return { title: what.title, ok, note: notes.filter(Boolean).join(', '), seconds: (performance.now() - start) / 1000, ending }
}

/**
 * Prints one line for each outcome, above them how the failed ones ended: they may lie thousands of lines back in a log.
 * The process ends with code 1 if one failed.
 * @param {Outcome[]} outcomes
 */
export function summarize(outcomes) {
  for (const { title, ending } of outcomes) {
    if (ending) console.log(`\n── the end of ${title}\n${ending}`)
  }
  step('summary')
  const width = Math.max(...outcomes.map(({ title }) => title.length))
  for (const { title, ok, note, seconds } of outcomes) {
    console.log(`${ok ? 'ok  ' : 'FAIL'} ${title.padEnd(width)}  ${seconds.toFixed(1).padStart(6)} s  ${note}`.trimEnd())
  }
  const failed = outcomes.filter(({ ok }) => !ok)
  console.log(failed.length === 0 ? '\nall passed' : `\n${failed.length} of ${outcomes.length} failed`)
  process.exitCode = failed.length === 0 ? 0 : 1
}

/** Runs a command, shows its output and keeps it. */
function teed(command, arguments_) {
  return new Promise((resolve) => {
    const child = spawn(command, arguments_, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    const keep = (stream) => (chunk) => {
      output += chunk
      stream.write(chunk)
    }
    child.stdout.setEncoding('utf8').on('data', keep(process.stdout))
    child.stderr.setEncoding('utf8').on('data', keep(process.stderr))
    child.on('error', (error) => {
      console.error(`cannot run ${command}: ${error.message}`)
      resolve({ code: 127, output })
    })
    child.on('close', (code, signal) => resolve({ code: code ?? signal, output }))
  })
}
