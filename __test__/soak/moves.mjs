// What an agent may do next. A move looks at the tree and gives back a plan, or nothing where it does not fit.

import { resolveToolChoice, listJobs, cancelJob, pollJobs, formatHashLine, clearPendingPreviews } from '../../src/js/index.js'
import { changed, envelope, grown, hunk, inWords, line, newChange, newText, section, split } from './texts.mjs'

/** @typedef {import('./agent.mjs').Agent} Agent */
/**
 * @typedef {object} Plan
 * @property {string} tool
 * @property {any} params
 * @property {(signal?: AbortSignal) => Promise<any>} [run] absent: the tool is called
 * @property {import('./tree.mjs').State[]} [outcomes] what may be there afterwards; the first is what success means
 * @property {(value: any, touched: Set<string>) => void} [check] throws where the result is wrong
 * @property {string} [needs] without this file it fails
 * @property {RegExp} [fails] the call has to fail with such a code
 * @property {() => void} [meanwhile] done by somebody else while the call runs
 * @property {boolean} [foreign] not known to the tools as a change of theirs; an aborted one may have been done
 * @property {boolean} [blind] it does not matter to the call what was there before
 */

const modes = Object.keys(inWords)
const textOf = ({ content }) => content.map((block) => block.text ?? '').join('')
const small = (/** @type {string} */ text) => text.length < 20_000
const must = (/** @type {unknown} */ truth, /** @type {string} */ words) => {
  if (!truth) throw new Error(words)
}

/** Results of a message end their lines with LF. */
const sameLines = (/** @type {string} */ one, /** @type {string} */ other) => one.replaceAll('\r', '') === other.replaceAll('\r', '')

/** Moves with how often they come. @type {[number, (agent: Agent) => Plan | undefined][]} */
export const moves = [
  [8, readWhole],
  [6, readLines],
  [3, readFolder],
  [7, searchWord],
  [2, searchMuch],
  [6, findFiles],
  [4, findCode],
  [6, writeNew],
  [4, writeOver],
  [18, edit],
  [4, editTwoFiles],
  [2, move],
  [2, remove],
  [3, editCode],
  [4, append],
  [3, commandOutput],
  [1, commandThatHangs],
  [2, commandInBackground],
  [4, countLines],
  [4, todo],
  [3, discover],
  [3, choose],
  [10, badArguments],
]

/** @param {Agent} agent @param {(text: string, path: string) => boolean} [fits] */
function someFile({ tree, random }, fits = () => true) {
  const all = tree.free().filter((path) => fits(tree.files.get(path) ?? '', path))
  return all.length ? random.pick(all) : undefined
}

/** Found is what was expected, but for what changed meanwhile and drafts of changes that are being made. */
function mustBe(/** @type {string[]} */ found, /** @type {string[]} */ expected, /** @type {Set<string>} */ touched) {
  const sure = (/** @type {string} */ path) => !touched.has(path) && !path.includes('.gajae-')
  const missing = expected.filter((path) => sure(path) && !found.includes(path))
  const excess = found.filter((path) => sure(path) && !expected.includes(path))
  must(missing.length + excess.length === 0, `missing: ${missing}; not expected: ${excess}`)
}

function readWhole(agent) {
  const path = someFile(agent, small)
  if (!path) return
  const text = agent.tree.files.get(path)
  return {
    tool: 'read',
    params: { path: `${path}:raw` },
    needs: path,
    check: (result, touched) => must(touched.has(path) || sameLines(textOf(result), text), `read ${JSON.stringify(textOf(result))}\ninstead of ${JSON.stringify(text)}`),
  }
}

function readLines(agent) {
  const path = someFile(agent)
  if (!path) return
  const all = split(agent.tree.files.get(path) ?? '').lines
  const first = agent.random.between(1, all.length)
  const last = Math.min(all.length, first + agent.random.below(20))
  return {
    tool: 'read',
    params: { path: `${path}:${first}-${last}` },
    needs: path,
    check(result, touched) {
      if (touched.has(path)) return
      const shown = textOf(result).split(/\r?\n/)
      // With anchors in one mode of `edit`, as they are in the others.
      for (let number = first; number <= last; number++) {
        const line = all[number - 1]
        must(shown.includes(formatHashLine(number, line)) || shown.includes(line), `line ${number}, ${line}, is not in ${textOf(result)}`)
      }
    },
  }
}

function readFolder({ random, shared }) {
  return { tool: 'read', params: { path: random.pick(['.', shared, `${shared}/hazards`, `${shared}/bulk/0`]) } }
}

function searchWord(agent) {
  const path = someFile(agent)
  if (!path) return
  const words = agent.tree.files.get(path)?.match(/t\d+x\d+z/g)
  if (!words) return
  const word = agent.random.pick(words)
  return {
    tool: 'search',
    params: { pattern: agent.random.pick([word, `\\b${word}\\b`, word.toUpperCase()]), i: true },
    check: ({ details }, touched) => mustBe(details.files, [path], touched),
  }
}

function searchMuch({ random, shared }) {
  const pattern = random.pick(['zq_never', '[a-z]+\\d{3}z\\b', 'call\\(', '(?i)NOTE', '\\w{40,}'])
  return { tool: 'search', params: { pattern, paths: [random.pick([`${shared}/bulk`, shared])], gitignore: random.chance(0.5) } }
}

function findFiles({ tree, random }) {
  const end = random.pick(['.ts', '.txt', '.py', ''])
  const expected = [...tree.files.keys()].filter((path) => path.endsWith(end))
  return {
    tool: 'find',
    params: { paths: [`**/*${end}`] },
    check: ({ details }, touched) => details.truncated || mustBe(details.files, expected, touched),
  }
}

function findCode(agent) {
  const path = someFile(agent, (text, path) => path.endsWith('.ts') && text.includes('= call('))
  if (!path || agent.random.chance(0.3)) return { tool: 'ast_grep', params: { pat: 'call($A)', paths: [`${agent.shared}/bulk`] } }
  const [, word] = /= call\((\w+)\)/.exec(agent.tree.files.get(path) ?? '') ?? []
  return { tool: 'ast_grep', params: { pat: `call(${word})`, paths: ['.'] }, check: ({ details }, touched) => mustBe(details.files ?? [], [path], touched) }
}

function freePath({ tree, random }, ending = random.pick(['.ts', '.txt', '.py', '.md'])) {
  for (;;) {
    const path = `d${random.below(6)}/${random.pick(['', '', 'deep/', 'a b/'])}f${random.below(1000)}${ending}`
    if (!tree.files.has(path) && tree.isFree(path)) return path
  }
}

function writeNew(agent) {
  if (agent.tree.files.size > 60) return
  const path = freePath(agent)
  const content = newText(agent.random, agent.life)
  return { tool: 'write', params: { path, content }, outcomes: [{ [path]: content }] }
}

function writeOver(agent) {
  const path = someFile(agent)
  if (!path) return
  const content = newText(agent.random, agent.life)
  return interfered(agent, path, { tool: 'write', params: { path, content }, outcomes: [{ [path]: content }], blind: true })
}

/** Now and then somebody else writes the file while the call runs. */
function interfered(agent, path, plan, again = () => plan.outcomes[0][path]) {
  if (!agent.random.chance(0.1)) return plan
  const outside = grown(agent.tree.files.get(path) ?? '', line(agent.random, agent.life))
  return { ...plan, outcomes: [...plan.outcomes, { [path]: outside }, { [path]: again(outside) }], meanwhile: () => agent.tree.writeOutside(path, outside) }
}

function edit(agent) {
  const { tree, random, life } = agent
  const path = someFile(agent)
  const text = tree.files.get(path ?? '') ?? ''
  const change = path && newChange(random, life, text)
  if (!change) return
  const mode = random.pick(modes)
  const plan = { tool: `edit:${mode}`, params: inWords[mode](path, text, change), outcomes: [{ [path]: changed(text, change) }] }
  return interfered(agent, path, plan, (outside) => changed(outside, change))
}

function editTwoFiles(agent) {
  const { tree, random, life } = agent
  const paths = [someFile(agent), someFile(agent)]
  const texts = paths.map((path) => tree.files.get(path ?? '') ?? '')
  const changes = texts.map((text) => newChange(random, life, text))
  if (!changes[0] || !changes[1] || paths[0] === paths[1]) return
  const after = Object.fromEntries(paths.map((path, index) => [path, changed(texts[index], changes[index])]))
  if (random.chance(0.5)) {
    return { tool: 'edit:hashline', params: { input: paths.map((path, index) => section(path, texts[index], changes[index])).join('') }, outcomes: [after] }
  }
  const added = freePath(agent, '.txt')
  const sections = paths.map((path, index) => `*** Update File: ${path}\n${hunk(texts[index], changes[index])}`)
  const input = envelope(`${sections.join('')}*** Add File: ${added}\n+first\n+second\n`)
  return { tool: 'edit:apply_patch', params: { input }, outcomes: [{ ...after, [added]: 'first\nsecond\n' }] }
}

function move(agent) {
  const path = someFile(agent)
  const text = agent.tree.files.get(path ?? '') ?? ''
  const change = path && newChange(agent.random, agent.life, text)
  if (!change) return
  const to = freePath(agent)
  const outcomes = [{ [path]: null, [to]: changed(text, change) }]
  if (agent.random.chance(0.5)) return { tool: 'edit:patch', params: { path, edits: [{ rename: to, diff: hunk(text, change) }] }, outcomes }
  return { tool: 'edit:apply_patch', params: { input: envelope(`*** Update File: ${path}\n*** Move to: ${to}\n${hunk(text, change)}`) }, outcomes }
}

function remove(agent) {
  if (agent.tree.files.size < 15) return
  const path = someFile(agent)
  if (!path) return
  const outcomes = [{ [path]: null }]
  return agent.random.pick([
    { tool: 'edit:patch', params: { path, edits: [{ op: 'delete' }] }, outcomes },
    { tool: 'edit:apply_patch', params: { input: envelope(`*** Delete File: ${path}\n`) }, outcomes },
    { tool: 'bash', params: { command: `rm '${path}'` }, outcomes, foreign: true },
  ])
}

/** A change that is shown first, then applied or discarded. */
function editCode(agent) {
  const path = agent.previews ? undefined : someFile(agent, (text, path) => path.endsWith('.ts') && small(text) && text.includes('= call('))
  if (!path) return
  const text = agent.tree.files.get(path) ?? ''
  const [found, word] = /= call\((\w+)\)/.exec(text) ?? []
  const apply = agent.random.chance(0.7)
  const after = apply ? text.replace(/** @type {string} */ (found), `= done(${word})`) : text
  return {
    tool: 'ast_edit',
    params: { ops: [{ pat: `call(${word})`, out: `done(${word})` }], paths: [path] },
    outcomes: [{ [path]: after }],
    async run(signal) {
      agent.previews += 1
      try {
        await agent.call('ast_edit', this.params, signal)
        return await agent.call('resolve', { action: apply ? 'apply' : 'discard', reason: 'so it is' }, signal)
      } finally {
        clearPendingPreviews(agent.session)
        agent.previews -= 1
      }
    },
  }
}

function append(agent) {
  const path = someFile(agent, (text) => split(text).ends && !text.includes('\r'))
  if (!path) return
  const text = agent.tree.files.get(path) ?? ''
  const more = `${line(agent.random, agent.life)}\n`
  return { tool: 'bash', params: { command: `printf %s "$MORE" >> '${path}'`, env: { MORE: more } }, outcomes: [{ [path]: text + more }], foreign: true }
}

function commandOutput({ random }) {
  const last = random.pick([1, 50, 5000, 200_000])
  return random.pick([
    { tool: 'bash', params: { command: `seq 1 ${last}` }, check: (result) => must(textOf(result).includes(`${last}\n`), 'the last line is missing') },
    { tool: 'bash', params: { command: 'echo some; exit 3' }, fails: /nonzero_exit/ },
    { tool: 'bash', params: { command: '(sleep 60 &) ; sleep 61 & echo ready' }, check: (result) => must(textOf(result) === 'ready\n', textOf(result)) },
    { tool: 'bash', params: { command: 'kill -9 $$' }, fails: /nonzero_exit/ },
  ])
}

/** Ends by its time limit, or by an abort. */
function commandThatHangs({ random }) {
  return { tool: 'bash', params: { command: random.pick(['sleep 62', "trap '' TERM; while :; do sleep 63; done", 'yes']), timeout: 1 }, fails: /timeout/ }
}

function commandInBackground(agent) {
  const { random, session } = agent
  const cancels = random.chance(0.5)
  return {
    tool: 'bash',
    params: { command: cancels ? 'echo a; sleep 64' : 'echo a; sleep 0.02; echo b', async: true },
    async run(signal) {
      const { details } = await agent.call('bash', this.params, signal)
      const { jobId } = details.async
      must(listJobs(session).some(({ id }) => id === jobId), `${jobId} is not listed`)
      if (cancels) cancelJob(session, jobId)
      const [job] = await pollJobs(session, { ids: [jobId], timeoutMs: 60_000 })
      must(job.state !== 'running', `${jobId} runs on`)
      must(cancels || job.text === 'a\nb\n', `${jobId} said ${JSON.stringify(job)}`)
    },
  }
}

/** A tool of a module, which runs a program. */
function countLines(agent) {
  const path = someFile(agent)
  if (!path) return
  const count = (agent.tree.files.get(path)?.split('\n').length ?? 1) - 1
  return { tool: 'count_lines', params: { path }, needs: path, check: (result, touched) => must(touched.has(path) || parseInt(textOf(result)) === count, `${count} lines, not ${textOf(result)}`) }
}

function todo(agent) {
  const { random, tasks } = agent
  const known = [...tasks.keys()]
  const task = known.length ? random.pick(known) : ''
  const fresh = `task ${agent.calls}`
  const [op, done] = random.pick([
    [{ op: 'init', list: [{ phase: 'all', items: [fresh] }] }, () => (tasks.clear(), tasks.set(fresh, false))],
    ...(task ? [
      [{ op: 'append', phase: 'all', items: [fresh] }, () => tasks.set(fresh, false)],
      [{ op: 'append', phase: 'all', items: [fresh] }, () => tasks.set(fresh, false)],
      [{ op: 'done', task }, () => tasks.set(task, true)],
    ] : []),
  ])
  return {
    tool: 'todo_write',
    params: { ops: [op] },
    async run(signal) {
      // Decided at once, and so in the order of the calls.
      const call = agent.call('todo_write', this.params, signal)
      if (!signal?.aborted) done()
      const expected = JSON.stringify([...tasks])
      const { details } = await call
      const listed = details.phases.flatMap(({ tasks }) => tasks.map(({ content, status }) => [content, status === 'completed']))
      must(JSON.stringify(listed) === expected, `${JSON.stringify(listed)} instead of ${expected}`)
    },
  }
}

function discover(agent) {
  const { random, session, bridges } = agent
  const { name } = random.pick(bridges)
  return {
    tool: 'search_tool_bm25',
    params: { query: name.split('_').at(-1), limit: random.between(1, 9) },
    async run(signal) {
      const active = session.getActiveToolNames()
      const { details } = await agent.call('search_tool_bm25', this.params, signal)
      must(active.includes(name) || details.activated_tools.includes(name), `${name} was not found`)
      if (random.chance(0.5)) session.setActiveTools(session.getActiveToolNames().filter((one) => !one.startsWith('mcp__')))
      if (random.chance(0.2)) {
        session.removeTools([name])
        must(!session.registry.has(name), `${name} is still there`)
        session.addTools([bridges.find((one) => one.name === name)])
      }
    },
  }
}

function choose(agent) {
  const { random, session } = agent
  const name = random.pick(['read', 'bash', 'edit'])
  return {
    tool: 'choice',
    params: { name },
    async run() {
      session.forceTool(name)
      const plan = session.planTurn()
      must(plan.toolChoice?.name === name, `${JSON.stringify(plan.toolChoice)} was planned`)
      session.finishTurn(random.pick(['toolUse', 'aborted', 'error']))
      session.finishRun()
      session.getToolChoiceQueue().clear()
      const model = { api: random.pick(['openai-completions', 'google-generative-ai', 'bedrock-converse-stream', 'ollama-chat']), provider: 'p', baseUrl: '', id: `m${random.below(50)}` }
      must(resolveToolChoice(model, { type: 'tool', name }), 'no choice')
    },
  }
}

/** Arguments that no tool takes; nothing may come of them but a clear error. */
function badArguments(agent) {
  const { random } = agent
  const path = someFile(agent) ?? 'none'
  const tool = random.pick(['read', 'search', 'find', 'write', 'bash', 'ast_grep', 'todo_write', ...modes.map((mode) => `edit:${mode}`)])
  const any = random.pick([null, 'text', [], 7, { path: 1 }, { path: null }, {}, { pattern: {}, paths: 'x', content: 1, command: [], pat: 2, ops: 'x', input: 9, file: [], edits: 0 }])
  const fails = /^(?!internal$).+/
  return random.pick([
    { tool, params: any, fails },
    { tool, params: any, fails },
    { tool: 'read', params: { path: random.pick([`${path}:0`, `${path}:9-2`, `${path}:1-2-3`, 'no/such/file.ts', 'a\0b', '', 'x'.repeat(5000)]) }, fails },
    { tool: 'search', params: { pattern: random.pick(['[z-a]', '(?<n', 'a{99999999}']) }, fails },
    { tool: 'find', params: { paths: [random.pick(['a\0', '', 'no/such/folder'])] }, fails },
    { tool: 'write', params: { path: random.pick(['', '.', `${path}/below`, 'a\0b', 'x'.repeat(300)]), content: 'x' }, fails },
    { tool: 'bash', params: { command: 'true', cwd: random.pick(['no/such', path]) }, fails },
    { tool: 'bash', params: { command: 'true', env: { 'A=B': 'x' } }, fails },
    { tool: 'edit:replace', params: { path, edits: [{ old_text: 'stands nowhere at all, this text', new_text: '' }] }, fails },
    { tool: 'edit:hashline', params: { input: `§${path}\n≔${random.pick(['0aa', '1', '99999aa', 'aa1', '3aa..1aa'])}\nx\n` }, fails },
    { tool: 'edit:patch', params: { path, edits: [{ diff: random.pick(['', '@@', '@@\n-stands nowhere at all\n+x', 'nothing']) }] }, fails },
    { tool: 'edit:apply_patch', params: { input: random.pick(['', 'nothing', '*** Begin Patch\n*** End Patch', `*** Begin Patch\n*** Add File: ${path}\n+x\n*** End Patch`]) }, fails },
    { tool: 'edit:vim', params: { file: path, steps: [{ kbd: [random.pick(['ZZZ', ':nonsense<CR>', 'dd<Nope>', 'ggdd/stands nowhere<CR>'])] }] }, fails },
    { tool: 'count_lines', params: { path: 'no/such/file' }, fails },
  ])
}
