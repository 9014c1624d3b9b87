// A whole coding agent in one file: a session, its tools, a model, and the loop between them.
//
//   node examples/agent.mjs DIRECTORY
//
// Works in a temporary copy of DIRECTORY. The model is a scripted one unless the environment names another:
//   AGENT_API=openai|anthropic  AGENT_BASE_URL=…  AGENT_MODEL=…  AGENT_API_KEY=…  AGENT_TASK="what to do"

import { createTools, partitionInitialTools } from 'gajae-tool-core'
import { createModel } from './models/index.mjs'
import { temporaryCopy } from './temporary-copy.mjs'
import * as terminal from './terminal.mjs'

const { directory, remove } = await temporaryCopy(process.argv[2] ?? '.')
try {
  await runAgent(directory, createModel(process.env), process.env.AGENT_TASK ?? 'Look around, mark one file as reviewed, and check it.')
} finally {
  await remove()
}

/** Runs one task to its end. */
async function runAgent(cwd, model, task) {
  // 1. A session: what the tools may know about their host.
  const settings = new Map([
    ['tools.essentialOverride', ['read', 'find', 'search', 'edit', 'bash']],
    ['edit.mode', 'replace'],
  ])
  const session = {
    cwd,
    hasUI: false,
    settings: { get: (key) => settings.get(key), has: (key) => settings.has(key) },
    getSessionFile: () => null,
    getSessionSpawns: () => null,
  }

  // 2. Its tools. The model sees the active ones; the others wait to be asked for.
  const tools = await createTools(session)
  const registry = new Map(tools.map((tool) => [tool.name, tool]))
  const { active } = partitionInitialTools({ registry, settings: session.settings })
  terminal.showTools(active, [...registry.keys()].filter((name) => !active.includes(name)))

  // 3. The loop: ask the model, run the tools it calls, tell it the results, until it calls none.
  const messages = [{ role: 'user', text: task }]
  terminal.showTask(task, model.name)
  let force
  for (let turn = 0; turn < 20; turn++) {
    const answer = await model.ask({ messages, tools: active.map((name) => registry.get(name)), force })
    messages.push({ role: 'assistant', ...answer })
    terminal.showAnswer(answer.text, force)
    if (answer.calls.length === 0) return

    const results = []
    for (const call of answer.calls) results.push(await runCall(registry, call))
    messages.push(...results)
    // Trust, but verify: after an edit the model has to read before it goes on.
    force = results.some(({ name, isError }) => name === 'edit' && !isError) ? 'read' : undefined
  }
}

/** Runs one call. A failure is a result like any other: the model reads it and goes on. */
async function runCall(registry, { id, name, arguments: args }) {
  const started = performance.now()
  const report = (text, isError) => {
    terminal.showCall(name, args, text, isError, performance.now() - started)
    return { role: 'tool', id, name, text, isError }
  }
  const tool = registry.get(name)
  if (!tool) return report(`There is no tool named ${name}`, true)
  try {
    const result = await tool.execute(id, args, AbortSignal.timeout(60_000))
    return report(result.content.map((block) => block.text ?? '').join('\n'), Boolean(result.isError))
  } catch (error) {
    return report(`${error.code}: ${error.message}`, true)
  }
}
