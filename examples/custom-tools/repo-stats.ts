// Counts what a repository tracks. One tool: a program, a progress update, an interruption that is not a failure.

import type { CustomToolFactory } from 'gajae-tool-core'

const factory: CustomToolFactory = (pi) => {
  const { Type } = pi.typebox
  return {
    name: 'repo_stats',
    label: 'Repository statistics',
    description: 'Counts the files that git tracks here, by extension. Use it for a first impression of a repository.',
    parameters: Type.Object({
      folder: Type.Optional(Type.String({ description: 'Folder to count in; absent: the whole repository' })),
    }),

    async execute(_toolCallId, params: { folder?: string }, onUpdate, _ctx, signal) {
      onUpdate?.({ content: [{ type: 'text', text: 'Asking git …' }] })
      const { stdout, stderr, code, killed } = await pi.exec('git', ['ls-files', '-z', '--', params.folder ?? '.'], { signal, timeout: 30_000 })
      if (killed) throw new Error(code === 124 ? 'git took longer than 30 seconds' : 'The call was interrupted')
      if (code !== 0) throw new Error(stderr.trim() || `git ended with ${code}`)

      const files = stdout.split('\0').filter((path) => path !== '')
      const counts: Record<string, number> = {}
      for (const path of files) {
        const extension = /\.[^./]+$/.exec(path)?.[0] ?? '(none)'
        counts[extension] = (counts[extension] ?? 0) + 1
      }
      const rows = Object.entries(counts).sort(([, one], [, other]) => other - one)
      const lines = [`${files.length} files`, ...rows.map(([extension, count]) => `${extension} ${count}`)]
      return { content: [{ type: 'text', text: lines.join('\n') }], details: { files: files.length, counts } }
    },
  }
}

export default factory
