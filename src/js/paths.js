// Paths as tools read and show them, and listings by directory, for hosts that do the same.

import { homedir } from 'node:os'
import { posix } from 'node:path'
import native from './native.cjs'
import { callNativeSync } from './errors.js'
import { modeFacts, settingsSnapshot } from './session.js'
import { textArgument } from './text-argument.js'

/** @typedef {`${import('./binding.d.ts').PathForm}`} PathForm */

/**
 * A path with the home directory in place of `~`.
 * @param {string} filePath
 * @param {string} [home]
 */
export function expandTilde(filePath, home = homedir()) {
  return pathOf('tilde', filePath, '', home)
}

/**
 * A path without what stands in front of it (`@`, `file://`), its spaces plain, `~` written out.
 * @param {string} filePath
 */
export function expandPath(filePath) {
  return pathOf('expanded', filePath)
}

/**
 * The absolute path of a text; asks no file system.
 * @param {string} filePath
 * @param {string} cwd
 */
export function resolveToCwd(filePath, cwd) {
  return pathOf('resolved', filePath, cwd)
}

/**
 * The absolute path of the file that a text means: as it is written, else the one whose name only looks like it.
 * @param {string} filePath
 * @param {string} cwd
 */
export function resolveReadPath(filePath, cwd) {
  return pathOf('existing', filePath, cwd)
}

/**
 * A path as tools show it: relative where it lies below the directory. Addresses that are no paths stay.
 * @param {string} filePath
 * @param {string} cwd
 * @param {{ trailingSlash?: boolean }} [options]
 */
export function formatPathRelativeToCwd(filePath, cwd, { trailingSlash = false } = {}) {
  const shown = pathOf('shown', normalizeLocalScheme(filePath), cwd)
  const isOpen = shown === '.' || shown.endsWith('/') || shown.includes('://')
  return trailingSlash && !isOpen ? `${shown}/` : shown
}

/**
 * `local:/x` with both slashes.
 * @param {string} filePath
 */
export function normalizeLocalScheme(filePath) {
  return textArgument(filePath, 'filePath').replace(/^local:\/(?!\/)/, 'local://')
}

/**
 * A text without the double quotes around it.
 * @param {string} input
 */
export function stripOuterDoubleQuotes(input) {
  return /^".*"$/s.test(textArgument(input, 'input')) ? input.slice(1, -1) : input
}

/**
 * A path and the selector behind its colon.
 * @param {string} rawPath
 * @returns {{ path: string, sel?: string }}
 */
export function splitPathAndSel(rawPath) {
  const [path, sel] = native.splitSelector(textArgument(rawPath, 'rawPath'))
  return { path, ...(sel !== undefined && { sel }) }
}

/**
 * What tools put before the lines of a text.
 * @param {import('../../index.d.ts').FileDisplayModeSession} session
 * @param {{ raw?: boolean, immutable?: boolean }} [options]
 * @returns {import('../../index.d.ts').FileDisplayMode}
 */
export function resolveFileDisplayMode(session, { raw = false, immutable = false } = {}) {
  const context = { cwd: '/', settings: settingsSnapshot(session.settings, 'read'), hasEditTool: session.hasEditTool !== false, ...modeFacts(session) }
  return JSON.parse(callNativeSync(() => native.lineMarks(JSON.stringify(context), raw, immutable)))
}

/**
 * Files under the headers of their directories, as search results list them. Those of the root stand alone.
 * @param {string[]} files relative
 * @param {(filePath: string) => import('../../index.d.ts').GroupedFileSection} renderFile
 * @returns {import('../../index.d.ts').GroupedFilesOutput}
 */
export function formatGroupedFiles(files, renderFile) {
  /** @type {Map<string, { title: string, section: import('../../index.d.ts').GroupedFileSection }[]>} */
  const groups = new Map()
  for (const file of files) {
    const section = renderFile(file)
    if (section.skip) continue
    const path = file.replaceAll('\\', '/')
    const directory = posix.dirname(path)
    const title = `${posix.basename(path)}${section.headerSuffix ?? ''}`
    // A file of the root is a group of its own.
    const key = directory === '.' ? path : `${directory}/`
    groups.set(key, [...(groups.get(key) ?? []), { title, section }])
  }
  /** @type {import('../../index.d.ts').GroupedFilesOutput} */
  const output = { model: [], display: [] }
  for (const [key, entries] of groups) {
    const header = key.endsWith('/') ? [`# ${key}`] : []
    for (const lines of [output.model, output.display]) if (lines.length > 0) lines.push('')
    output.model.push(...header)
    output.display.push(...header)
    for (const { title, section } of entries) {
      const { modelLines, displayLines = modelLines } = section
      const line = `${header.length > 0 ? '##' : '#'} ${title}`
      output.model.push(line, ...modelLines)
      output.display.push(line, ...displayLines)
    }
  }
  return output
}

/**
 * @param {PathForm} form
 * @param {string} filePath
 * @param {string} [cwd]
 * @param {string} [home]
 */
function pathOf(form, filePath, cwd = '', home = homedir()) {
  textArgument(filePath, 'filePath')
  textArgument(cwd, 'cwd')
  return callNativeSync(() => native.pathOf(/** @type {import('./binding.d.ts').PathForm} */ (form), filePath, cwd, textArgument(home, 'home')))
}
