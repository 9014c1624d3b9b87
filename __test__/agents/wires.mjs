// The wire formats that a scripted model speaks: how it reads a request (the names of the tools, what is forced, the results
// so far, `isError` undefined where the format cannot say it), and how it answers with a text and calls, whole or streamed.

/**
 * @typedef {object} Wire
 * @property {(path: string) => boolean} serves
 * @property {(request: any) => string[]} toolNames
 * @property {(request: any) => string | undefined} forced
 * @property {(request: any) => { text: string, isError?: boolean }[]} results
 * @property {(request: any, text: string, calls: Call[]) => object} whole the answer as one object
 * @property {(request: any, text: string, calls: Call[]) => Event[]} streamed
 */
/** @typedef {{ id: string, name: string, arguments: object }} Call */
/** @typedef {[name: string | undefined, data: object | string]} Event */

/** OpenAI's chat completions. @type {Wire} */
export const completions = {
  serves: (path) => path.endsWith('/chat/completions'),
  toolNames: ({ tools = [] }) => tools.map((tool) => tool.function.name),
  forced: ({ tool_choice: choice }) => choice?.function?.name,
  results: ({ messages }) => messages.filter(({ role }) => role === 'tool').map(({ content }) => ({ text: textOf(content) })),
  whole: ({ model }, text, calls) => ({ ...completion(model), object: 'chat.completion', choices: [{ index: 0, message: completed(text, calls), finish_reason: finishReason(calls) }], usage: completionUsage }),
  streamed({ model }, text, calls) {
    const chunk = (choices, usage) => ({ ...completion(model), object: 'chat.completion.chunk', choices, usage })
    const choice = (delta, finish_reason = null) => chunk([{ index: 0, delta, finish_reason }])
    const list = [choice(completed(text, calls)), choice({}, finishReason(calls)), chunk([], completionUsage), '[DONE]']
    return list.map((data) => [undefined, data])
  },
}

const completion = (model) => ({ id: 'completion', created: 0, model })
const completionUsage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
const finishReason = (calls) => (calls.length > 0 ? 'tool_calls' : 'stop')

function completed(text, calls) {
  const tool_calls = calls.map(({ id, name, arguments: args }, index) => ({ index, id, type: 'function', function: { name, arguments: JSON.stringify(args) } }))
  return { role: 'assistant', content: text || null, ...(calls.length > 0 && { tool_calls }) }
}

/** OpenAI's responses. @type {Wire} */
export const responses = {
  serves: (path) => path.endsWith('/responses'),
  toolNames: ({ tools = [] }) => tools.map(({ name }) => name),
  forced: ({ tool_choice: choice }) => choice?.name,
  results: ({ input }) => input.filter(({ type }) => type === 'function_call_output').map(({ output }) => ({ text: textOf(output) })),
  whole: ({ model }, text, calls) => response(model, 'completed', outputOf(text, calls)),
  streamed({ model }, text, calls) {
    const items = outputOf(text, calls).flatMap((item, output_index) => {
      const part = { output_index, item_id: item.id }
      const deltas =
        item.type === 'message'
          ? [{ type: 'response.output_text.delta', ...part, content_index: 0, delta: text }]
          : pieces(item.arguments).map((delta) => ({ type: 'response.function_call_arguments.delta', ...part, delta }))
      return [{ type: 'response.output_item.added', output_index, item }, ...deltas, { type: 'response.output_item.done', output_index, item }]
    })
    const list = [
      { type: 'response.created', response: response(model, 'in_progress', []) },
      ...items,
      { type: 'response.completed', response: response(model, 'completed', outputOf(text, calls)) },
    ]
    return list.map((data, sequence_number) => [data.type, { ...data, sequence_number }])
  },
}

const response = (model, status, output) => ({ id: 'response', object: 'response', created_at: 0, model, status, output, usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 } })

function outputOf(text, calls) {
  const message = { id: 'message', type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text, annotations: [] }] }
  const called = calls.map(({ id, name, arguments: args }) => ({ id: `item_${id}`, type: 'function_call', status: 'completed', call_id: id, name, arguments: JSON.stringify(args) }))
  return [...(text ? [message] : []), ...called]
}

/** Anthropic's messages. @type {Wire} */
export const messages = {
  serves: (path) => path.includes('/messages'),
  toolNames: ({ tools = [] }) => tools.map(({ name }) => name),
  forced: ({ tool_choice: choice }) => choice?.name,
  results: (request) =>
    request.messages
      .flatMap(({ content }) => (Array.isArray(content) ? content : []))
      .filter(({ type }) => type === 'tool_result')
      .map(({ content, is_error: isError = false }) => ({ text: textOf(content), isError })),
  whole: ({ model }, text, calls) => ({ ...message(model), content: blocksOf(text, calls), ...stop(calls) }),
  streamed({ model }, text, calls) {
    const blocks = blocksOf(text, calls).flatMap((block, index) => {
      const deltas = block.type === 'text' ? [{ type: 'text_delta', text }] : pieces(JSON.stringify(block.input)).map((partial_json) => ({ type: 'input_json_delta', partial_json }))
      return [
        { type: 'content_block_start', index, content_block: block.type === 'text' ? { ...block, text: '' } : { ...block, input: {} } },
        ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
        { type: 'content_block_stop', index },
      ]
    })
    const list = [
      { type: 'message_start', message: { ...message(model), content: [] } },
      ...blocks,
      { type: 'message_delta', delta: stop(calls), usage: { output_tokens: 1 } },
      { type: 'message_stop' },
    ]
    return list.map((data) => [data.type, data])
  },
}

const message = (model) => ({ id: 'message', type: 'message', role: 'assistant', model, stop_reason: null, stop_sequence: null, usage: { input_tokens: 1, output_tokens: 1 } })
const stop = (calls) => ({ stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn', stop_sequence: null })

function blocksOf(text, calls) {
  return [...(text ? [{ type: 'text', text }] : []), ...calls.map(({ id, name, arguments: input }) => ({ type: 'tool_use', id, name, input }))]
}

/** The text of a result, which is one or a list of blocks. */
function textOf(content) {
  return typeof content === 'string' ? content : content.map(({ text }) => text ?? '').join('')
}

/** Arguments as they arrive: in two pieces. */
function pieces(text) {
  return [text.slice(0, text.length / 2), text.slice(text.length / 2)]
}
