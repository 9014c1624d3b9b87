// The intent field: a model says in it why it calls. Tools never see it.

/** The property that holds the intent. */
export const INTENT_FIELD = '_i'

/**
 * What a tool wants of the field. A function derives the intent from the arguments, so that the model is not asked.
 * @param {{ intent?: unknown }} tool
 * @returns {'require' | 'optional' | 'omit'}
 */
export function intentPolicy({ intent }) {
  if (intent === 'omit' || typeof intent === 'function') return 'omit'
  return intent === 'optional' ? 'optional' : 'require'
}

/**
 * Arguments without the field, and the intent: the model's own words, else what the tool's function says.
 * @param {any} tool
 * @param {any} arguments_
 * @returns {{ arguments: any, intent: string | undefined }}
 */
export function stripIntent(tool, arguments_) {
  if (typeof arguments_ !== 'object' || arguments_ === null || Array.isArray(arguments_)) return { arguments: arguments_, intent: undefined }
  let stripped = arguments_
  let said
  if (Object.hasOwn(arguments_, INTENT_FIELD)) ({ [INTENT_FIELD]: said, ...stripped } = arguments_)
  return { arguments: stripped, intent: words(said) ?? derived(tool, stripped) }
}

/** @param {unknown} said */
function words(said) {
  return (typeof said === 'string' && said.trim()) || undefined
}

/**
 * @param {any} tool
 * @param {any} arguments_
 */
function derived(tool, arguments_) {
  const intent = tool.intent
  if (typeof intent !== 'function') return undefined
  try {
    return words(intent.call(tool, structuredClone(arguments_)))
  } catch {
    // A tool's own words about a call are a courtesy; they never fail it.
    return undefined
  }
}
