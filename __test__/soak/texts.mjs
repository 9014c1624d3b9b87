// Texts of the tree, and changes to them: a few lines inside are taken out and others put in their place. Each way to
// edit says the same change in its own words.

import { computeLineHash } from '../../src/js/index.js'

/** @typedef {import('./random.mjs').Random} Random */
/** @typedef {{ at: number, remove: number, insert: string[] }} Change `at` lines stay before it, and one behind it */

let tokens = 0

/** A word that stands nowhere else; `life` keeps threads apart. */
export const token = (/** @type {number} */ life) => `t${life}x${tokens++}z`

const shapes = [
  (word) => `const value = call(${word})`,
  (word) => `  call(${word})`,
  (word) => `// note of ${word}, caf\u00e9 \ud55c\uae00 \u2014 \ud83d\ude42`,
  (word) => `let ${word} = ['a', "b", \`c\`]`,
  (word) => `\tdone(${word}) // $& $1 \\n`,
]

/** @param {Random} random @param {number} life */
export const line = (random, life) => random.pick(shapes)(token(life))

/** @param {Random} random @param {number} life @param {number} count */
export const lines = (random, life, count) => Array.from({ length: count }, () => line(random, life))

/** A text of a file: at least five lines, of either line ending, now and then without the last one. */
export function newText(random, life) {
  const count = random.chance(0.02) ? random.between(500, 4000) : random.between(5, 40)
  const eol = random.chance(0.2) ? '\r\n' : '\n'
  return join({ lines: lines(random, life, count), eol, ends: !random.chance(0.1) })
}

/** @param {string} text */
export function split(text) {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const all = text.split(eol)
  const ends = all.at(-1) === ''
  return { lines: ends ? all.slice(0, -1) : all, eol, ends }
}

/** @param {ReturnType<typeof split>} parts */
function join({ lines, eol, ends }) {
  return lines.join(eol) + (ends ? eol : '')
}

/** A change that fits into a text; absent where the text is too short to lose lines. */
export function newChange(random, life, text) {
  const count = split(text).lines.length
  if (count < 4 || count > 6000) return undefined
  const at = random.between(1, count - 2)
  const remove = random.between(0, Math.min(3, count - 1 - at))
  return { at, remove, insert: lines(random, life, random.between(remove === 0 ? 1 : 0, 3)) }
}

/** @param {string} text @param {Change} change */
export function changed(text, { at, remove, insert }) {
  const parts = split(text)
  return join({ ...parts, lines: parts.lines.toSpliced(at, remove, ...insert) })
}

/** The text with one line more at its end, as somebody else might add it. */
export function grown(text, more) {
  const parts = split(text)
  return join({ ...parts, lines: [...parts.lines, more] })
}

/** @param {string} text @param {Change} change */
const around = (text, { at, remove }) => {
  const all = split(text).lines
  return { before: all[at - 1], gone: all.slice(at, at + remove), behind: all[at + remove], all }
}

/** Arguments of `edit` by its mode. @type {Record<string, (path: string, text: string, change: Change) => object>} */
export const inWords = {
  replace(path, text, change) {
    const { before, gone } = around(text, change)
    return { path, edits: [{ old_text: [before, ...gone].join('\n'), new_text: [before, ...change.insert].join('\n') }] }
  },
  hashline: (path, text, change) => ({ input: section(path, text, change) }),
  patch: (path, text, change) => ({ path, edits: [{ diff: hunk(text, change) }] }),
  apply_patch: (path, text, change) => ({ input: envelope(`*** Update File: ${path}\n${hunk(text, change)}`) }),
  vim: (path, _, { at, remove, insert }) => ({
    file: path,
    steps: [...(remove ? [{ kbd: [`${at + 1}G${remove}dd`] }] : []), ...(insert.length ? [{ kbd: [`${at}Go`], insert: insert.join('\n') }] : [])],
  }),
}

/** @param {string} path @param {string} text @param {Change} change */
export function section(path, text, change) {
  const { all } = around(text, change)
  const { at, remove, insert } = change
  const anchor = (/** @type {number} */ number) => `${number}${computeLineHash(number, all[number - 1])}`
  const head = remove === 0 ? `»${anchor(at)}` : remove === 1 ? `≔${anchor(at + 1)}` : `≔${anchor(at + 1)}..${anchor(at + remove)}`
  return `§${[path, head, ...insert].join('\n')}\n`
}

/** @param {string} text @param {Change} change */
export function hunk(text, change) {
  const { before, gone, behind } = around(text, change)
  const marked = [` ${before}`, ...gone.map((line) => `-${line}`), ...change.insert.map((line) => `+${line}`), ` ${behind}`]
  return `@@\n${marked.join('\n')}\n`
}

/** @param {string} sections */
export const envelope = (sections) => `*** Begin Patch\n${sections}*** End Patch\n`
