// The tools in the AI SDK (`ai`), with any of its providers:
//
//   const tools = await createToolSession({ cwd, settings, model: { api: 'openai-completions', provider, baseUrl, id } })
//   const { text } = await generateText({ model, prompt, stopWhen: stepCountIs(50), ...aiTools(tools) })

import { jsonSchema, tool as aiTool } from 'ai'
import { toolWireSchema, validateToolArguments } from 'gajae-tool-core'

/**
 * `tools` for every tool of the session, and the hooks by which each step shows the active ones and forces the choice of
 * the turn. Providers that cannot send pictures in tool results would send them as text: for those `images` is false.
 */
export function aiTools(session, { images = true } = {}) {
  return {
    tools: Object.fromEntries(Array.from(session.registry.values(), (tool) => [tool.name, oneTool(session, tool, images)])),
    prepareStep() {
      const { tools, resolved } = session.planTurn()
      return { activeTools: tools.map(({ name }) => name), toolChoice: choiceOf(resolved.resolvedChoice) }
    },
    onStepFinish: ({ finishReason }) => session.finishTurn(finishReason),
  }
}

function oneTool(session, tool, images) {
  const { name, description } = tool
  return aiTool({
    description,
    inputSchema: jsonSchema(toolWireSchema(tool), { validate: (value) => repaired(tool, value) }),
    execute: (args, { toolCallId, abortSignal }) => session.runCall({ id: toolCallId, name, arguments: args }, { signal: abortSignal }),
    toModelOutput: ({ output }) => modelOutput(output, images),
  })
}

/** The arguments as the tool takes them; what is wrong with them the model is told. */
function repaired(tool, value) {
  try {
    return { success: true, value: validateToolArguments(tool, { name: tool.name, arguments: value }) }
  } catch (error) {
    return { success: false, error }
  }
}

function modelOutput({ content, isError }, images) {
  const text = content.map((block) => block.text ?? `(an image, ${block.mimeType})`).join('\n')
  if (isError) return { type: 'error-text', value: text }
  if (!images || content.every(({ type }) => type === 'text')) return { type: 'text', value: text }
  return { type: 'content', value: content.map((block) => (block.type === 'text' ? block : { type: 'image-data', data: block.data, mediaType: block.mimeType })) }
}

/** A choice in the AI SDK's words. */
function choiceOf(choice) {
  if (choice === undefined || choice === 'auto' || choice === 'none') return choice
  return typeof choice === 'string' ? 'required' : { type: 'tool', toolName: choice.name ?? choice.function.name }
}
