// Where the JavaScript tests are.

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './setup.mjs'

/** The test files of folders of __test__, relative to the root of the repository, in order of their names. */
export function testFiles(...folders) {
  return folders.flatMap((folder) => {
    const directory = join(root, '__test__', folder)
    if (!existsSync(directory)) return []
    const names = readdirSync(directory).filter((name) => name.endsWith('.test.mjs'))
    return names.sort().map((name) => `__test__/${folder}/${name}`)
  })
}
