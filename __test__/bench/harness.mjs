// What benches share: runs in turn, medians, and rows for the table of `npm run bench`. Peers: peers.mjs.

import { appendFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** Where peers and trees are kept for the next run. */
export const home = resolve(process.env.BENCH_DIR ?? join(tmpdir(), 'tool-core-bench'))

/**
 * @typedef {{ median: number, min: number, max: number, rounds: number }} Times
 * @typedef {object} Row
 * @property {string} workload
 * @property {string} unit
 * @property {Times} ours
 * @property {Record<string, Times>} peers
 * @property {Record<string, number>} ratio ours by theirs: below 1 we are faster
 * @property {{ of?: string, most: number, value: number, met: boolean }[]} targets `of` a peer, else in the unit
 */

/**
 * Runs everybody in turn, so that all see the same machine; the first round warms up.
 * @param {Record<string, () => unknown>} runs
 * @param {{ rounds?: number, times?: number }} [options] `times`: calls in each round, for what is too short to be timed alone
 * @returns {Promise<Record<string, number[]>>} milliseconds of one call, by name
 */
export async function interleave(runs, { rounds = 9, times = 1 } = {}) {
  /** @type {Record<string, number[]>} */
  const all = Object.fromEntries(Object.keys(runs).map((name) => [name, []]))
  for (let round = 0; round <= rounds; round++) {
    for (const [name, run] of Object.entries(runs)) {
      const started = performance.now()
      for (let count = 0; count < times; count++) {
        // What is not a promise is not waited for: that would be measured, too.
        const running = run()
        if (running instanceof Promise) await running
      }
      if (round > 0) all[name].push((performance.now() - started) / times)
    }
  }
  return all
}

/** @param {number[]} values */
export function median(values) {
  return [...values].sort((one, other) => one - other)[values.length >> 1] ?? NaN
}

/** @param {number[]} values @returns {Times} */
export function summary(values) {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values), rounds: values.length }
}

/**
 * A row of the table, for whoever collects them; nothing where nobody does.
 * @param {{ workload: string, unit?: string, ours: number[], peers?: Record<string, number[] | undefined>, targets?: { of?: string, most: number }[] }} measured
 *   a target of a peer is a ratio, one without is a number of the unit
 * @returns {Row}
 */
export function record({ workload, unit = 'ms', ours, peers = {}, targets = [] }) {
  const there = Object.entries(peers).filter((entry) => entry[1]?.length)
  const own = summary(ours)
  const theirs = Object.fromEntries(there.map(([name, values]) => [name, summary(/** @type {number[]} */ (values))]))
  const ratio = Object.fromEntries(Object.entries(theirs).map(([name, times]) => [name, own.median / times.median]))
  const judged = targets.map(({ of, most }) => ({ of, most, value: of === undefined ? own.median : ratio[of] }))
  const row = { workload, unit, ours: own, peers: theirs, ratio, targets: judged.filter(({ value }) => value !== undefined).map((target) => ({ ...target, met: target.value <= target.most })) }
  collect({ row })
  return row
}

/** {@link record}, and a line to read. @param {Parameters<typeof record>[0]} measured */
export function report(measured) {
  const row = record(measured)
  console.log(line(row))
  return row
}

/** @param {Row} row */
export function line({ workload, unit, ours, peers, ratio, targets }) {
  const others = Object.entries(peers).map(([name, times]) => `, ${name} ${short(times.median)} ${unit} (× ${short(ratio[name])})`)
  const judged = targets.map(({ of, most, met }) => `; target ≤ ${short(most)}${of ? ` × ${of}` : ` ${unit}`}: ${met ? 'met' : 'missed'}`)
  return `${workload}: ${short(ours.median)} ${unit} (${short(ours.min)} to ${short(ours.max)}, n ${ours.rounds})${others.join('')}${judged.join('')}`
}

/** Three figures, never an exponent. @param {number} value */
export function short(value) {
  if (!Number.isFinite(value)) return '–'
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value) || 1)))
  return value.toFixed(Math.min(digits, 6))
}

const collector = process.env.BENCH_ROWS

/** @param {object} what */
function collect(what) {
  if (collector) appendFileSync(collector, `${JSON.stringify(what)}\n`)
}

// The peak of this process, its peers' included where they run inside.
if (collector) process.once('exit', () => collect({ megabytes: process.resourceUsage().maxRSS / 1024 }))
