// Imports one module on whatever runtime this is, and says where a broken one is broken.

import { statSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import libraries from './libraries.cjs'
import { renderError } from '../errors.js'
import { lineOf } from './syntax.js'

const isBun = process.versions.bun !== undefined

/** Translating is slow and holds up the thread: what is longer is written by a bundler, which can do it better. */
const MOST_TRANSLATED = 1024 * 1024

/**
 * The module of a file. Bun translates TypeScript itself; the type stripping of the others refuses enums, imports
 * without extension and everything in node_modules.
 * @param {string} file absolute
 * @param {'plain' | 'translated'} loader
 * @returns {Promise<any>}
 */
export async function importModule(file, loader) {
  if (loader === 'translated' && !isBun && canBeTranslated(file)) return translated(file)
  try {
    // A URL: a drive letter is no scheme, and `#`, `?` and `%` are names of files, too.
    return await import(pathToFileURL(file).href)
  } catch (error) {
    if (!didNotParse(error, file)) throw error
    const line = lineOf(/** @type {SyntaxError} */ (error), file)
    if (line !== undefined) throw Object.assign(/** @type {SyntaxError} */ (error), { position: { line } })
    if (sizeOf(file) > MOST_TRANSLATED) throw error
    return translated(file)
  }
}

/**
 * The value that is meant: the default export, else the module itself. What a compiler made of a default export of
 * CommonJS is unwrapped.
 * @param {any} module
 */
export function exportOf(module) {
  const value = module?.default ?? module
  return value?.__esModule && value.default !== undefined ? value.default : value
}

/**
 * What went wrong, with its place where that is known.
 * @param {unknown} error
 * @param {string} file the module that was imported
 */
export function reasonOf(error, file) {
  const reason = stripVTControlCharacters(renderError(error)).replaceAll(/\s+/g, ' ').trim() || 'an error without words'
  const place = placeOf(error, file)
  return place === undefined || reason.includes(place) ? reason : `${reason} (${place})`
}

/** @type {ReturnType<ReturnType<typeof libraries.jiti>['createJiti']> | undefined} */
let jiti

/**
 * False for a bundle of JavaScript, which needs no translation.
 * @param {string} file
 */
function canBeTranslated(file) {
  const size = sizeOf(file)
  if (size <= MOST_TRANSLATED) return true
  if (/\.[cm]?js$/i.test(file)) return false
  throw new Error(`has ${size} bytes; TypeScript of more than ${MOST_TRANSLATED} is not translated. Bundle it to JavaScript`)
}

/** @param {string} file */
function sizeOf(file) {
  return statSync(file).size
}

/** @param {string} file */
async function translated(file) {
  // Nothing is written: the cache would lie in a folder that is the user's, or everybody's.
  jiti ??= libraries.jiti().createJiti(import.meta.url, { fsCache: false, interopDefault: false })
  return jiti.import(file)
}

/**
 * Whether Node could not read a module, so that nothing of it has run. Where no line is at fault it may be of another
 * module system than its folder says; translated it runs, or says what is wrong.
 * @param {unknown} error
 * @param {string} file
 */
function didNotParse(error, file) {
  if (!(error instanceof SyntaxError) || typeof error.stack !== 'string') return false
  return error.stack.includes('compileSourceTextModule') || error.stack.startsWith(`${file}:`)
}

/**
 * The place of an error in the module, as `path:line`. Columns of what was translated are those of the translation.
 * @param {any} error
 * @param {string} file
 */
function placeOf(error, file) {
  const { position, stack } = typeof error === 'object' && error !== null ? error : /** @type {any} */ ({})
  if (typeof position?.line === 'number') return `${position.file || file}:${position.line}`
  if (typeof stack !== 'string') return undefined
  for (const name of [file, pathToFileURL(file).href]) {
    const at = stack.indexOf(`${name}:`)
    const line = at === -1 ? undefined : /^\d+/.exec(stack.slice(at + name.length + 1))?.[0]
    if (line) return `${file}:${line}`
  }
  return undefined
}
