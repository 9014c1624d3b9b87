// Texts whose notices may be worded freely: each notice becomes its kind, then the texts are compared.

import { subsetFaults } from './compare.mjs'

/** Words of the vectors that stand for what differs from run to run. */
const placeholders = {
  '<ADVICE>': '[^\\n]+',
  '<SHELL MESSAGE>': '[^]+?',
  '<PARTIAL OUTPUT>': '[^]*?',
}

/** Prose the vectors do not mark: a notice of ours of another kind than those expected stands for one line of it. */
const prose = '‹prose›'

/** Faults unless the text says the same with notices of the same kinds and facts. */
export function textFaults({ text, notices: expected = [] }, actual, notices = [], where = 'text') {
  const faults = noticeFaults(expected, notices)
  if (text === undefined || text === null) return faults
  if (typeof text !== 'string') return [...faults, ...subsetFaults(text, actual, where)]
  const kinds = new Set(expected.map(({ kind }) => kind))
  const wanted = named(text, expected.map(({ kind, literal = `<${kind}>` }) => [literal, `‹${kind}›`]))
  const came = named(actual, notices.map((notice) => [notice.text, kinds.has(notice.kind) ? `‹${notice.kind}›` : prose]))
  return isSameText(wanted, came) ? faults : [...faults, { where, expected: wanted, actual: showProse(came, notices, kinds) }]
}

/** A text with each literal (where a vector gives none: the kind in angle brackets) replaced, last place first; a bracket around nothing but notices is theirs. */
function named(text, replacements) {
  let result = text
  for (const [literal, name] of replacements) {
    const at = literal ? result.lastIndexOf(literal) : -1
    if (at >= 0) result = result.slice(0, at) + name + result.slice(at + literal.length)
  }
  return result.replace(/\[(‹\w+›(?:\. ‹\w+›)*)\]/g, '$1')
}

function isSameText(expected, actual) {
  if (fits(expected, actual)) return true
  const [wanted, came] = [expected.split('\n'), actual.split('\n')]
  return wanted.length === came.length && wanted.every((line, index) => fits(line, came[index]))
}

/** Equal, or equal but for placeholders on the one side or prose on the other. */
function fits(expected, actual) {
  return (
    expected === actual ||
    patternOf(expected, placeholders)?.test(actual) ||
    patternOf(actual, { [prose]: '[^\\n]+' })?.test(expected) ||
    false
  )
}

/** The text as a pattern; none if it holds no wildcard. */
function patternOf(text, wildcards) {
  const names = Object.keys(wildcards)
  if (!names.some((name) => text.includes(name))) return undefined
  const parts = text.split(new RegExp(`(${names.join('|')})`))
  return new RegExp(`^${parts.map((part) => wildcards[part] ?? escape(part)).join('')}$`)
}

function escape(text) {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}

/** The words behind prose, for people who read the difference. */
function showProse(text, notices, kinds) {
  const words = notices.filter(({ kind }) => !kinds.has(kind)).reverse()
  return text.replaceAll(prose, () => `${prose}(${words.shift()?.text ?? ''})`)
}

/** Each expected notice must have one of ours of its kind with all its facts, each of ours used once. */
function noticeFaults(expected, notices) {
  const left = [...notices]
  return expected.flatMap(({ kind, facts = {} }) => {
    const candidates = left.filter((notice) => kind === undefined || notice.kind === kind)
    const faultsOf = (notice) => subsetFaults(facts, notice, `notice ${kind ?? ''}`.trim(), { loose: true })
    const match = candidates.find((notice) => faultsOf(notice).length === 0)
    if (match) left.splice(left.indexOf(match), 1)
    if (match) return []
    if (candidates.length > 0) return faultsOf(candidates[0])
    return [{ where: 'notices', expected: kind, actual: notices.map((notice) => notice.kind) }]
  })
}

/**
 * The same for the message of an error. Its notices may come without a list of their own: then each fact must stand in
 * the message or among the error's fields.
 */
export function messageFaults({ error_text: text, notices = [] }, { message, data }) {
  if (Array.isArray(data.notices)) return textFaults({ text, notices }, message, data.notices, 'message')
  const faults = notices.flatMap(({ kind, facts = {} }) =>
    Object.entries(facts)
      .filter(([, fact]) => !message.includes(String(fact)) && !Object.values(data).some((field) => String(field) === String(fact)))
      .map(([name, fact]) => ({ where: `notice ${kind}.${name}`, expected: fact, actual: message })),
  )
  if (typeof text !== 'string') return faults
  const wanted = named(text, notices.map(({ literal }) => [literal, '<ADVICE>']))
  return isSameText(wanted, message) ? faults : [...faults, { where: 'message', expected: wanted, actual: message }]
}
