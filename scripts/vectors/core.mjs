// Core vectors about registry and selection.

import { createRequire } from 'node:module'
import * as core from '../../src/js/index.js'
import { exactFaults, listFaults, subsetFaults } from './compare.mjs'
import { sessionOf, settingsOf } from './session.mjs'
import { buildTree, withDirectory } from './tree.mjs'

export const coreKinds = {
  create_tools: createTools,
  essential_names: essentialNames,
  initial_partition: initialPartition,
  registry,
}

// The identity of a host's tool is known to the table alone: the tool itself has only what the host gives.
const native = createRequire(import.meta.url)('../../src/js/native.cjs')
const [builtins, hidden] = JSON.parse(native.toolSpecs())
const specs = [...builtins, ...hidden]

/** The case whose stand-ins are asked for; none outside of selection vectors, where an open slot must stay open. */
let current

/** What the factories of the host decide themselves, by the facts of the case. */
const hostDecides = {
  ssh: (host) => host.cwd === 'sshHosts',
  telegram_send: () => false,
}

function fillOpenSlots() {
  for (const { name } of specs) {
    const isThere = hostDecides[name] ?? (() => true)
    try {
      core.registerToolFactory(name, () => (current && isThere(current.host ?? {}) ? standIn(name) : null))
    } catch (error) {
      // The package implements this one.
      if (error.code !== 'invalid_arguments') throw error
    }
  }
}

function standIn(name, more = {}) {
  const parameters = { type: 'object', properties: {} }
  return { name, label: name, description: name, parameters, execute: async () => ({ content: [] }), ...more }
}

async function createTools(one) {
  fillOpenSlots()
  current = one
  try {
    const { host = {}, env = {} } = one
    const facts = {
      platform: host.platform ?? 'linux',
      arch: host.arch ?? 'x64',
      env,
      pathHas: (name) => name === 'gh' && Boolean(host.gh),
    }
    return await withDirectory(async (directory) => {
      if (host.cwd === 'packageScripts') buildTree(directory, { 'package.json': '{"scripts":{"test":"true"}}', Makefile: 'test:\n' })
      const tools = await core.createTools({ ...selectionSession(one), cwd: directory }, one.request, facts)
      return listFaults(one.expected ?? one.tools, tools.map(({ name }) => name), 'tools')
    })
  } finally {
    current = undefined
  }
}

/** Members of the session that a vector names by a flag. */
const members = {
  agentId: { getAgentId: () => 'agent' },
  agentRegistry: { agentRegistry: {} },
  customMessages: { sendCustomMessage: async () => {} },
  discoveryHooks: {
    isToolDiscoveryEnabled: () => true,
    getSelectedDiscoveredToolNames: () => [],
    activateDiscoveredTools: async () => [],
  },
  gateEmitter: { getWorkflowGateEmitter: () => ({}) },
}

function selectionSession({ settings, session = {} }) {
  const session_ = sessionOf(settings, { skipPythonPreflight: true })
  for (const [key, value] of Object.entries(session)) {
    if (key === 'skillCount') session_.skills = Array.from({ length: value }, (_, index) => ({ name: `skill-${index}` }))
    else if (Object.hasOwn(members, key)) Object.assign(session_, value ? members[key] : {})
    else session_[key] = value
  }
  return session_
}

async function essentialNames(one) {
  const settings = settingsOf({ 'tools.essentialOverride': one.essentialOverride })
  const expected = one.expected ?? one.seed ?? one.improved ?? one.reference
  return listFaults(expected, core.computeEssentialBuiltinNames(settings), 'names')
}

/** Compared are the active names, whether discovery is on, and what is selected. */
async function initialPartition(one, original) {
  const { settings, options = {}, expected } = one
  const names = original.expected.registry
  const { mode, active, selectedMcp, selectedBuiltins } = core.partitionInitialTools({
    registry: new Map(names.map((name) => [name, registered(name, one)])),
    settings: settingsOf(settings),
    customToolNames: one.custom,
    ...options,
  })
  return [
    ...listFaults(expected.active, active, 'active'),
    ...exactFaults(expected.enabled, mode !== 'off', 'enabled'),
    ...subsetFaults(expected.mode ?? mode, mode, 'mode'),
    ...listFaults(expected.selected, [...selectedMcp, ...selectedBuiltins], 'selected'),
  ]
}

/** A tool of the registry as the split sees it. */
function registered(name, { custom = [], mcp = [] }) {
  const bridge = mcp.find(([server, tool]) => name === `mcp__${server}_${tool}`)
  if (bridge) return standIn(name, { mcpServerName: bridge[0], mcpToolName: bridge[1] })
  const spec = custom.includes(name) ? undefined : specs.find((spec) => spec.name === name)
  return standIn(name, spec && { loadMode: spec.loadMode, deferrable: spec.deferrable })
}

/** Row by row: place, identity, and for tools of this package what a model is given. */
async function registry(recorded) {
  const { index, built, hidden: isHidden, ...row } = { ...recorded, ...recorded.expected }
  const faults = subsetFaults(specs[index]?.name ?? 'nothing', row.name, `place ${index}`)
  const spec = specs.find(({ name }) => name === row.name)
  const table = isHidden ? core.HIDDEN_TOOLS : core.BUILTIN_TOOLS
  if (!spec || !Object.hasOwn(table, row.name)) return [...faults, { where: row.name, message: 'not in the table' }]
  if (!built) return faults
  const tool = spec.owner === 'package' ? await table[row.name](sessionOf()) : undefined
  return [...faults, ...exactFaults(identityOf(row), identityOf(tool ?? spec), 'identity'), ...parameterFaults(row, tool)]
}

/** The facts of identity, each as the wire of the vectors has it. */
function identityOf(from) {
  const { label, loadMode, concurrency, strict, nonAbortable, deferrable, lenientArgValidation, intent } = from
  return {
    label,
    loadMode,
    concurrency: concurrency ?? 'shared',
    strict,
    nonAbortable: nonAbortable || undefined,
    deferrable: deferrable || undefined,
    lenientArgValidation: lenientArgValidation || undefined,
    hiddenFlag: from.hiddenFlag ?? (from.hidden || undefined),
    intent: typeof intent === 'function' ? 'function' : intent,
    hasSummary: from.hasSummary ?? Boolean(from.summary),
  }
}

/** `edit` has one shape for each mode; the recorded one is that of a mode still to come. */
function parameterFaults({ name, parameterKeys, required = [], additionalProperties }, tool) {
  if (!tool || name === 'edit') return []
  const { properties, required: needed = [], additionalProperties: open } = tool.parameters
  return [
    ...listFaults(parameterKeys, Object.keys(properties), 'parameters'),
    ...listFaults(required, needed, 'required'),
    ...exactFaults(additionalProperties, open, 'additionalProperties'),
  ]
}
