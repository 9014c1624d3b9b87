// The tools in the official OpenAI SDK (`openai`), with its own runner of tools:
//
//   const tools = await createToolSession({ cwd, settings, model: { api: 'openai-completions', provider: 'openai', baseUrl, id } })
//   const messages = await runTask(new OpenAI(), tools, { model: id, messages: [{ role: 'user', content: 'What is here?' }] })

import { strictToolSchema, toolWireSchema } from 'gajae-tool-core'

/** Runs a task to its end; the conversation. Each turn has a runner of its own, with the tools and the choice of that turn. */
export async function runTask(client, session, { messages, signal, maxTurns = 50, ...params }) {
  try {
    for (let turn = 0; turn < maxTurns; turn++) {
      const { tools, toolChoice } = session.planTurn()
      const pictures = []
      const runner = client.chat.completions.runTools(
        {
          ...params,
          messages,
          tools: tools.map((tool) => openaiTool(session, tool, pictures)),
          ...(toolChoice === undefined ? {} : { tool_choice: toolChoice }),
        },
        { maxChatCompletions: 1, signal },
      )
      await runner.done()
      session.finishTurn()
      messages = [...runner.messages, ...pictures]
      if (messages.at(-1).role === 'assistant') return messages
    }
  } finally {
    session.finishRun()
  }
  throw new Error(`The task was not finished within ${maxTurns} turns`)
}

/** One tool in the runner's form. It has no word for a failed call: the result then starts with `Error`. */
function openaiTool(session, tool, pictures) {
  const { name, description } = tool
  // Enforced while the model writes, where the arguments of the tool have such a form.
  const strict = strictToolSchema(tool)
  return {
    type: 'function',
    function: {
      name,
      description,
      parameters: strict ?? toolWireSchema(tool),
      strict: strict !== undefined,
      // Without `parse`: arguments arrive as the model wrote them, and are repaired where that is possible.
      async function(args, runner) {
        const { content, isError } = await session.runCall({ id: '', name, arguments: args }, { signal: runner.controller.signal })
        const text = content.filter(({ type }) => type === 'text').map((block) => block.text).join('\n')
        const images = content.filter(({ type }) => type === 'image')
        // Results are text only; a picture follows in a message.
        if (images.length > 0) pictures.push({ role: 'user', content: [{ type: 'text', text: `From ${name}:` }, ...images.map(imagePart)] })
        return isError ? `Error: ${text}` : text
      },
    },
  }
}

function imagePart({ mimeType, data }) {
  return { type: 'image_url', image_url: { url: `data:${mimeType};base64,${data}` } }
}
