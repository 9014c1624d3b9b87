// Regenerates index.d.cts, the CommonJS copy of index.d.ts, and type-checks contract, JavaScript and type tests.

import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { install, isMain, root, run } from './setup.mjs'

export const typescript = join(root, 'node_modules/typescript/bin/tsc')

/** Brings index.d.cts up to date. */
export function copyTypes() {
  copyFileSync(join(root, 'index.d.ts'), join(root, 'index.d.cts'))
}

if (isMain(import.meta.url)) {
  install()
  copyTypes()
  run(process.execPath, [typescript, '--project', '.'])
}
