// `edit` beside its peers, in turns in one run: a text that stands in the file, texts that are only nearly there, patches,
// diffs, and many callers on one file.
//
//   npm run build && node __test__/bench/edit.mjs [WORDS]     WORDS: rows that hold this text alone
//
// Ours is always the whole call: reading, finding, the diff, writing. Of the others, pi is its edit tool; natives the whole
// edit of oh-my-pi's, which leaves the writing to its host; TypeScript the bare matcher or diff of oh-my-pi 14.9.9 under
// Bun; jsdiff the bare diff. A slow peer takes only as many turns as fit into SECONDS, and at least one. The line of CPU
// says more where the machine has other work to do.

import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { EditTool } from '../../src/js/index.js'
import { locate, runtimes } from '../../scripts/runtimes.mjs'
import { testSession } from '../js/session.mjs'
import { home, report, short } from './harness.mjs'
import { cpuTime, install, npm, omp, pi } from './peers.mjs'

const ROUNDS = 11
const SECONDS = 6
const AGENT = '@oh-my-pi/pi-coding-agent@14.9.9'
const NO_SYNC = { 'write.durable': false }

/** Such a name that nobody parses what is in it. */
const FILE = 'source.txt'
const NEW = '  const changed = true'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bench-edit-')))
const modules = install('edit', ['diff@9.0.0'])
const { diffLines } = createRequire(join(modules, 'diff/package.json'))('diff')
const peers = { pi: (await pi())?.createEditTool(folder), natives: await omp(), typescript: await typescript() }
try {
  for (const lines of [5_000, 50_000]) await sized(lines)
  await patches()
  await callers()
} finally {
  peers.typescript?.end()
  rmSync(folder, { recursive: true })
}

/** @param {number} lines */
async function sized(lines) {
  const source = Array.from(sourceLines(lines))
  const content = source.join('\n')
  const block = source.slice(lines >> 1, (lines >> 1) + 8)
  await exact(`${lines} lines`, content, block[longest(block)])
  const drifts = {
    'blanks at the end': block.map((line) => `${line}  `),
    'other indentation': block.map((line) => line && `    ${line}`),
    'one letter off': block.with(longest(block), block[longest(block)].replace(/[a-z]/, '')),
    '3 % of the letters off': block.map((line) => Array.from(line).filter((_, at) => at % 33 !== 20).join('')),
  }
  for (const [name, searched] of Object.entries(drifts)) {
    const targets = [{ of: 'natives', most: 1 / 35 }, ...(lines === 50_000 ? [{ of: 'TypeScript', most: 1 / 150 }] : [])]
    await nearly(`${lines} lines, ${name}`, content, searched.join('\n'), targets)
  }
  const absent = Array.from({ length: 8 }, (_, at) => `    let total_${at} = widgets.reduce(sum, ${at}) as Quantity; /* q${at} */`)
  await nearly(`${lines} lines, nothing close`, content, absent.join('\n'), [{ of: 'natives', most: 1 / 4 }])
  await diffs(`${lines} lines, 40 of them changed`, source, Math.floor(lines / 40), [])
  if (lines === 5_000) await diffs(`${lines} lines, every second changed`, source, 2, [{ of: 'jsdiff', most: 1 / 30 }])
}

async function exact(name, content, line) {
  const theirs = peers.pi && (() => peers.pi.execute('id', { path: FILE, edits: [{ oldText: line, newText: NEW }] }))
  for (const [how, settings, most] of /** @type {const} */ ([['not waiting for the disk', NO_SYNC, 0.1], ['on the disk', {}, 0.3]])) {
    const tool = toolOf('replace', settings)
    const ours = () => tool.execute('id', replacing(line, NEW))
    await row({ name: `exact, ${name}, ${how}`, content, ours, theirs: { pi: theirs }, targets: [{ of: 'pi', most }] })
  }
}

async function nearly(name, content, searched, targets) {
  const tool = toolOf('replace', NO_SYNC)
  const ours = () => tool.execute('id', replacing(searched, NEW)).catch(unlessNoMatch)
  const theirs = {
    natives: peers.natives && (() => nativeEdit(searched)),
    TypeScript: await peers.typescript?.prepared('match', { content, searched }),
  }
  await row({ name: `fuzzy, ${name}`, content, ours, theirs, targets })
}

/** Every so many lines another one. */
async function diffs(name, source, every, targets) {
  const old = source.join('\n')
  const changed = source.map((line, at) => (at % every === 1 ? `${line} // changed` : line)).join('\n')
  const tool = toolOf('replace', NO_SYNC)
  const theirs = {
    // Its result is an array, which a row would take for times.
    jsdiff: () => void diffLines(old, changed),
    natives: peers.natives && (() => peers.natives.editDiffString(old, changed)),
    TypeScript: await peers.typescript?.prepared('diff', { old, changed }),
  }
  await row({ name: `diff, ${name}`, content: old, ours: () => tool.execute('id', replacing(old, changed)), theirs, targets })
}

/** Two hundred hunks of four lines, and in every line of them a letter is missing. */
async function patches() {
  const source = Array.from(sourceLines(5_000))
  const hunk = (/** @type {number} */ number) => {
    const start = 25 * number + 7
    const block = source.slice(start, start + 4).map((line) => (line.length > 20 ? line.replace(/[a-z]/, '') : line))
    const changes = longest(block)
    return `@@\n${block.map((line, at) => (at === changes ? `-${line}\n+${NEW}${number}` : ` ${line}`)).join('\n')}\n`
  }
  const hunks = Array.from({ length: 200 }, (_, number) => hunk(number))
  const tool = toolOf('apply_patch', NO_SYNC)
  const input = `*** Begin Patch\n*** Update File: ${FILE}\n${hunks.join('')}*** End Patch`
  const ours = async () => {
    const { isError, content } = await tool.execute('id', { input })
    assert.ok(!isError, content[0].text)
  }
  await row({ name: '200 hunks one letter off in 5000 lines', content: source.join('\n'), ours, targets: [{ most: 200 }] })
}

/** Twenty callers change a hundred lines each, all at once. */
async function callers() {
  const [COUNT, EDITS] = [20, 100]
  const content = Array.from({ length: COUNT * EDITS }, (_, at) => `old line ${at};`).join('\n')
  const tool = toolOf('replace', NO_SYNC)
  const caller = async (/** @type {number} */ number) => {
    for (let at = number; at < COUNT * EDITS; at += COUNT) await tool.execute('id', replacing(`old line ${at};`, `new line ${at};`))
  }
  const ours = async () => {
    await Promise.all(Array.from({ length: COUNT }, (_, number) => caller(number)))
    assert.ok(readFileSync(join(folder, FILE), 'utf8') === content.replaceAll('old', 'new'), 'an edit is lost')
  }
  await row({ name: `${COUNT} callers, ${EDITS} edits of one file each`, content, ours, rounds: 3 })
}

/** Everybody in turn, each time on a fresh file; the first round warms up. */
async function row({ name, content, ours, theirs = {}, targets = [], rounds = ROUNDS }) {
  if (!name.includes(process.argv[2] ?? '')) return
  const runs = Object.entries({ ours, ...theirs }).filter(([, run]) => run)
  const times = Object.fromEntries(runs.map(([who]) => [who, /** @type {number[]} */ ([])]))
  const cpu = Object.fromEntries(runs.map(([who]) => [who, /** @type {number[]} */ ([])]))
  for (let round = 0; round <= rounds; round++) {
    for (const [who, run] of runs) {
      const isTired = times[who].reduce((sum, time) => sum + time, 0) > SECONDS * 1000
      if (isTired) continue
      writeFileSync(join(folder, FILE), content)
      const [started, spent] = [performance.now(), cpuTime()]
      const told = await run()
      const [time, work] = Array.isArray(told) ? told : [performance.now() - started, cpuTime() - spent]
      // What takes seconds is not warmer the second time.
      if (round === 0 && time < 1000) continue
      times[who].push(time)
      cpu[who].push(work)
    }
  }
  const { ours: own, ...others } = times
  report({ workload: `edit: ${name}`, ours: own, peers: others, targets })
  const least = (/** @type {string} */ who) => Math.min(...cpu[who])
  const compared = Object.keys(others).map((who) => `, ${who} ${short(least(who))} ms (× ${short(least('ours') / least(who))})`)
  console.log(`  least CPU: ${short(least('ours'))} ms${compared.join('')}`)
}

function toolOf(mode, settings) {
  return new EditTool(testSession({ cwd: folder, settings: { 'edit.mode': mode, ...settings } }))
}

function replacing(oldText, newText) {
  return { path: FILE, edits: [{ old_text: oldText, new_text: newText }] }
}

/** A text that is not found is an answer, too. */
function unlessNoMatch(error) {
  if (error.code !== 'no_match') throw error
}

async function nativeEdit(searched) {
  const policy = { cwd: folder, homeDir: folder, mode: 'replace', allowFuzzy: true, fuzzyThreshold: 0.95, enforceSeenLines: false, blockAutoGenerated: false, planActive: false, rawInput: false }
  const session = new peers.natives.EditSession(new peers.natives.EditStore(), policy)
  session.setArgsJson(JSON.stringify({ path: FILE, old_string: searched, new_string: NEW }))
  await session.apply({ lspFlush: false }, async (_, request) => ({ written: request.content ?? '' }))
  session.close()
}

/** The process of edit-typescript.mjs; absent, with a word, where it cannot be had. */
async function typescript() {
  try {
    const bun = locate(runtimes.find(({ name }) => name === 'bun'))
    const script = fileURLToPath(new URL('edit-typescript.mjs', import.meta.url))
    const child = spawn(bun, [script, unpacked(), join(home, 'edit')], { stdio: ['pipe', 'pipe', 'inherit'] })
    const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    /** Milliseconds of wall time and of CPU. */
    const ask = async (/** @type {string[]} */ request) => {
      child.stdin.write(`${JSON.stringify(request)}\n`)
      const { value, done } = await answers.next()
      if (done) throw new Error(`${AGENT} has ended`)
      return JSON.parse(value)
    }
    let number = 0
    const prepared = async (/** @type {string} */ name, /** @type {object} */ given) => {
      const file = join(folder, `typescript-${number++}.json`)
      writeFileSync(file, JSON.stringify(given))
      return () => ask([name, file])
    }
    return { prepared, end: () => child.kill() }
  } catch (error) {
    console.log(`${AGENT} cannot be had (${error.message.split('\n')[0]}): left out`)
    return undefined
  }
}

/** The agent's package without what it depends on, which is large. */
function unpacked() {
  const place = join(home, 'agent')
  const sources = join(place, 'package', 'src/edit')
  if (!existsSync(sources)) {
    mkdirSync(place, { recursive: true })
    execFileSync('tar', ['-xzf', npm(['pack', '--silent', AGENT], place).trim(), 'package/src/edit'], { cwd: place })
  }
  return join(place, 'package')
}

/** Lines as sources have them: deep and flat, long and short, some of them equal. */
function* sourceLines(count) {
  const words = ['request', 'response', 'session', 'buffer', 'index', 'options', 'handler', 'value', 'context', 'cursor', 'window', 'entry']
  let [seed, depth] = [1, 0]
  const below = (most) => {
    seed ^= seed << 13
    seed ^= seed >>> 17
    seed ^= seed << 5
    return (seed >>> 0) % most
  }
  for (let at = 0; at < count; at++) {
    const [one, two, three] = [words[below(12)], words[below(12)], words[below(12)]]
    const kind = below(8)
    if (kind === 0 && depth > 0) depth -= 1
    const indent = '  '.repeat(depth)
    if (kind === 1 && depth < 5) depth += 1
    yield [
      `${indent}}`,
      `${indent}if (${one}.${two} === ${below(1000)}) {`,
      '',
      `${indent}const ${one}${at} = await ${two}.${three}(${one}, ${below(1000)})`,
      `${indent}return ${one}.map((${two}) => ${two}.${three} + ${below(1000)})`,
      `${indent}// The ${one} of the ${two} is kept until the ${three} ends; see ${at}.`,
      `${indent}${one}.${two} = ${three} ?? ${below(1000)}`,
      `${indent}throw new Error(\`${one} ${two} is not \${${three}}: ${at}\`)`,
    ][kind]
  }
}

function longest(lines) {
  return lines.reduce((best, line, at) => (line.length > lines[best].length ? at : best), 0)
}
