// The error classes callers see. Codes and fields come from the engine.

/** A tool failed. `code` is the error kind, `context` its fields. */
export class ToolError extends Error {
  /**
   * @param {string} message
   * @param {Record<string, unknown>} [context] fields; `code` among them becomes the error's code
   * @param {ErrorOptions} [options]
   */
  constructor(message, context, options) {
    super(message, options)
    const { code, ...fields } = context ?? {}
    this.code = typeof code === 'string' ? code : 'tool_error'
    this.context = context === undefined ? undefined : fields
    if (typeof fields.path === 'string') this.path = fields.path
  }

  /** What a model is shown. */
  render() {
    return this.message
  }
}
Object.defineProperty(ToolError.prototype, 'name', { value: 'ToolError', writable: true, configurable: true })

/** The call was aborted; `cause` is the signal's reason. */
export class ToolAbortError extends Error {
  static MESSAGE = 'The operation was aborted'

  /**
   * @param {string} [message]
   * @param {ErrorOptions} [options]
   */
  constructor(message = ToolAbortError.MESSAGE, options) {
    super(message, options)
    this.code = 'ABORT_ERR'
  }
}
Object.defineProperty(ToolAbortError.prototype, 'name', { value: 'AbortError', writable: true, configurable: true })

/**
 * Throws a {@link ToolAbortError} if the signal has fired.
 * @param {AbortSignal} [signal]
 */
export function throwIfAborted(signal) {
  if (signal?.aborted) throw new ToolAbortError(undefined, { cause: signal.reason })
}

/**
 * The text of a thrown value, whatever it is.
 * @param {unknown} error
 * @returns {string}
 */
export function renderError(error) {
  try {
    return rendered(error)
  } catch {
    // Whatever was thrown answers questions by throwing.
    return 'an error that cannot be shown'
  }
}

/** @param {unknown} error */
function rendered(error) {
  if (error instanceof ToolError) return error.render()
  if (error instanceof Error) return error.message
  if (typeof error !== 'object' || error === null) return String(error)
  if ('message' in error && typeof error.message === 'string') return error.message
  try {
    return JSON.stringify(error)
  } catch {
    return String(error)
  }
}

/**
 * A native error as one of the classes above; anything else as it is.
 * @param {unknown} error
 * @param {AbortSignal} [signal] the signal of the call, for the cause of an abort
 */
export function fromNative(error, signal) {
  if (!(error instanceof Error) || !('context' in error) || typeof error.context !== 'string') return error
  const { code } = /** @type {{ code?: unknown }} */ (error)
  if (code === 'aborted') return new ToolAbortError(error.message, { cause: signal?.reason })
  return new ToolError(error.message, { code, ...JSON.parse(error.context) })
}

/**
 * A synchronous native call; its errors become ours.
 * @template T
 * @param {() => T} work
 * @returns {T}
 */
export function callNativeSync(work) {
  try {
    return work()
  } catch (error) {
    throw fromNative(error)
  }
}

/**
 * Bad input found before anything ran.
 * @param {string} path the argument, such as `session.cwd`
 * @param {string} message what was expected
 */
export function invalidArgument(path, message) {
  return new ToolError(`Invalid arguments: \`${path}\`: ${message}`, {
    code: 'invalid_arguments',
    issues: [{ path, message }],
  })
}
