// Executor vectors: a tree, a session, calls in order.

import * as core from '../../src/js/index.js'
import { join } from 'node:path'
import { mkdirSync } from 'node:fs'
import { subsetFaults } from './compare.mjs'
import { emptyHome, withEnvironment } from './environment.mjs'
import { messageFaults, textFaults } from './notices.mjs'
import { callTool, kindFaults, toolOf } from './outcome.mjs'
import { artifactStore, sessionOf } from './session.mjs'
import { specOf } from '../../src/js/specs.js'
import { buildTree, fileFaults, withDirectory } from './tree.mjs'

export const execKinds = { exec: runExec }

/** Details that allow nothing more than expected. */
const exact = ['meta', 'files', 'phases']

async function runExec(one) {
  return withDirectory(async (directory) => {
    const places = { $CWD: join(directory, 'cwd'), $HOME: join(directory, 'home'), $TMP: join(directory, 'tmp') }
    for (const place of Object.values(places)) mkdirSync(place)
    const { setup = [], then = [], ...main } = one
    // Before the tools: what is there decides on some.
    buildTree(places.$CWD, one.tree)
    const used = [...setup, main, ...then].map(({ tool }) => tool)
    const tools = await sessionTools(one, places, used)
    if (isLeftOut(tools, main)) return []
    for (const tool of used) toolOf(tools, tool)
    return withEnvironment({ ...emptyHome(places.$HOME), ...one.env }, async () => {
      const faults = []
      for (const [index, step] of setup.entries()) faults.push(...(await runStep(tools, step, places, `setup ${index + 1}: `)))
      if (main.params !== undefined) faults.push(...(await runStep(tools, main, places, '')))
      for (const [index, step] of then.entries()) faults.push(...(await runStep(tools, step, places, `then ${index + 1}: `)))
      return [...faults, ...fileFaults(places.$CWD, one.files_after, 'files_after')]
    })
  })
}

/** A tool of this package that the session is not to have, and has not. */
function isLeftOut(tools, { tool, expect }) {
  return expect?.error_kind === 'tool_unavailable' && specOf(tool)?.owner === 'package' && !tools.some(({ name }) => name === tool)
}

/** The tools of a session; hidden ones come for those who name them. */
async function sessionTools({ settings, session = {}, tool_names: names }, places, used) {
  const given = { cwd: places.$CWD, artifacts: artifactStore(), now: () => 1_700_000_000_000, ...session }
  const host = sessionOf(settings, given)
  const hidden = used.filter((name) => Object.hasOwn(core.HIDDEN_TOOLS, name))
  return [...(await core.createTools(host, names)), ...(hidden.length > 0 ? await core.createTools(host, hidden) : [])]
}

async function runStep(tools, { tool, params, expect, abort_after_ms: abortAfter }, places, prefix) {
  const { $HOME, ...inParams } = places
  const outcome = await callTool(tools, tool, placed(params, inParams), { abortAfter })
  if (!expect) return []
  // A `$HOME` in the parameters is a text like any other, and so it is in what comes of it.
  const inExpect = JSON.stringify(params ?? '').includes('$HOME') ? inParams : places
  const faults = outcomeFaults(placed(expect, inExpect), outcome)
  return faults.map((fault) => ({ ...fault, where: prefix + fault.where }))
}

/** A value with the placeholders of places filled in, in every text within. */
function placed(value, places) {
  if (typeof value === 'string') return Object.entries(places).reduce((text, [name, place]) => text.replaceAll(name, place), value)
  if (Array.isArray(value)) return value.map((item) => placed(item, places))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, placed(item, places)]))
}

/** What is wrong with the outcome of a call; nothing if it is as expected. */
export function outcomeFaults(expect, outcome) {
  if (expect.error_kind !== undefined) return errorFaults(expect, outcome)
  if (outcome.error) return [{ where: 'the call', expected: 'success', actual: `${outcome.error.kind}: ${outcome.error.message}` }]
  const { text, images, details, isError } = outcome
  return [
    ...subsetFaults(expect.isError ?? false, isError, 'isError'),
    ...textFaults(expect, text, details.notices),
    ...boundFaults(expect, text),
    ...subsetFaults(withIds(expect.details, details), expect.details && details, 'details', { exact }),
    ...imageFaults(expect.images ?? [], images),
  ]
}

/** Expected details with the ids that came in the place of those that are random. */
function withIds(expected, actual) {
  if (expected === 'ID' && typeof actual === 'string' && actual !== '') return actual
  if (typeof expected !== 'object' || expected === null || Array.isArray(expected)) return expected
  return Object.fromEntries(Object.entries(expected).map(([key, value]) => [key, withIds(value, actual?.[key])]))
}

function errorFaults(expect, { error }) {
  const faults = kindFaults(expect.error_kind, error)
  // The message of another failure says nothing about this one.
  if (faults.length > 0) return faults
  return [...mentionFaults(expect.mentions, error.message), ...issueFaults(expect.issues, error), ...messageFaults(expect, error)]
}

function mentionFaults(mentions = [], text) {
  return mentions.filter((mention) => !text.includes(mention)).map((mention) => ({ where: 'mentions', expected: mention, actual: text }))
}

/** Codes of issues are those of one schema library; they are compared once ours carry codes. */
function issueFaults(issues = [], { data }) {
  const ours = Array.isArray(data.issues) ? data.issues : []
  return ours.some(({ code }) => code !== undefined) ? subsetFaults(issues, ours, 'issues') : []
}

/** What changed expectations may ask of a text whose words are not fixed. */
function boundFaults({ text_contains: parts = [], line_max_bytes: most = Infinity, artifact_mentions: artifacts, mentions }, text) {
  const tooLong = text.split('\n').filter((line) => Buffer.byteLength(line) > most)
  return [
    ...mentionFaults(mentions, text),
    ...mentionFaults(parts, text),
    ...(artifacts === undefined ? [] : subsetFaults(artifacts, text.split('artifact://').length - 1, 'mentions of the artifact')),
    ...tooLong.map((line) => ({ where: 'a line', expected: `at most ${most} bytes`, actual: `${Buffer.byteLength(line)} bytes` })),
  ]
}

/** The size of a picture depends on who encoded it. */
function imageFaults(expected, images) {
  const types = (list) => list.map(({ mimeType }) => mimeType)
  return subsetFaults(types(expected), types(images), 'images')
}
