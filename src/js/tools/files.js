// The tools that work on files of any kind; `read` has a file of its own.

import native from '../native.cjs'
import { withConfigHome } from '../session.js'
import { afterWrites } from './after-write.js'
import { defineNativeTool } from './native-tool.js'

/** @typedef {import('../../../index.d.ts').ToolSession} ToolSession */


/** Searches file contents. */
export class SearchTool {
  /** @param {ToolSession} session */
  constructor(session) {
    defineNativeTool(this, 'search', session, native.execSearch, { complete: withConfigHome })
  }
}

/** Finds files by name. */
export class FindTool {
  /** @param {ToolSession} session */
  constructor(session) {
    defineNativeTool(this, 'find', session, native.execFind, { complete: withConfigHome })
  }
}

/** Writes a whole file. */
export class WriteTool {
  /** @param {ToolSession} session */
  constructor(session) {
    defineNativeTool(this, 'write', session, native.execWrite, afterWrites('write', session))
  }
}
