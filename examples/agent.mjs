// A whole coding agent in one file: a session with its tools, a model, and the loop between them.
//
//   node examples/agent.mjs DIRECTORY
//
// Works in a temporary copy of DIRECTORY. The model is a scripted one unless the environment names another:
//   AGENT_API=openai|anthropic  AGENT_BASE_URL=…  AGENT_MODEL=…  AGENT_API_KEY=…  AGENT_TASK="what to do"

import { createToolSession } from 'gajae-tool-core'
import { createModel } from './models/index.mjs'
import { temporaryCopy } from './temporary-copy.mjs'
import * as terminal from './terminal.mjs'

const MOST_TURNS = 20

const { directory, remove } = await temporaryCopy(process.argv[2] ?? '.')
try {
  await runAgent(directory, createModel(process.env), process.env.AGENT_TASK ?? 'Look around, mark one file as reviewed, and check it.')
} catch (error) {
  terminal.showFailure(error)
  process.exitCode = 1
} finally {
  await remove()
}

/** Runs one task to its end. */
async function runAgent(cwd, model, task) {
  // 1. A session: createTools builds what the settings allow, and the session splits it into what the model sees from
  //    the start and what it finds with search_tool_bm25.
  const settings = new Map([
    ['tools.essentialOverride', ['read', 'find', 'search', 'edit', 'bash']],
    ['edit.mode', 'replace'],
  ])
  const session = await createToolSession({ cwd, model: model.facts, settings: { get: (key) => settings.get(key), has: (key) => settings.has(key) } })
  terminal.showTools(session.getActiveToolNames(), [...session.registry.keys()].filter((name) => !session.getActiveToolNames().includes(name)))

  // 2. The loop: ask the model, run the tools it calls, tell it the results, until it calls none.
  const messages = [{ role: 'user', text: task }]
  terminal.showTask(task, model.facts.id)
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    const plan = session.planTurn()
    const answer = await askTwice(model, { messages, ...plan })
    messages.push({ role: 'assistant', ...answer })
    terminal.showAnswer(answer.text, plan.resolved.targetToolName)
    const results = []
    for (const call of answer.calls) results.push(await runCall(session, call))
    session.finishTurn()
    if (results.length === 0) return
    messages.push(...results)
    // Trust, but verify: after an edit the model has to read before it goes on.
    const edited = results.some(({ name, isError }) => name === 'edit' && !isError)
    if (edited) session.getToolChoiceQueue().pushOnce({ type: 'tool', name: 'read' }, { label: 'verify-edit' })
  }
  throw new Error(`The task was not finished within ${MOST_TURNS} turns`)
}

/** A model that announces a call and makes none, or a broken one, is asked once more. */
async function askTwice(model, request) {
  const answer = await model.ask(request)
  if (!answer.malformed) return answer
  const hint = { role: 'user', text: `Your last answer could not be used (${answer.malformed}). Call a tool, or say that you are done.` }
  const second = await model.ask({ ...request, messages: [...request.messages, hint] })
  if (second.malformed) throw new Error(`The model's answer cannot be used: ${second.malformed}`)
  return second
}

/** Runs one call. A failure is a result like any other: the model reads it and goes on. */
async function runCall(session, { id, name, arguments: args }) {
  const started = performance.now()
  const report = (text, isError) => {
    terminal.showCall(name, args, text, isError, performance.now() - started)
    return { role: 'tool', id, name, text, isError }
  }
  const tool = session.getActiveTools().find((tool) => tool.name === name)
  if (!tool) return report(`There is no tool named ${name}`, true)
  try {
    const result = await tool.execute(id, args, AbortSignal.timeout(60_000))
    return report(result.content.map((block) => block.text ?? '').join('\n'), Boolean(result.isError))
  } catch (error) {
    return report(`${error.code}: ${error.message}`, true)
  }
}
