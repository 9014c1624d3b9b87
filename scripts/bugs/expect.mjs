// What a case expects of what happened. Every word has its rule here; an unknown one is an error, never passed over.

import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { listFaults, subsetFaults } from '../vectors/compare.mjs'
import { fileFaults } from '../vectors/tree.mjs'

/**
 * Faults, none if everything is as expected.
 * @param {Record<string, any>} expect
 * @param {Record<string, any>} happened what a driver gives back, with `root` and the nodes of `tree`
 */
export async function judge(expect, happened) {
  const faults = []
  for (const [word, wanted] of Object.entries(expect)) {
    if (!Object.hasOwn(rules, word)) throw new Error(`no rule for \`${word}\``)
    faults.push(...(await rules[word](wanted, happened, word)))
  }
  return faults
}

// ── Calls and their outputs ──────────────────────────────────────────────────────────────────────────────────────────

const last = ({ calls }) => calls.at(-1)

const isOk = ({ error, isError }) => !error && !isError

/** Everything that a model or a host reads of a call. */
const outputOf = ({ text, details, error }) => (error ? error.message : `${text}\n${JSON.stringify(details)}`)

/** What of it is said in words: the names of fields and their flags are not. */
const saidOf = ({ text, details, error }) => (error ? error.message : [text, ...textsOf(details)].join('\n'))

function textsOf(value) {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : []
}

const pathsOf = ({ details }) => (details?.files ?? []).map((path) => path.replaceAll('\\', '/'))

/** `check(call)` of every call. */
const ofEach = (check) => (wanted, { calls }, word) => calls.flatMap((call) => check(wanted, call, word))

const ofLast = (check) => (wanted, happened, word) => check(wanted, last(happened), word)

const missing = (wanted, list, where) => wanted.filter((item) => !list.includes(item)).map((item) => ({ where, expected: item, actual: list }))

const present = (unwanted, list, where) => unwanted.filter((item) => list.includes(item)).map((item) => ({ where, message: `${item} should not be in ${list}` }))

const noneOf = (words, text, where) => (words.some((word) => text.includes(word)) ? [] : [{ where, expected: words.join(' | '), actual: text }])

const atMost = (most, actual, where) => (actual <= most ? [] : [{ where, expected: `at most ${most}`, actual }])

const isTrue = (actual, where) => subsetFaults(true, actual, where)

const rules = {
  ok: ofEach((wanted, call) => (isOk(call) === wanted ? [] : [{ where: 'ok', expected: wanted, actual: outputOf(call) }])),
  output_contains: ofLast((words, call, where) => missing(words, outputOf(call), where)),
  output_contains_any: ofLast((words, call, where) => noneOf(words, outputOf(call), where)),
  output_not_contains: ofLast((words, call, where) => present(words, saidOf(call), where)),
  first_output_contains_any: (words, { calls }, where) => noneOf(words, outputOf(calls[0]), where),
  outputs_equal: (_, { calls }, where) => calls.flatMap((call) => listFaults(outputOf(calls[0]), outputOf(call), where)),
  paths_include: ofLast((paths, call, where) => missing(paths, pathsOf(call), where)),
  paths_exclude: ofLast((paths, call, where) => present(paths, pathsOf(call), where)),
  all_paths_include: (paths, { calls }, where) => missing(paths, calls.flatMap(pathsOf), where),
  count: ofLast((count, call, where) => listFaults(count, pathsOf(call).length, where)),
  max_hits: ofLast((most, call, where) => atMost(most, call.details?.matchCount, where)),
  max_ms: ofEach((most, { ms }, where) => atMost(most, ms, where)),
  max_output_bytes: ofEach((most, call, where) => atMost(most, Buffer.byteLength(call.text ?? call.error.message), where)),
  aborted: ofLast((_, { error }, where) => subsetFaults('aborted', error?.kind, where)),
  rejects: ofLast((name, { error }, where) => subsetFaults(name, error?.name, where)),
  no_throw: ofEach((_, { error }, where) => (error ? [{ where, message: error.message }] : [])),

  // The same, of other parts of what happened.
  last: (wanted, happened) => judge(wanted, { ...happened, calls: [last(happened)] }),
  each: async (wanted, happened) => (await Promise.all(happened.calls.map((call) => judge(wanted, { ...happened, calls: [call] })))).flat(),
  either: async (alternatives, happened) => {
    const faults = await Promise.all(alternatives.map((alternative) => judge(alternative, happened)))
    return faults.some((list) => list.length === 0) ? [] : faults.flatMap((list, index) => list.map((fault) => ({ ...fault, where: `either ${index + 1}: ${fault.where}` })))
  },
  never: async (unwanted, happened) => ((await judge(unwanted, happened)).length > 0 ? [] : [{ where: 'never', message: JSON.stringify(unwanted) }]),

  // Files.
  files: (files, { root }) => fileFaults(root, files),
  unchanged: (paths, { root, tree }) => fileFaults(root, Object.fromEntries(paths.map((path) => [path, tree[path]])), 'unchanged'),
  absent: (paths, { root }, where) => paths.filter((path) => existsSync(join(root, path))).map((path) => ({ where, message: `${path} is there` })),
  files_text_rstrip: (files, { root }, where) =>
    Object.entries(files).flatMap(([path, text]) => listFaults(text.trimEnd(), readFileSync(join(root, path), 'utf8').trimEnd(), `${where}: ${path}`)),
  reader_sizes_in: (sizes, { reader }, where) => present(reader.sizes.filter((size) => !sizes.includes(size)), reader.sizes, where),
  reader_uniform: (_, { reader }, where) => isTrue(reader.isUniform, where),

  // The host. That it lives shows in its being here; how it ends is judged from outside.
  host_alive: () => [],
  no_crash: () => [],
  exit_code: () => [],
  exit_within_ms: () => [],
  max_rss_growth_mb: (most, { rssGrowth }, where) => atMost(most, rssGrowth, where),
  rss_growth_mb_max: (most, { rssGrowth }, where) => atMost(most, rssGrowth, where),
  heap_growth_mb_max: (most, { heapGrowth }, where) => atMost(most, heapGrowth, where),
  abort_listeners_after: (count, { listeners }, where) => listFaults(count, listeners, where),
  no_warnings: (names, { warnings }, where) => present(names, warnings, where),
  no_processes_matching: processesGone,
  // Judged from outside, too; the host only has to live for so long.
  no_signal_after_exit_ms: async (ms) => {
    await sleep(ms)
    return []
  },

  // Arguments.
  arguments: ofEach((wanted, call, where) => listFaults(wanted, call.arguments, where)),
  tool_results_for: (ids, { results }, where) => results.flatMap((batch) => listFaults(ids, batch, where)),
  wire_root_has_no: (words, { wire }, where) => present(words, Object.keys(wire), where),
  wire_type: (type, { wire }, where) => listFaults(type, wire.type, where),

  // Loading and discovery.
  tools: (names, { loaded }, where) => listFaults(names, loaded.names, where),
  errors: (count, { loaded }, where) => listFaults(count, loaded.errors.length, where),
  names_unique: (_, { loaded }, where) => listFaults([...new Set(loaded.names)], loaded.names, where),
  warnings_mention: (words, { loaded }, where) => missing(words, loaded.errors.join('\n'), where),
  found: (names, { found }, where) => missing(names, found, where),
  no_error: () => [],

  // Providers.
  request: (wanted, { requests }) => subsetFaults(wanted, requests[0], 'request'),
  request_never: (unwanted, { requests }, where) => requests.filter((request) => isSuch(request, unwanted)).map((request) => ({ where, message: JSON.stringify(request) })),
  notice: (_, { requests }, where) => isTrue(requests.some(({ isTold }) => isTold), where),
  tool_choice_sequence: (names, { requests }, where) => listFaults(names, requests.map(({ named }) => named), where),
  turns_max: (most, { requests }, where) => atMost(most, requests.length, where),
  requests_max: (most, { requests }, where) => atMost(most, requests.length, where),
  turn_status_not: (unwanted, { status }, where) => present([unwanted], [status], where),
}

/** Whether a request has every value of a description; a list allows any of its values. */
function isSuch(request, description) {
  return Object.entries(description).every(([key, value]) => [value].flat().includes(request[key]))
}

// ── Processes ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** What ends a command may take a moment. Whatever is left is ended here. */
async function processesGone(commands, { root }, where) {
  for (let attempt = 0; attempt < 30 && processesOf(root, commands).length > 0; attempt++) await sleep(100)
  return processesOf(root, commands).map(({ id, command }) => {
    process.kill(id, 'SIGKILL')
    return { where, message: `${command} still runs` }
  })
}

/** Processes of these commands in a directory; where nothing tells the directory of a process, all of the commands. */
function processesOf(root, commands) {
  return listProcesses(dirname(root)).filter(({ command }) => commands.some((wanted) => command.includes(wanted)))
}

function listProcesses(directory) {
  if (!existsSync('/proc/self/cwd')) {
    const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,command='], { encoding: 'utf8' })
    return stdout.split('\n').map((line) => ({ id: Number.parseInt(line, 10), command: line.trim().replace(/^\d+ /, '') }))
  }
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return ids.flatMap((id) => {
    try {
      const command = readFileSync(`/proc/${id}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
      return readlinkSync(`/proc/${id}/cwd`).startsWith(directory) ? [{ id: Number(id), command }] : []
    } catch {
      return [] // Gone meanwhile, or somebody else's.
    }
  })
}
