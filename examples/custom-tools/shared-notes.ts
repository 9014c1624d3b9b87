// Two tools over one list of notes: a factory may give back several, and what they share is a variable.

import type { CustomTool, CustomToolFactory } from 'gajae-tool-core'

enum Importance {
  Usual = 'usual',
  High = 'high',
}

interface Note {
  text: string
  importance: Importance
}

const factory: CustomToolFactory = ({ zod: { z }, logger }) => {
  let notes: Note[] = []

  const addParameters = z.object({ text: z.string().min(1), importance: z.enum(Importance).default(Importance.Usual) })
  const add: CustomTool<typeof addParameters> = {
    name: 'note_add',
    label: 'Add a note',
    description: 'Remembers a finding until the session ends.',
    parameters: addParameters,
    async execute(_toolCallId, { text, importance }) {
      notes.push({ text, importance })
      return { content: [{ type: 'text', text: `Noted as number ${notes.length}.` }], details: { count: notes.length } }
    },
    onSession({ reason }) {
      // Another conversation starts with an empty list.
      if (reason !== 'switch' && reason !== 'branch') return
      logger.info(`${notes.length} notes are forgotten`)
      notes = []
    },
  }

  const listParameters = z.object({})
  const list: CustomTool<typeof listParameters> = {
    name: 'note_list',
    label: 'List notes',
    description: 'Lists what note_add has remembered, the important ones first.',
    parameters: listParameters,
    async execute() {
      const sorted = notes.toSorted((one, other) => Number(other.importance === Importance.High) - Number(one.importance === Importance.High))
      const text = sorted.map(({ text, importance }) => `${importance === Importance.High ? '!' : '-'} ${text}`).join('\n')
      return { content: [{ type: 'text', text: text || 'There are no notes.' }], details: { count: notes.length } }
    },
  }

  return [add, list]
}

export default factory
