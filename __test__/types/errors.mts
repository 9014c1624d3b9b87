// What a caller can do with a thrown value.

import { renderError, throwIfAborted, ToolAbortError, ToolError, type ToolErrorCode, type ToolErrorIssue } from 'gajae-tool-core'
import type { Equal, Expect } from './equal.d.mts'

export function explain(error: unknown): string {
  if (error instanceof ToolError) {
    const issues = (error.context?.['issues'] ?? []) as ToolErrorIssue[]
    if (error.code === 'invalid_arguments') return issues.map(({ path, message }) => `${path}: ${message}`).join()
    return `${error.name} ${error.code} ${error.path ?? ''} ${error.render()}`
  }
  if (error instanceof ToolAbortError) return `${error.message} ${error.cause}`
  return renderError(error)
}

export const codes: ToolErrorCode[] = ['path_not_found', 'no_match', 'internal', 'aborted']
export type AbortCode = Expect<Equal<ToolAbortError['code'], 'ABORT_ERR'>>
export const own = new ToolError('own', { code: 'own_code', path: 'a' }, { cause: 1 })
export const message: string = ToolAbortError.MESSAGE
throwIfAborted()
throwIfAborted(AbortSignal.abort())

// @ts-expect-error
export const unknownCode: ToolErrorCode = 'no_such_code'
// @ts-expect-error
own.code = 'other'
// @ts-expect-error
export const unchecked: string = own.context['path']
// @ts-expect-error
new ToolError()
// @ts-expect-error
throwIfAborted(new AbortController())
