#!/usr/bin/env node
// Any tool from a shell: the options of a session in, the result of one call out.

import { readFileSync } from 'node:fs'
import { resolve as absolute } from 'node:path'
import { parseArgs } from 'node:util'
import { BUILTIN_TOOLS, createToolSession, HIDDEN_TOOLS, loadCustomTools, prepareToolArguments, toolWireSchema } from './index.js'
import { renderError, ToolAbortError } from './errors.js'
import native from './native.cjs'

/** @typedef {import('../../index.d.ts').AgentTool<any, any, any>} AgentTool */

const HELP = `Usage: gajae-tool-core COMMAND

  call NAME [ARGUMENTS]   runs a tool; ARGUMENTS is a JSON object, or - for standard input
  list                    the tools that this session offers
  schema NAME             what a model is told of a tool, as JSON

Options:
  --cwd DIRECTORY         where relative paths start (default: here)
  --settings JSON         settings by dotted key or nested: '{"edit.mode": "replace"}'
  --tool PATH             also loads the custom tools of a module; may be repeated. Its code runs
  --apply                 applies the preview that the call leaves (ast_edit and others)
  --json                  the whole result, or the error, as JSON
  --help, --version

Exit code: 0 the tool answered, 1 it failed or was interrupted, 2 the command line is wrong and nothing ran.

  gajae-tool-core call read '{"path": "README.md:1-5"}'
  gajae-tool-core call search '{"pattern": "TODO", "paths": ["src"]}' --json
  TOOL_CORE_LOG=debug gajae-tool-core call bash '{"command": "make"}'
`

/** The command line is wrong: nothing ran. */
class UsageError extends Error {}

process.stdout.on('error', (error) => {
  // Whoever read has had enough, as `head` does.
  if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EPIPE') throw error
  process.exit()
})

const { options, words } = commandLine()
try {
  process.exitCode = await run(words, options)
} catch (error) {
  process.exitCode = report(error, options.json === true)
}

/**
 * @param {string[]} words
 * @param {Options} options
 * @returns {Promise<number>}
 */
async function run([command, name, ...rest], options) {
  if (options.version) return print(native.version())
  if (options.help) return print(HELP)
  if (command === 'list') return list(await start(options), options)
  if (command !== 'call' && command !== 'schema') throw new UsageError(command === undefined ? `What to do is missing.\n\n${HELP}` : `There is no command \`${command}\`; see --help`)
  if (name === undefined) throw new UsageError(`${command} needs the name of a tool; \`list\` shows them`)
  if (rest.length > (command === 'call' ? 1 : 0)) throw new UsageError(`Too much: \`${rest.at(-1)}\`. The arguments of a tool are one JSON object, in quotes`)
  const params = command === 'call' ? parsed(rest[0] === '-' ? readFileSync(0, 'utf8') : (rest[0] ?? '{}'), 'ARGUMENTS') : undefined
  const session = await start(options, name)
  const tool = toolOf(session, name)
  return command === 'schema' ? print(schemaOf(tool)) : call(session, tool, params, options)
}

/**
 * @param {import('../../index.d.ts').ManagedToolSession} session
 * @param {AgentTool} tool
 * @param {object} params
 * @param {Options} options
 */
async function call(session, tool, params, { json, apply }) {
  const interrupt = new AbortController()
  // Once: a tool that does not listen is ended by the second one, as any program.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => interrupt.abort(new Error(signal)))
  const { arguments: prepared } = prepareToolArguments(tool, { id: 'cli', name: tool.name, arguments: params })
  let result = await tool.execute('cli', prepared, interrupt.signal)
  if (apply) result = (await applied(session, interrupt.signal)) ?? result
  print(json ? toText(result) : textOf(result))
  return result?.isError ? 1 : 0
}

/**
 * The result of applying what waits; nothing where nothing waits.
 * @param {import('../../index.d.ts').ManagedToolSession} session
 * @param {AbortSignal} signal
 */
async function applied(session, signal) {
  try {
    return await toolOf(session, 'resolve').execute('cli-apply', { action: 'apply', reason: 'asked for on the command line' }, signal)
  } catch (error) {
    if (/** @type {any} */ (error)?.code === 'no_pending_action') return undefined
    throw error
  }
}

/**
 * @param {import('../../index.d.ts').ManagedToolSession} session
 * @param {Options} options
 */
function list({ registry }, { json }) {
  const tools = [...registry.values()].map(({ name, label, loadMode, summary }) => ({ name, label, loadMode: loadMode ?? 'custom', summary }))
  if (json) return print(JSON.stringify(tools, null, 2))
  const width = Math.max(...tools.map(({ name }) => name.length))
  return print(tools.map(({ name, summary, label }) => `${name.padEnd(width)}  ${summary ?? label}`).join('\n'))
}

/** @param {AgentTool} tool */
function schemaOf(tool) {
  return JSON.stringify({ name: tool.name, description: tool.description, parameters: toolWireSchema(tool) }, null, 2)
}

// The session.

/**
 * @param {Options} options
 * @param {string} [name] a hidden tool has to be asked for
 */
async function start({ cwd: directory = '.', settings: text = '{}', tool: modules = [] }, name) {
  const cwd = absolute(directory)
  const paths = modules.map((path) => ({ path: absolute(path) }))
  const { tools: customTools, errors } = await loadCustomTools(paths, cwd, Object.keys(BUILTIN_TOOLS))
  if (errors.length > 0) throw new UsageError(errors.map(({ path, error }) => `${path}: ${error}`).join('\n'))
  const toolNames = name !== undefined && Object.hasOwn(HIDDEN_TOOLS, name) ? [name] : undefined
  return createToolSession({ cwd, settings: settingsOf(parsed(text, '--settings')), customTools, toolNames })
}

/**
 * Settings by their dotted key, whether they were written so or as objects in objects.
 * @param {any} values
 * @returns {import('../../index.d.ts').SettingsLike}
 */
function settingsOf(values) {
  const get = (/** @type {string} */ key) =>
    Object.hasOwn(values, key) ? values[key] : key.split('.').reduce((/** @type {any} */ value, part) => (isObject(value) && Object.hasOwn(value, part) ? value[part] : undefined), values)
  return { get, has: (key) => get(key) !== undefined }
}

/**
 * @param {import('../../index.d.ts').ManagedToolSession} session
 * @param {string} name
 * @returns {AgentTool}
 */
function toolOf({ registry }, name) {
  const tool = registry.get(name)
  if (tool) return tool
  if (Object.hasOwn(BUILTIN_TOOLS, name) || Object.hasOwn(HIDDEN_TOOLS, name)) throw new UsageError(`\`${name}\` is not offered here: its setting is off, it needs something that is missing, or it is the host's to implement (docs/tools.md)`)
  throw new UsageError(`There is no tool \`${name}\`. There are ${[...registry.keys()].join(', ')}`)
}

// In and out.

/** @typedef {{ cwd?: string, settings?: string, tool?: string[], apply?: boolean, json?: boolean, help?: boolean, version?: boolean }} Options */

/** @returns {{ options: Options, words: string[] }} */
function commandLine() {
  const flag = /** @type {const} */ ({ type: 'boolean' })
  const text = /** @type {const} */ ({ type: 'string' })
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { cwd: text, settings: text, tool: { type: 'string', multiple: true }, apply: flag, json: flag, help: { ...flag, short: 'h' }, version: { ...flag, short: 'v' } },
    })
    return { options: values, words: positionals }
  } catch (error) {
    console.error(renderError(error))
    process.exit(2)
  }
}

/**
 * @param {string} text
 * @param {string} what
 */
function parsed(text, what) {
  let value
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new UsageError(`${what} is no JSON: ${renderError(error)}`)
  }
  if (!isObject(value)) throw new UsageError(`${what} is no JSON object`)
  return value
}

/** @param {unknown} value */
function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** @param {any} result */
function textOf(result) {
  const blocks = Array.isArray(result?.content) ? result.content : []
  return blocks.map((/** @type {any} */ block) => (block?.type === 'text' ? block.text : `[${block?.type} ${block?.mimeType ?? ''}, ${block?.data?.length ?? 0} characters of base64]`)).join('\n')
}

/** @param {unknown} value */
function toText(value) {
  return JSON.stringify(value, null, 2) ?? 'null'
}

/** @param {string} text */
function print(text) {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`)
  return 0
}

/**
 * An error where it is looked for, and the exit code.
 * @param {any} error
 * @param {boolean} json
 */
function report(error, json) {
  const isUsage = error instanceof UsageError || error?.code === 'invalid_arguments'
  const code = error instanceof UsageError ? 'usage' : error instanceof ToolAbortError ? 'aborted' : (error?.code ?? 'thrown')
  const message = renderError(error)
  if (json) print(toText({ error: { code, message, ...(error?.context && { context: error.context }) } }))
  else console.error(error instanceof UsageError ? message : `${message} (${code})`)
  return isUsage ? 2 : 1
}
