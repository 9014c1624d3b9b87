// Runs a list of commands one after another, whatever becomes of each, and tells the end of every one.

import { spawn } from 'node:child_process'
import { root, step } from './setup.mjs'

/**
 * @typedef {{ title: string, command: string, arguments_: string[], counts?: (output: string) => { passed: number, failed: number }, env?: NodeJS.ProcessEnv }} Step
 * @typedef {{ title: string, ok: boolean, note: string, seconds: number, output: string }} Outcome
 */

/** What a terminal adds for colour. */
const COLOURS = /\u001b\[[0-9;]*m/g

/**
 * Runs a step with its output shown as it comes. A run that counts its tests must have run at least one.
 * @param {Step} what
 * @returns {Promise<Outcome>}
 */
export async function runStep({ title, command, arguments_, counts, env }) {
  step(title)
  const start = performance.now()
  const { code, output } = await teed(command, arguments_, env)
  const outcome = { title, ok: code === 0, note: code === 0 ? '' : `exit code ${code}`, seconds: (performance.now() - start) / 1000, output }
  if (!counts) return outcome
  const { passed, failed } = counts(output.replaceAll(COLOURS, ''))
  const note = `${passed} passed, ${failed} failed`
  if (passed === 0) return { ...outcome, ok: false, note: `${note}: no test ran` }
  return { ...outcome, ok: outcome.ok && failed === 0, note: outcome.note ? `${note}, ${outcome.note}` : note }
}

/**
 * Prints one line for each outcome; the process ends with code 1 if one failed.
 * @param {Outcome[]} outcomes
 */
export function summarize(outcomes) {
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
function teed(command, arguments_, env) {
  return new Promise((resolve) => {
    const child = spawn(command, arguments_, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } })
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
