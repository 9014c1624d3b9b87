// The tools in the official Anthropic SDK (`@anthropic-ai/sdk`), with its own runner of tools:
//
//   const tools = await createToolSession({ cwd, settings, model: { api: 'anthropic-messages', provider: 'anthropic', baseUrl: '', id } })
//   const messages = await runTask(new Anthropic(), tools, { model: id, max_tokens: 4096, messages: [{ role: 'user', content: 'What is here?' }] })

import { ToolError } from '@anthropic-ai/sdk/lib/tools/ToolError'
import { toolWireSchema } from 'gajae-tool-core'

/** Runs a task to its end; the conversation. Each turn has a runner of its own, with the tools and the choice of that turn. */
export async function runTask(client, session, { messages, signal, maxTurns = 50, ...params }) {
  try {
    for (let turn = 0; turn < maxTurns; turn++) {
      const { tools, toolChoice } = session.planTurn()
      const runner = client.beta.messages.toolRunner(
        {
          ...params,
          messages,
          tools: tools.map((tool) => anthropicTool(session, tool)),
          ...(toolChoice === undefined ? {} : { tool_choice: typeof toolChoice === 'string' ? { type: toolChoice } : toolChoice }),
          max_iterations: 1,
        },
        { signal },
      )
      const { stop_reason } = await runner.runUntilDone()
      session.finishTurn(stop_reason)
      messages = runner.params.messages
      if (messages.at(-1).role === 'assistant') return messages
    }
  } finally {
    session.finishRun()
  }
  throw new Error(`The task was not finished within ${maxTurns} turns`)
}

/** One tool in the runner's form. It takes a thrown `ToolError` for a failed call, with pictures and all. */
function anthropicTool(session, tool) {
  const { name, description } = tool
  return {
    type: 'custom',
    name,
    description,
    // For this provider no union may stand at the root of a schema.
    input_schema: toolWireSchema(tool, { provider: 'anthropic' }),
    parse: (args) => args,
    async run(args, { toolUse, signal }) {
      const { content, isError } = await session.runCall({ id: toolUse.id, name, arguments: args }, { signal })
      const blocks = content.map(blockOf)
      if (isError) throw new ToolError(blocks)
      return blocks
    },
  }
}

function blockOf(block) {
  return block.type === 'text' ? block : { type: 'image', source: { type: 'base64', media_type: block.mimeType, data: block.data } }
}
