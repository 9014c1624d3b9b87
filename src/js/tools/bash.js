// The shell.

import native from '../native.cjs'
import { defineNativeTool } from './native-tool.js'

/** @typedef {import('../../../index.d.ts').ToolSession} ToolSession */

/** Runs a shell command. */
export class BashTool {
  /** @param {ToolSession} session */
  constructor(session) {
    // The engine never reads the environment itself; a command runs with the one of the moment.
    defineNativeTool(this, 'bash', session, native.execBash, (context) => ({
      ...context,
      restrictsCommands: session.bashAllowedPrefixes !== undefined,
      env: Object.entries(process.env),
    }))
  }
}
