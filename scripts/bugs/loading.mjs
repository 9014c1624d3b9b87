// Cases about tools that come from elsewhere: loaded from files, found by search.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import * as core from '../../src/js/index.js'
import { exported } from '../vectors/outcome.mjs'
import { generated } from '../vectors/tree.mjs'

export const loadingDrivers = { 'load-tools': load, discover }

async function load({ params: { dir, disabled } }, root) {
  const loadCustomTools = exported(core, 'loadCustomTools')
  const isTool = (name) => /\.[cm]?[jt]s$/.test(name)
  const paths = readdirSync(join(root, dir)).filter(isTool).map((name) => ({ path: join(root, dir, name) }))
  const builtin = Object.keys(core.BUILTIN_TOOLS)
  const { tools, errors } = await loadCustomTools(paths, root, builtin, undefined, disabled ? { disabled } : {})
  return { loaded: { names: tools.map(({ tool }) => tool.name), errors: errors.map(({ error }) => error) } }
}

async function discover({ params: { tools, query } }) {
  const described = tools.map(({ name, description }) => ({
    ...{ name, label: name, parameters: { type: 'object', properties: {} } },
    description: typeof description === 'string' ? description : generated(description.gen),
  }))
  const index = core.buildDiscoverableToolSearchIndex(core.collectDiscoverableTools(described))
  return { found: core.searchDiscoverableTools(index, query, described.length).map(({ tool }) => tool.name) }
}
