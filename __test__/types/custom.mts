// Custom tools, as an author and a host write them.

import {
  createToolSession,
  CustomToolAdapter,
  discoverAndLoadCustomTools,
  emitCustomToolSessionEvent,
  queueResolveHandler,
  type AgentTool,
  type CustomTool,
  type CustomToolFactory,
  type ExecResult,
  type LoadedCustomTool,
  type ManagedToolSession,
  type ToolLoadError,
} from 'gajae-tool-core'
import type { Equal, Expect } from './equal.d.mts'

const one: CustomToolFactory = (pi) => ({
  name: 'one',
  parameters: pi.typebox.Type.Object({ path: pi.typebox.Type.String() }),
  async execute(id, params, onUpdate, ctx, signal) {
    const result = await pi.exec('git', ['status'], { signal, timeout: 1000 })
    type Result = Expect<Equal<typeof result, ExecResult>>
    onUpdate?.({ content: [{ type: 'text', text: id.toUpperCase() }] })
    if (!ctx.isIdle()) ctx.abort()
    // @ts-expect-error There is no such member.
    pi.execute()
    return { content: [{ type: 'text', text: result.stdout }], details: params }
  },
  onSession({ reason }, ctx) {
    if (reason === 'start') ctx.hasQueuedMessages()
  },
})

const several: CustomToolFactory = async ({ zod: { z } }) => {
  const parameters = z.object({ count: z.number() })
  const tool: CustomTool<typeof parameters, { doubled: number }> = {
    name: 'double',
    label: 'Double',
    description: 'Doubles',
    parameters,
    async execute(_id, { count }) {
      type Count = Expect<Equal<typeof count, number>>
      return { content: [], details: { doubled: count * 2 } }
    },
    renderCall: ({ count }, theme) => [count.toFixed(), theme],
  }
  return [tool]
}

// @ts-expect-error A tool needs `execute`.
const broken: CustomToolFactory = () => ({ name: 'x', parameters: {} })

let session: ManagedToolSession
const custom = await discoverAndLoadCustomTools(['tools/a.ts'], '/project', ['read'], (action) => queueResolveHandler(session, action), {
  configDirName: '.gjc',
  trust: async (path, level) => level === 'user' || path.startsWith('/trusted'),
})
type Tools = Expect<Equal<typeof custom.tools, LoadedCustomTool[]>>
type Errors = Expect<Equal<typeof custom.errors, ToolLoadError[]>>
session = await createToolSession({ cwd: '/project', settings: { get: () => undefined }, customTools: custom.tools, allowOverride: true })
await emitCustomToolSessionEvent(custom.tools, { reason: 'shutdown', previousSessionFile: undefined }, session.getCustomToolContext())

const adapted: AgentTool = CustomToolAdapter.wrap(custom.tools[0]!.tool, () => session.getCustomToolContext())

export { adapted, broken, one, several }
