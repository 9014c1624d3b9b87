// Where a module does not parse. Node keeps the place to itself, but tells it of scripts.

import { readFileSync } from 'node:fs'
import { Script } from 'node:vm'

/** What a script has not: replaced by something that parses alike, of the same lines. */
const ofModules = [
  { form: /^[ \t]*import\b(?!\s*[.(])[^;'"]*(?:'[^'\n]*'|"[^"\n]*")(?:\s*with\s*\{[^}]*\})?/gm, by: '' },
  { form: /^[ \t]*export\s*(?:\*|\{[^}]*\})(?:[^;'"\n]*(?:'[^'\n]*'|"[^"\n]*"))?/gm, by: '' },
  { form: /^[ \t]*export\s+default\b/gm, by: '_ =' },
  { form: /^[ \t]*export\b/gm, by: '' },
  { form: /\bimport\.meta\b/g, by: '_' },
]

/**
 * The line of an error that Node gave for a module; nothing where the module, read as a script, has another error or
 * none.
 * @param {SyntaxError} error
 * @param {string} file
 * @returns {number | undefined}
 */
export function lineOf(error, file) {
  const source = readFileSync(file, 'utf8')
  try {
    new Script(`async () => {'use strict'; ${asScript(source)}\n}`, { filename: file })
  } catch (fault) {
    if (!(fault instanceof Error) || fault.message !== error.message) return undefined
    const line = Number(/:(\d+)\n/.exec(fault.stack ?? '')?.[1])
    return Number.isNaN(line) ? undefined : Math.min(line, source.trimEnd().split('\n').length)
  }
  return undefined
}

/** @param {string} source */
function asScript(source) {
  return ofModules.reduce((text, { form, by }) => text.replaceAll(form, (found) => by + found.replaceAll(/[^\n]/g, '')), source)
}
