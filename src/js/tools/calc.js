// Arithmetic.

import native from '../native.cjs'
import { defineNativeTool } from './native-tool.js'

/** Evaluates arithmetic. */
export class CalcTool {
  /** @param {import('../../../index.d.ts').ToolSession} session */
  constructor(session) {
    defineNativeTool(this, 'calc', session, native.execCalc)
  }
}
