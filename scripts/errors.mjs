// docs/errors.md, from the one table of errors there is: src/engine/error.rs.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMain, root } from './setup.mjs'

/** Codes that are not the engine's. */
const OTHERS = [
  ['tool_error', 'A `ToolError` of a host or a custom tool that names no code.', []],
  ['addon_unavailable', 'Thrown by the import: there is no addon for this machine, or it cannot be loaded. The message names everything that was tried.', []],
  ['addon_version_mismatch', 'Thrown by the import: the addon is that of another version.', ['expected', 'actual']],
  ['addon_not_allowed', 'Thrown by the import: this process may not load addons (`--permission`, `--no-addons`, Deno without `--allow-ffi`).', []],
  ['ABORT_ERR', 'An `AbortError`, no `ToolError`: the signal fired. `cause` is its reason.', []],
]

/** The entries of the table in their order, in the sections that its comments make. */
export function errorSections() {
  const source = readFileSync(join(root, 'src/engine/error.rs'), 'utf8')
  const table = source.match(/^tool_errors! \{\n([\s\S]*?)^ {4}\/\/ Variants that say more/m)[1]
  const sections = []
  const part = /^ {4}\/\/ (?<title>.*)$|(?<doc>(?:^ {4}\/\/\/ .*\n)*)^ {4}"(?<code>\w+)" \w+ \{(?<fields>[^}]*)\}\s+"(?<message>(?:[^"\\]|\\.)*)"/gm
  for (const { groups } of table.matchAll(part)) {
    if (groups.title !== undefined) sections.push({ title: groups.title.replace(/\.$/, ''), errors: [] })
    else sections.at(-1).errors.push({ code: groups.code, meaning: meaningOf(groups), facts: [...groups.fields.matchAll(/(\w+): /g)].map(([, name]) => name) })
  }
  return sections
}

/** What is said of an error: its comment, else the first line of its message that is not only a value, else its name. */
function meaningOf({ doc, message, code }) {
  const comment = doc.replaceAll(/^ {4}\/\/\/ /gm, '').trim().replaceAll('\n', ' ')
  if (comment !== '') return comment
  const line = message.split('\\n').find((text) => text !== '' && text !== '{}')
  return line === undefined ? code.replaceAll('_', ' ') : withValues(line.replaceAll('\\"', '"'))
}

/** A message with the names of its values: as they are in code, slanted outside of it. */
function withValues(message) {
  const parts = message.replaceAll('{}', '…').split('`')
  return parts.map((part, at) => part.replaceAll(/\{(\w+)\}/g, at % 2 === 0 ? '*$1*' : '$1')).join('`')
}

/** The page. */
export function errorsPage() {
  const row = ({ code, meaning, facts }) => `| \`${code}\` | ${meaning.replaceAll('|', '\\|')} | ${facts.map((fact) => `\`${fact}\``).join(', ')} |`
  const table = ({ title, errors }) => `## ${title}\n\n| code | meaning | facts |\n|---|---|---|\n${errors.map(row).join('\n')}\n`
  const others = { title: 'Not from the engine', errors: OTHERS.map(([code, meaning, facts]) => ({ code, meaning, facts })) }
  return (
    `# Errors\n\n` +
    `Every code that \`error.code\` can have, what it means, and the facts in \`error.context\`. A code never changes its meaning; messages may.\n` +
    `Made from \`src/engine/error.rs\` by \`node scripts/errors.mjs\`; a test compares them.\n\n` +
    [...errorSections(), others].filter(({ errors }) => errors.length > 0).map(table).join('\n')
  )
}

if (isMain(import.meta.url)) writeFileSync(join(root, 'docs/errors.md'), errorsPage())
