// The schemas of tools, each read once: what kind it is, its JSON Schema, its compiled form. Kept for as long as the
// parameters object lives, and looked up by its identity.

import native from './native.cjs'
import { callNativeSync, invalidArgument, ToolError } from './errors.js'
import { describe } from './session.js'

/** @typedef {import('../../index.d.ts').JsonSchema} JsonSchema */

/** @type {WeakMap<object, { version: unknown, schema: ToolSchema }>} */
const known = new WeakMap()

const NO_PARAMETERS = Object.freeze({ type: 'object', properties: Object.freeze({}) })

/**
 * The schema of a tool. `parameters` is read once, since it may be an accessor. A host that changes the object in place
 * changes `parametersVersion` too.
 * @param {any} tool
 */
export function toolSchema(tool) {
  if (!isObjectOrFunction(tool)) throw invalidArgument('tool', `expected a tool, got ${describe(tool)}`)
  const parameters = tool.parameters ?? NO_PARAMETERS
  if (typeof parameters === 'boolean') return new ToolSchema(parameters)
  if (!isObjectOrFunction(parameters)) throw invalidArgument('tool.parameters', `expected a schema, got ${describe(parameters)}`)
  const version = tool.parametersVersion
  const entry = known.get(parameters)
  if (entry && entry.version === version) return entry.schema
  const schema = new ToolSchema(parameters)
  known.set(parameters, { version, schema })
  return schema
}

/**
 * A zod 4 schema that can still parse; what is left of one after JSON is not.
 * @param {unknown} value
 */
export function isZodSchema(value) {
  const schema = /** @type {any} */ (value)
  return isObjectOrFunction(schema) && typeof schema._zod === 'object' && schema._zod !== null && typeof schema.parse === 'function'
}

/**
 * Whether a library of its own judges values of this schema, by the Standard Schema interface.
 * @param {any} schema
 */
function isStandardSchema(schema) {
  return isObjectOrFunction(schema) && typeof schema['~standard']?.validate === 'function'
}

/**
 * @param {any} schema
 * @returns {boolean}
 */
function isObjectOrFunction(schema) {
  return (typeof schema === 'object' || typeof schema === 'function') && schema !== null
}

/** A schema with everything that is derived from it, each when it is first asked for. */
export class ToolSchema {
  /** @type {Map<string, any>} */
  #derived = new Map()

  /** @param {any} parameters */
  constructor(parameters) {
    this.parameters = parameters
    /** @type {'json' | 'zod' | 'standard'} */
    this.kind = isZodSchema(parameters) ? 'zod' : isStandardSchema(parameters) ? 'standard' : 'json'
  }

  /**
   * Compiled; for schemas of a library, what a model may send.
   * @returns {import('./binding.d.ts').SchemaHandle}
   */
  get handle() {
    return this.#once('handle', () => callNativeSync(() => new native.SchemaHandle(this.#text('input'))))
  }

  /**
   * The wire form. Frozen, since every call shares it.
   * @param {boolean} flat no union at the root
   * @returns {JsonSchema}
   */
  wire(flat) {
    const make = () => callNativeSync(() => native.wireSchema(this.#text('output'), this.kind !== 'json', flat))
    return this.#once(flat ? 'flat' : 'wire', () => deepFreeze(JSON.parse(make())))
  }

  /**
   * The form that providers enforce; nothing where there is none.
   * @returns {JsonSchema | undefined}
   */
  get strict() {
    return this.#once('strict', () => {
      const form = callNativeSync(() => native.strictSchema(JSON.stringify(this.wire(false))))
      return form === null ? undefined : deepFreeze(JSON.parse(form))
    })
  }

  /**
   * The parameters with the intent field in front; the parameters themselves where arguments are no object.
   * @param {boolean} required
   */
  withIntent(required) {
    return this.#once(required ? 'required' : 'optional', () => {
      const text = this.kind === 'json' ? this.#text('input') : JSON.stringify(this.wire(false))
      const injected = callNativeSync(() => native.injectIntent(text, required))
      return injected === null ? this.parameters : deepFreeze(JSON.parse(injected))
    })
  }

  /** @param {'input' | 'output'} side */
  #text(side) {
    const schema = this.kind === 'json' ? this.parameters : convert(this.parameters, this.kind, side)
    let text, cause
    try {
      text = JSON.stringify(schema)
    } catch (error) {
      cause = error
    }
    // A function, say, is no error for JSON, but nothing.
    if (text !== undefined) return text
    throw new ToolError('Invalid arguments: `parameters`: the schema cannot be written as JSON', { code: 'invalid_arguments', issues: [] }, { cause })
  }

  /**
   * @template T
   * @param {string} key
   * @param {() => T} make
   * @returns {T}
   */
  #once(key, make) {
    if (!this.#derived.has(key)) this.#derived.set(key, make())
    return this.#derived.get(key)
  }
}

/**
 * The JSON Schema of a library's schema.
 * @param {any} schema
 * @param {'zod' | 'standard'} kind
 * @param {'input' | 'output'} side
 */
function convert(schema, kind, side) {
  if (kind === 'zod') return convertZod(schema, side)
  const converter = schema['~standard'].jsonSchema?.input
  if (typeof converter !== 'function') throw unsupported(`parameters of ${schema['~standard'].vendor ?? 'this library'} without a JSON Schema conversion`)
  return converter.call(schema['~standard'].jsonSchema, { target: 'draft-2020-12' })
}

/**
 * What a transformation gives has no JSON Schema; then the model is told what it takes.
 * @param {any} schema
 * @param {'input' | 'output'} side
 */
function convertZod(schema, side) {
  const toJSONSchema = zodConverter(schema)
  if (side === 'input') return toJSONSchema({ io: 'input', unrepresentable: 'any' })
  try {
    return toJSONSchema({ io: 'output' })
  } catch {
    return toJSONSchema({ io: 'input', unrepresentable: 'any' })
  }
}

/**
 * Schemas convert themselves; which library they come from is the host's affair.
 * @param {any} schema
 * @returns {(options: object) => any}
 */
function zodConverter(schema) {
  if (typeof schema.toJSONSchema !== 'function') throw unsupported('zod schemas of a version that cannot convert itself to JSON Schema')
  return (options) => schema.toJSONSchema(options)
}

/** @param {string} feature */
export function unsupported(feature) {
  return new ToolError(`Not supported yet: ${feature}`, { code: 'unsupported', feature })
}

/** @param {any} value */
function deepFreeze(value) {
  if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach(deepFreeze)
    Object.freeze(value)
  }
  return value
}
