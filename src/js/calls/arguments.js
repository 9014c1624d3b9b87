// Where arguments are validated and repaired, and how a tool looks to a provider.

/** The field that a model states its intent in. */
export const INTENT_FIELD = '_i'

/**
 * @param {import('../../../index.d.ts').AgentTool} _tool
 * @param {import('../../../index.d.ts').ToolCall} toolCall
 * @param {{ intentTracing?: boolean }} [_options]
 * @returns {{ arguments: Record<string, unknown>, intent?: string, repairs?: unknown[] }}
 */
export function prepareToolArguments(_tool, toolCall, _options) {
  return { arguments: toolCall.arguments }
}

/**
 * @param {readonly import('../../../index.d.ts').AgentTool[]} tools
 * @param {boolean} _injectIntent
 */
export function normalizeTools(tools, _injectIntent) {
  return tools.map(({ name, description, parameters, strict, customFormat, customWireName }) => ({ name, description, parameters, strict, customFormat, customWireName }))
}
