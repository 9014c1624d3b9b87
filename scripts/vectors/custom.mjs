// Vectors of custom tools: a tree of modules, what is loaded from it, and what the tools see when they run. Each case runs
// for both agents, whose folders and manifests differ in name alone.

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import * as core from '../../src/js/index.js'
import { exactFaults, listFaults } from './compare.mjs'
import { buildTree, withDirectory } from './tree.mjs'

export const customKinds = { custom_tools: customTools }

const agents = [
  { key: 'gjc', expectation: (one) => one.expected },
  { key: 'xcsh', expectation: (one) => one.xcsh ?? one.expected },
]

async function customTools(one) {
  const faults = []
  for (const { key, expectation } of agents) {
    const found = await withDirectory((directory) => faultsFor(one, key, expectation(one), directory))
    faults.push(...found.map((fault) => ({ ...fault, where: `${key}: ${fault.where}` })))
  }
  return faults
}

async function faultsFor(one, key, expected, directory) {
  const places = { '@home': join(directory, 'home'), '@cwd': join(directory, 'project'), '@conf': `.${key}`, '@manifest': key, '@lock': `${key}-plugins` }
  const replaced = (text) => Object.entries(places).reduce((done, [name, value]) => done.replaceAll(name, value), text)
  for (const place of ['@home', '@cwd']) mkdirSync(places[place])
  const files = Object.entries(one.files).map(([path, node]) => [replaced(path).slice(directory.length + 1), nodeOf(node, replaced)])
  buildTree(directory, Object.fromEntries(files))
  const pushed = []
  const push = one.pushPending ? (action) => pushed.push(action) : undefined
  const configured = (one.configured ?? []).map(replaced)
  const options = { home: places['@home'], configDirName: places['@conf'], manifestKey: key }
  const result = await core.discoverAndLoadCustomTools(configured, places['@cwd'], one.builtins ?? [], push, options)
  const probes = await Promise.all(result.tools.filter(({ tool }) => tool.probe).map(async ({ tool }) => [tool.name, await tool.probe()]))
  const wanted = JSON.parse(replaced(JSON.stringify(expected)))
  return [
    ...listFaults(wanted.returned, Object.keys(result).sort(), 'returned'),
    ...exactFaults(wanted.tools, result.tools.map(toolRow), 'tools'),
    ...exactFaults(wanted.errors, result.errors.map(errorRow), 'errors'),
    ...exactFaults(wanted.probes ?? [], probes, 'probes'),
    ...exactFaults(wanted.pushed ?? [], pushed.map(pushedRow), 'pushed'),
  ]
}

/** What a node of the vectors is on disk. */
function nodeOf({ tool, tools, text, source, link }, replaced) {
  if (link !== undefined) return { symlink: replaced(link) }
  if (tool !== undefined) return `export default () => (${toolSource(tool)});\n`
  if (tools !== undefined) return `export default async () => [${tools.map(toolSource).join(', ')}];\n`
  return replaced(text ?? source)
}

const toolSource = (name) => `{ name: ${JSON.stringify(name)}, label: 'L', description: 'd', parameters: {}, async execute() { return { content: [] } } }`

const toolRow = ({ path, resolvedPath, tool, source }) => ({ name: tool.name, path, resolvedPath, provider: source.provider, level: source.level })

const errorRow = ({ path, code, source }) => ({ path, code, provider: source.provider, level: source.level })

const pushedRow = (action) => ({ label: action.label, sourceToolName: action.sourceToolName, hasReject: Boolean(action.reject), keys: Object.keys(action) })
