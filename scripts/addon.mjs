// How the addon is built: the one place that knows the command line of the napi tool.

import { join } from 'node:path'
import { root } from './setup.mjs'

/** Arguments for Node that build the addon, its loader and its types into `directory`. */
export function buildArguments(directory) {
  const napi = join(root, 'node_modules/@napi-rs/cli/dist/cli.js')
  return [napi, 'build', '--package', 'gajae-tool-core-addon', '--platform', '--output-dir', directory, '--js', 'binding.cjs', '--dts', 'binding.d.ts']
}
