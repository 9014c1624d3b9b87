// Sets everything up and runs the example agent on a directory (default: this repository).

import { join } from 'node:path'
import { buildRelease, install, root, run, step } from './setup.mjs'

install()
buildRelease()
step('examples/agent.mjs')
run(process.execPath, [join(root, 'examples/agent.mjs'), process.argv[2] ?? root], { cwd: process.cwd() })
