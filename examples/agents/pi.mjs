// The tools inside pi (@mariozechner/pi-coding-agent), as an extension of it:
//
//   const tools = await createToolSession({ cwd, settings, model })            // `model` is pi's own object
//   const resourceLoader = new DefaultResourceLoader({ cwd, agentDir, extensionFactories: [toolExtension(tools)] })
//   await resourceLoader.reload()
//   const { session } = await createAgentSession({ cwd, model, noTools: 'builtin', resourceLoader })

import { toolWireSchema, validateToolArguments } from 'gajae-tool-core'

/** Every tool of the session, what the model is shown of them, and the tool choice of each turn. */
export function toolExtension(session) {
  return (pi) => {
    for (const tool of session.registry.values()) pi.registerTool(piTool(session, tool))
    // pi keeps the tools of a prompt to its end, so it knows all of them; each request shows the active ones.
    pi.on('before_provider_request', ({ payload }) => planned(payload, session))
    pi.on('turn_end', ({ message }) => session.finishTurn(message.stopReason))
  }
}

/** One tool in pi's form. pi validates what `prepareArguments` returns, and takes a thrown error for a failed call. */
export function piTool(session, tool) {
  const { name, label, description } = tool
  return {
    name,
    label,
    description,
    parameters: toolWireSchema(tool),
    prepareArguments: (args) => validateToolArguments(tool, { name, arguments: args }),
    async execute(id, args, signal, onUpdate) {
      const { content, details, isError } = await session.runCall({ id, name, arguments: args }, { signal, onUpdate })
      if (isError) throw new Error(content.map(({ text }) => text).join('\n'))
      return { content, details }
    },
  }
}

/** The request with the tools and the tool choice of this turn. */
function planned(payload, session) {
  const { tools, toolChoice } = session.planTurn()
  const names = new Set(tools.map(({ name }) => name))
  const shown = payload.tools?.filter((tool) => names.has(tool.function?.name ?? tool.name))
  return { ...payload, ...(shown?.length ? { tools: shown } : { tools: undefined }), ...(toolChoice === undefined ? {} : { tool_choice: toolChoice }) }
}
