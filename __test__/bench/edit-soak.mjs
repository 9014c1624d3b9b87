// Edits of ten files at once in a process that is killed at a random moment, again and again: after the next call every
// file is old or all are new, and that call says so where it had to put them right. The debug build will do.
// `node __test__/bench/edit-soak.mjs [KILLS]`; exit code 1 where a file is neither.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { EditTool, FindTool } from '../../src/js/index.js'
import { testSession } from '../js/session.mjs'

const FILES = Array.from({ length: 10 }, (_, index) => `file${index}.txt`)

/** Around the line that changes, so that a file is not written in one piece. */
const FILLING = Array.from({ length: 2000 }, (_, index) => `line ${index} stays as it is`).join('\n')

/** A kill in the first edit comes within this time. */
const LONGEST_MS = 60

const content = (edit) => `${FILLING}\nedit ${edit}\n${FILLING}\n`

/**
 * @param {number} kills
 * @returns {Promise<{ torn: number, repaired: number, edits: number }>} how many kills left files of both kinds, how many
 *   edits the next call took back, and how many were made
 */
export async function soak(kills) {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'edit-soak-')))
  try {
    mkdirSync(join(cwd, 'work'))
    for (const file of FILES) writeFileSync(join(cwd, 'work', file), content(0))
    const find = new FindTool(sessionOf(cwd))
    let [torn, repaired, edits] = [0, 0, 0]
    for (let kill = 0; kill < kills; kill++) {
      await killOne(cwd, edits, kill % 2 === 1)
      const before = states(cwd)
      const { details } = await find.execute('find', { paths: ['*.txt'] })
      const after = states(cwd)
      const told = details.notices?.filter(({ kind }) => kind === 'interrupted_write') ?? []
      if (new Set(after).size > 1) throw new Error(`after kill ${kill}: ${after}, before the next call ${before}`)
      if (`${before}` !== `${after}` && told.length === 0) throw new Error(`kill ${kill} was put right, and nobody was told`)
      if (new Set(before).size > 1) torn += 1
      if (told.length > 0) repaired += 1
      edits = after[0]
    }
    if (edits === 0) throw new Error('no edit was ever done')
    const litter = readdirSync(join(cwd, 'work')).filter((name) => !FILES.includes(name))
    if (litter.length > 0) throw new Error(`left behind: ${litter}`)
    return { torn, repaired, edits }
  } finally {
    rmSync(cwd, { recursive: true, force: true })
  }
}

/** Which edit each file is in; a file that is in none fails. */
function states(cwd) {
  return FILES.map((file) => {
    const text = readFileSync(join(cwd, 'work', file), 'utf8')
    const edit = Number(/^edit (\d+)$/m.exec(text)?.[1])
    if (text !== content(edit)) throw new Error(`${file} is no state of any edit: ${text.length} characters`)
    return edit
  })
}

/**
 * Kills a process that edits, at a random moment of its first edit or of a later one.
 * @param {boolean} isLater
 */
async function killOne(cwd, edits, isLater) {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), '--edit', cwd, `${edits}`], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit').then(() => {
    throw new Error('the process that edits has ended by itself')
  })
  ended.catch(() => {})
  const step = () => Promise.race([once(child.stdout, 'data'), ended])
  await step()
  const started = performance.now()
  if (isLater) await step()
  await sleep(Math.random() * (isLater ? performance.now() - started : LONGEST_MS))
  child.kill('SIGKILL')
  await ended.catch(() => {})
}

/** Edits until killed; says when it begins, and after each edit. */
async function editForever(cwd, edits) {
  const tool = new EditTool(sessionOf(cwd))
  for (let edit = edits; ; edit++) {
    process.stdout.write('.')
    const updates = FILES.map((file) => `*** Update File: ${file}\n@@\n-edit ${edit}\n+edit ${edit + 1}\n`)
    const { isError, content: answer } = await tool.execute('edit', { input: `*** Begin Patch\n${updates.join('')}*** End Patch` })
    if (isError) throw new Error(answer[0].text)
  }
}

function sessionOf(cwd) {
  return testSession({ cwd: join(cwd, 'work'), stateDir: join(cwd, 'state'), settings: { 'edit.mode': 'apply_patch' } })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , task = '200', cwd, edits] = process.argv
  if (task === '--edit') await editForever(cwd, Number(edits))
  else {
    const { torn, repaired, edits: made } = await soak(Number(task))
    console.log(`${task} kills, ${torn} of them between two files, ${repaired} edits taken back; ${made} edits of ${FILES.length} files done, none in part`)
  }
}
