// Vectors of outputs: cuts, metadata, sizes.

import * as core from '../../src/js/index.js'
import { exactFaults } from './compare.mjs'

export const outputKinds = { truncation: cut, output_meta: metadata, format_bytes: size }

/** The marker's words are ours; where it stands and its size are compared. */
function cut({ fn, text, options, expected }) {
  const actual = core[fn](text, options)
  const { marker } = /(?<marker>\[… [^\n]*elided[^\n]* …\])/.exec(actual.content)?.groups ?? {}
  const content = marker && !text.includes(marker) ? actual.content.replace(marker, '@elided') : actual.content
  return exactFaults(expected, { ...actual, content }, fn)
}

function metadata({ calls, expected }) {
  const builder = core.outputMeta()
  for (const [method, ...told] of calls) builder[method](...told)
  return exactFaults(expected, builder.get(), 'meta')
}

function size({ bytes, expected }) {
  return exactFaults(expected, core.formatBytes(bytes), 'formatBytes')
}
