// Two different lines with the same anchor, found by looking at what `read` prints.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { callTool } from '../vectors/outcome.mjs'

const most = 2000

/** Writes `c.txt` with one of two such lines as its second; the function puts the other in its place. */
export async function prepareCollision(tools, root) {
  const path = join(root, 'c.txt')
  const content = (line) => `first\n${line}\nlast\n`
  const lines = Array.from({ length: most }, (_, number) => `let value_${number} = ${number * 7};`)
  writeFileSync(path, lines.join('\n'))
  const { text } = await callTool(tools, 'read', { path: `c.txt:1-${most}` })
  const seen = new Map()
  for (const [, letters, line] of text.matchAll(/^\D?\d+([a-z]{2})[^\w\n](let value_\d+ = \d+;)$/gm)) {
    const other = seen.get(letters)
    if (other) {
      writeFileSync(path, content(other))
      return () => writeFileSync(path, content(line))
    }
    seen.set(letters, line)
  }
  throw new Error(`no two lines with the same anchor in: ${text.slice(0, 200)}`)
}
