// What a call is about, in a few words. Arguments may be half there, because they are still being written, or nonsense.

/** @typedef {Record<string, any>} Args */

/** Each gives the subject, then what is less important; what is absent is left out. @type {Record<string, (args: Args) => unknown[]>} */
const subjects = {
  read: ({ path }) => [path],
  search: ({ pattern, paths, i, skip }) => [pattern, within(paths), i && 'any case', skip > 0 && `from file ${skip + 1}`],
  find: ({ paths, type, limit }) => [list(paths), type, limit && `at most ${limit}`],
  write: ({ path, content }) => [path, typeof content === 'string' && counted(linesOf(content).length, 'line')],
  edit: ({ path, file, edits, input, steps }) => [
    path ?? file ?? (typeof input === 'string' ? filesOf(input) : undefined),
    Array.isArray(edits) && counted(edits.length, 'edit'),
    Array.isArray(steps) && counted(steps.length, 'step'),
  ],
  bash: ({ command, cwd, timeout }) => [command && `$ ${command}`, cwd && `in ${cwd}`, timeout && `at most ${timeout} s`],
  ast_grep: ({ pat, paths }) => [pat, within(paths)],
  ast_edit: ({ ops, paths }) => [Array.isArray(ops) && ops.map(({ pat, out }) => `${pat} → ${out || '(nothing)'}`).join(', '), within(paths)],
  recipe: ({ op }) => [op],
  todo_write: ({ ops }) => [Array.isArray(ops) && ops.map(todoOperation).join(', ')],
  goal: ({ op, objective }) => [op, objective],
  skill: ({ name, args }) => [name, args],
  calc: ({ calculations }) => [Array.isArray(calculations) && calculations.map(({ expression }) => expression).join(', ')],
  yield: ({ result }) => [result?.error === undefined ? 'result' : result.error],
  report_finding: ({ priority, title, file_path: path, line_start: line }) => [priority, title, path && `${path}:${line ?? ''}`],
  resolve: ({ action, reason }) => [action, reason],
  search_tool_bm25: ({ query }) => [query],
  ask: ({ questions }) => [Array.isArray(questions) && questions.map((question) => question?.question ?? question?.text).filter(Boolean).join(' · ')],
  ssh: ({ host, command }) => [host, command && `$ ${command}`],
  task: ({ agent, tasks }) => [agent, Array.isArray(tasks) && counted(tasks.length, 'task')],
  eval: ({ cells }) => [Array.isArray(cells) && counted(cells.length, 'cell')],
  github: ({ op, repo, pr, query }) => [op, repo, pr && `#${pr}`, query],
  lsp: ({ action, file, line, symbol, query }) => [action, file && (line ? `${file}:${line}` : file), symbol, query],
  browser: ({ action, url, name }) => [action, url ?? name],
  irc: ({ op, to, message }) => [op, to, message],
}

/**
 * The words of a call.
 * @param {string} name
 * @param {unknown} args
 * @returns {string[]}
 */
export function subjectOf(name, args) {
  if (typeof args !== 'object' || args === null) return []
  const subject = Object.hasOwn(subjects, name) ? subjects[name] : firstTexts
  try {
    return words(subject(args))
  } catch {
    return words(firstTexts(args))
  }
}

/** The files that the headers of an input name. @param {string} input */
function filesOf(input) {
  const named = [...input.matchAll(/^(?:§+|\*{3} (?:Add|Delete|Update) File:)[ \t]*(.+)/gm)].map(([, path]) => path.trim())
  return named.length > 0 ? [...new Set(named)].join(', ') : linesOf(input)[0]
}

/** @param {unknown[]} parts */
function words(parts) {
  return parts.filter((part) => part !== undefined && part !== null && part !== false && part !== '').map(word)
}

/** @param {unknown} value */
function word(value) {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))
}

/** Of a tool that nobody knows here: what is short enough to say something. @param {Args} args */
function firstTexts(args) {
  return Object.values(args).filter((value) => ['string', 'number'].includes(typeof value)).slice(0, 3)
}

/** @param {any} operation */
function todoOperation({ op, task, phase, list: phases }) {
  return [op, task ?? phase ?? (Array.isArray(phases) ? counted(phases.length, 'phase') : undefined)].filter(Boolean).join(' ')
}

/** @param {unknown} paths */
function within(paths) {
  return paths === undefined ? undefined : `in ${list(paths)}`
}

/** @param {unknown} paths */
function list(paths) {
  return Array.isArray(paths) ? paths.map(word).join(', ') : paths
}

/**
 * @param {number} count
 * @param {string} noun
 */
export function counted(count, noun) {
  if (count === 1) return `1 ${noun}`
  return `${count} ${noun}${/(ch|s|x)$/.test(noun) ? 'es' : 's'}`
}

/** Lines of a text; a line break at its end begins none. @param {string} text */
export function linesOf(text) {
  return text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/)
}
