// Takes the blanks off the ends of lines, once the model has seen how many and agreed: nothing is written before `resolve`.

import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'

/** @type {import('gajae-tool-core').CustomToolFactory} */
export default (pi) => ({
  name: 'trim_lines',
  label: 'Trim lines',
  description: 'Removes blanks at the ends of the lines of a file. Stages the change; call `resolve` to apply or discard it.',
  parameters: {
    type: 'object',
    properties: { path: { type: 'string', description: 'File to trim' } },
    required: ['path'],
    additionalProperties: false,
  },
  deferrable: true,

  async execute(_toolCallId, { path }) {
    const file = resolve(pi.cwd, path)
    const before = await readFile(file, 'utf8')
    const after = before.replaceAll(/[ \t]+(?=\r?\n|$)/g, '')
    const lines = before.split('\n').filter((line, index) => line !== after.split('\n')[index]).length
    if (lines === 0) return { content: [{ type: 'text', text: `${path} has nothing to trim.` }], details: { lines } }

    pi.pushPendingAction({
      label: `trim ${lines} lines of ${path}`,
      sourceToolName: 'trim_lines',
      details: { path, lines },
      async apply() {
        // What was agreed to was about the file as it was.
        if ((await readFile(file, 'utf8')) !== before) throw new Error(`${path} has changed meanwhile; call trim_lines again`)
        await writeFile(file, after)
        return { content: [{ type: 'text', text: `Trimmed ${lines} lines of ${path}.` }], details: { path, lines } }
      },
    })
    return { content: [{ type: 'text', text: `${lines} lines of ${path} end in blanks. Nothing is changed yet.` }], details: { lines } }
  },
})
