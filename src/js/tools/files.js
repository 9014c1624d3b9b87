// The tools that work on files.

import native from '../native.cjs'
import { withConfigHome } from '../session.js'
import { defineNativeTool } from './native-tool.js'

/** @typedef {import('../../../index.d.ts').ToolSession} ToolSession */

/** Reads a file or lists a directory. */
export class ReadTool {
  /** @param {ToolSession} session */
  constructor(session) {
    defineNativeTool(this, 'read', session, native.execRead)
  }
}

/** Searches file contents. */
export class SearchTool {
  /** @param {ToolSession} session */
  constructor(session) {
    defineNativeTool(this, 'search', session, native.execSearch, withConfigHome)
  }
}

/** Finds files by name. */
export class FindTool {
  /** @param {ToolSession} session */
  constructor(session) {
    defineNativeTool(this, 'find', session, native.execFind, withConfigHome)
  }
}

/** Writes a whole file. */
export class WriteTool {
  /** @param {ToolSession} session */
  constructor(session) {
    defineNativeTool(this, 'write', session, native.execWrite)
  }
}

/** Edits a file. */
export class EditTool {
  /** @param {ToolSession} session */
  constructor(session) {
    defineNativeTool(this, 'edit', session, native.execEdit)
  }
}
