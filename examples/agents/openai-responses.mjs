// The tools with the Responses API of the official OpenAI SDK (`openai`), which has no runner of tools for it:
//
//   const tools = await createToolSession({ cwd, settings, model: { api: 'openai-responses', provider: 'openai', baseUrl, id } })
//   const conversation = await runTask(new OpenAI(), tools, { model: id, input: [{ role: 'user', content: 'What is here?' }] })

import { strictToolSchema, toolWireSchema } from 'gajae-tool-core'

/**
 * Runs a task to its end; the conversation, as items. With `stream: true`, `onEvent` sees every event as it arrives. A host that
 * has the answers not stored (`store: false`) asks for `include: ['reasoning.encrypted_content']`.
 */
export async function runTask(client, session, { input, signal, onEvent, maxTurns = 50, ...params }) {
  try {
    for (let turn = 0; turn < maxTurns; turn++) {
      const { tools, toolChoice } = session.planTurn()
      const choice = toolChoice === undefined ? {} : { tool_choice: toolChoice }
      const { status, output } = await answer(client, { ...params, input, tools: tools.map(responsesTool), ...choice }, { signal }, onEvent)
      // Calls of an answer that was cut off are not whole.
      if (status !== 'completed') throw new Error(`The answer is ${status}`)
      const calls = output.filter(({ type }) => type === 'function_call')
      const results = await Promise.all(calls.map((call) => resultOf(session, call, signal)))
      signal?.throwIfAborted()
      session.finishTurn()
      input = [...input, ...output, ...results]
      if (calls.length === 0) return input
    }
  } finally {
    session.finishRun()
  }
  throw new Error(`The task was not finished within ${maxTurns} turns`)
}

/** The answer, which is what the last event of a stream brings. */
async function answer(client, params, options, onEvent) {
  const answered = await client.responses.create(params, options)
  if (!params.stream) return answered
  let response
  for await (const event of answered) {
    onEvent?.(event)
    response = event.response ?? response
  }
  return response
}

function responsesTool(tool) {
  const { name, description } = tool
  // Enforced while the model writes, where the arguments of the tool have such a form.
  const strict = strictToolSchema(tool)
  return { type: 'function', name, description, parameters: strict ?? toolWireSchema(tool), strict: strict !== undefined }
}

/** Runs one call. There is no word for a failed one: its result starts with `Error`. */
async function resultOf(session, { call_id, name, arguments: args }, signal) {
  const { content, isError } = await session.runCall({ id: call_id, name, arguments: args }, { signal })
  const output = content.map((block) =>
    block.type === 'text' ? { type: 'input_text', text: block.text } : { type: 'input_image', image_url: `data:${block.mimeType};base64,${block.data}`, detail: 'auto' },
  )
  if (isError) output.unshift({ type: 'input_text', text: 'Error' })
  return { type: 'function_call_output', call_id, output }
}
