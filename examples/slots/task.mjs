// The slot `task`: work handed to agents that run on their own, each in a session one level deeper that ends with `yield`.
//
//   registerToolFactory('task', taskTool({ runAgent: async ({ session, prompt, signal }) => … }))
//
// The host supplies `runAgent`: its own loop, or `runAgentTurns`, over the tools of the session it is given, until `yield`
// was called. Tasks of one call run beside each other; their results come in the order of the tasks.

import { createToolSession, ToolAbortError, ToolError } from 'gajae-tool-core'

const parameters = {
  type: 'object',
  properties: {
    agent: { type: 'string', description: 'Kind of agent, as the host knows it' },
    context: { type: 'string', description: 'What every task needs to know' },
    schema: { type: 'object', description: 'JSON Schema of each result' },
    tasks: {
      type: 'array',
      minItems: 1,
      maxItems: 16,
      items: {
        type: 'object',
        properties: { id: { type: 'string' }, assignment: { type: 'string', description: 'The whole task: the agent knows nothing else' } },
        required: ['id', 'assignment'],
        additionalProperties: false,
      },
    },
  },
  required: ['agent', 'tasks'],
  additionalProperties: false,
}

/** @param {{ runAgent: (run: { session: any, prompt: string, agent: string, signal?: AbortSignal }) => Promise<void>, toolNames?: string[] }} host */
export function taskTool({ runAgent, toolNames = ['read', 'search', 'find', 'bash'] }) {
  return (parent) => ({
    name: 'task',
    label: 'Task',
    summary: 'Hand work to agents that run on their own',
    loadMode: 'discoverable',
    strict: true,
    description: 'Hands tasks to agents that run on their own, beside each other, and gives back what each of them hands in.',
    parameters,
    execute: async (_id, { agent, context, schema, tasks }, signal, onUpdate) => {
      const results = tasks.map(({ id }) => ({ id, status: 'running' }))
      await Promise.all(tasks.map(async ({ assignment }, index) => {
        Object.assign(results[index], await one({ parent, runAgent, toolNames, agent, schema, prompt: [context, assignment].filter(Boolean).join('\n\n'), signal }))
        onUpdate?.(told(results))
      }))
      if (signal?.aborted) throw new ToolAbortError(undefined, { cause: signal.reason })
      return told(results)
    },
  })
}

/** What became of one task; a failure of one is no failure of the others. */
async function one({ parent, runAgent, toolNames, agent, schema, prompt, signal }) {
  try {
    const session = await childSession(parent, toolNames, schema)
    await runAgent({ session, prompt, agent, signal })
    return session.submitted() ?? { status: 'failed', error: 'the agent ended without handing in a result' }
  } catch (error) {
    return { status: 'failed', error: String(error?.message ?? error) }
  }
}

async function childSession(parent, toolNames, outputSchema) {
  let submitted
  const { cwd, settings, model, allowedRoots } = parent
  const session = await createToolSession({
    cwd, settings, model, allowedRoots, outputSchema,
    toolNames: [...toolNames, 'yield'],
    taskDepth: (parent.taskDepth ?? 0) + 1,
    requireYieldTool: true,
    submitted: () => submitted,
  })
  const hand = session.registry.get('yield')
  if (!hand) throw new ToolError('The session has no `yield`', { code: 'tool_unavailable', tool: 'yield', reason: 'not built' })
  const { execute } = hand
  hand.execute = async (...call) => {
    const result = await execute.apply(hand, call)
    const { status, data, error } = result.details
    submitted = { status, ...(data !== undefined && { data }), ...(error !== undefined && { error }) }
    return result
  }
  return session
}

function told(results) {
  const lines = results.map(({ id, status, data, error }) => `${id}: ${status}${data === undefined ? '' : `\n${JSON.stringify(data)}`}${error === undefined ? '' : `\n${error}`}`)
  return { content: [{ type: 'text', text: lines.join('\n\n') }], details: { results: structuredClone(results) } }
}
