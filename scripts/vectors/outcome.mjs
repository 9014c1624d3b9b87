// What a tool call came to, as plain data, and the names that mean the same.

/** Thrown by a driver: the case is neither passed nor failed. */
export class NotRun extends Error {}

/** Runs one call. What this version says it does not do yet makes the case count as not run. */
export async function callTool(tools, name, params, { abortAfter, controller = new AbortController() } = {}) {
  const tool = toolOf(tools, name)
  const timer = abortAfter === undefined ? undefined : setTimeout(() => controller.abort(), abortAfter)
  try {
    const { content, details = {}, isError = false } = await tool.execute('vector', params, controller.signal)
    const blocks = (type) => content.filter((block) => block.type === type)
    return { text: blocks('text').map(({ text }) => text).join('\n'), images: blocks('image'), details, isError }
  } catch (error) {
    if (error?.code === 'unsupported') throw new NotRun(`not supported yet: ${error.context?.feature ?? error.message}`)
    return { error: { kind: kindOf(error), message: String(error?.message ?? error), data: error?.context ?? {} } }
  } finally {
    clearTimeout(timer)
  }
}

/** The tool of a name; a case about one that is not there yet cannot be run. */
export function toolOf(tools, name) {
  const tool = tools.find((tool) => tool.name === name)
  if (!tool) throw new NotRun(`there is no tool \`${name}\` yet`)
  return tool
}

/** An export of the package; a case about one that is not there yet cannot be run. */
export function exported(core, name) {
  if (typeof core[name] !== 'function') throw new NotRun(`\`${name}\` is not exported yet`)
  return core[name]
}

function kindOf(error) {
  if (error?.name === 'AbortError') return 'aborted'
  return error?.code ?? `${error?.name ?? 'error'} without code`
}

/** Kinds that go by two names. */
const sameKind = {
  auto_generated: 'auto_generated_file',
  cancelled: 'aborted',
  file_not_found: 'path_not_found',
  invalid_params: 'invalid_arguments',
  vim_not_text: 'not_text',
}

/** Nothing if two error kinds mean the same. */
export function kindFaults(expected, error) {
  const canonical = (kind) => sameKind[kind] ?? kind
  if (error && canonical(expected) === canonical(error.kind)) return []
  return [{ where: 'error kind', expected, actual: error ? `${error.kind}: ${error.message}` : 'success' }]
}
