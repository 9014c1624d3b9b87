// The slot `lsp`: questions to language servers. The host supplies the servers' command lines by file ending.
//
//   registerToolFactory('lsp', lspTool({ servers: { ts: ['typescript-language-server', '--stdio'], rs: ['rust-analyzer'] } }))
//
// A server starts with the first question about a file of its kind and stays until `dispose`. Lines are 1-based.

import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { extname, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { ToolAbortError, ToolError } from 'gajae-tool-core'

const methods = { definition: 'definition', references: 'references', hover: 'hover', symbols: 'documentSymbol' }

const parameters = {
  type: 'object',
  properties: {
    action: { type: 'string', enum: [...Object.keys(methods), 'diagnostics'], description: 'What to ask' },
    file: { type: 'string', description: 'The file' },
    line: { type: 'integer', minimum: 1, description: 'The line of the symbol' },
    symbol: { type: 'string', description: 'The symbol, as it stands in that line' },
    timeout: { type: 'number', minimum: 1, description: 'Seconds. Default 20' },
  },
  required: ['action', 'file'],
  additionalProperties: false,
}

/** @param {{ servers: Record<string, string[]> }} host */
export function lspTool({ servers }) {
  return (session) => {
    const running = new Map()
    const serverFor = (file) => {
      const kind = extname(file).slice(1)
      const command = Object.hasOwn(servers, kind) ? servers[kind] : undefined
      if (!command) throw new ToolError(`There is no language server for \`.${kind}\` files`, { code: 'unsupported', feature: `language server for .${kind}` })
      const key = command.join(' ')
      if (!running.has(key) || running.get(key).ended) running.set(key, startServer(command, session.cwd))
      return running.get(key)
    }
    return {
      name: 'lsp',
      label: 'LSP',
      summary: 'Ask a language server: definitions, references, diagnostics, rename',
      loadMode: 'discoverable',
      strict: true,
      description: 'Asks the language server of a file: `definition`, `references` and `hover` of the symbol at a line, the `symbols` and `diagnostics` of the file.',
      parameters,
      execute: async (_id, args, signal) => {
        const path = resolve(session.cwd, args.file)
        const text = await readFile(path, 'utf8')
        const server = serverFor(path)
        const answer = await bounded(ask(server, path, text, args), args.timeout ?? 20, signal)
        return { content: [{ type: 'text', text: shown(answer, args, session.cwd) }], details: { action: args.action, answer } }
      },
      dispose: () => running.forEach((server) => server.stop()),
    }
  }
}

async function ask(server, path, text, { action, line, symbol }) {
  await server.ready
  const uri = pathToFileURL(path).href
  const told = server.open(uri, text, extname(path).slice(1))
  if (action === 'diagnostics') return told
  const textDocument = { uri }
  if (action === 'symbols') return server.request('textDocument/documentSymbol', { textDocument })
  const position = positionOf(text, line, symbol)
  return server.request(`textDocument/${methods[action]}`, { textDocument, position, context: { includeDeclaration: true } })
}

function positionOf(text, line, symbol) {
  const content = text.split(/\r?\n/)[(line ?? 0) - 1]
  const character = content?.indexOf(symbol ?? '') ?? -1
  if (content === undefined || character < 0) throw new ToolError(`Line ${line} does not hold \`${symbol}\``, { code: 'invalid_arguments', issues: [{ path: 'symbol', message: 'not in the line' }] })
  return { line: line - 1, character }
}

function shown(answer, { action }, cwd) {
  const items = [answer].flat().filter(Boolean)
  if (items.length === 0) return `No ${action}.`
  if (action === 'hover') return items.map(({ contents }) => [contents].flat().map((part) => part.value ?? part).join('\n')).join('\n')
  const at = (range) => `${range.start.line + 1}:${range.start.character + 1}`
  if (action === 'diagnostics') return items.map(({ range, message }) => `${at(range)} ${message}`).join('\n')
  if (action === 'symbols') return items.map(({ name, range, location }) => `${at(range ?? location.range)} ${name}`).join('\n')
  return items.map(({ uri, targetUri, range, targetRange }) => `${relative(cwd, fileURLToPath(uri ?? targetUri))}:${at(range ?? targetRange)}`).join('\n')
}

function bounded(answer, seconds, signal) {
  const deadline = AbortSignal.timeout(seconds * 1000)
  const either = signal ? AbortSignal.any([signal, deadline]) : deadline
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal?.aborted ? new ToolAbortError(undefined, { cause: signal.reason }) : new ToolError(`No answer within ${seconds} seconds`, { code: 'timeout', seconds }))
    if (either.aborted) return stop()
    either.addEventListener('abort', stop, { once: true })
    answer.then(resolve, reject).finally(() => either.removeEventListener('abort', stop))
  })
}

/** A server over its standard streams: JSON-RPC with a `Content-Length` before each message. */
function startServer([program, ...args], cwd) {
  const child = spawn(program, args, { cwd, stdio: ['pipe', 'pipe', 'ignore'] })
  const waiting = new Map()
  const diagnostics = new Map()
  const opened = new Map()
  const server = { ended: false, stop: () => child.kill() }
  let buffer = Buffer.alloc(0)
  let id = 0
  const send = (message) => {
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }))
    child.stdin.write(Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]))
  }
  const end = (reason) => {
    server.ended = true
    waiting.forEach(({ reject }) => reject(new ToolError(`The language server \`${program}\` has ended: ${reason}`, { code: 'internal' })))
    waiting.clear()
  }
  const wait = (key) => new Promise((resolve, reject) => (server.ended ? reject(new Error('ended')) : waiting.set(key, { resolve, reject })))
  server.request = (method, params) => {
    const answer = wait(++id)
    send({ id, method, params })
    return answer
  }
  server.open = (uri, text, languageId) => {
    const version = (opened.get(uri) ?? 0) + 1
    opened.set(uri, version)
    // Servers tell of a file when it changes: a file that is open already is told anew.
    const told = wait(uri).finally(() => waiting.delete(uri))
    told.catch(() => {})
    if (version === 1) send({ method: 'textDocument/didOpen', params: { textDocument: { uri, languageId, version, text } } })
    else send({ method: 'textDocument/didChange', params: { textDocument: { uri, version }, contentChanges: [{ text }] } })
    return told
  }
  const receive = ({ id: answered, method, params, result, error }) => {
    if (method === 'textDocument/publishDiagnostics') {
      diagnostics.set(params.uri, params.diagnostics)
      waiting.get(params.uri)?.resolve(params.diagnostics)
    } else if (method !== undefined && answered !== undefined) {
      send({ id: answered, result: null })
    } else if (waiting.has(answered)) {
      const { resolve, reject } = waiting.get(answered)
      waiting.delete(answered)
      error ? reject(new ToolError(error.message, { code: 'tool_error' })) : resolve(result)
    }
  }
  child.stdin.on('error', () => {})
  child.on('error', (error) => end(error.message))
  child.on('exit', (code) => end(`exit code ${code}`))
  child.stdout.on('data', (chunk) => {
    buffer = Buffer.concat([buffer, chunk])
    for (;;) {
      const head = buffer.indexOf('\r\n\r\n')
      const length = head < 0 ? Number.NaN : Number(/Content-Length: (\d+)/i.exec(buffer.subarray(0, head).toString())?.[1])
      if (!(buffer.length >= head + 4 + length)) return
      const body = buffer.subarray(head + 4, head + 4 + length).toString()
      buffer = buffer.subarray(head + 4 + length)
      receive(JSON.parse(body))
    }
  })
  const rootUri = pathToFileURL(cwd).href
  server.ready = server.request('initialize', { processId: process.pid, rootUri, capabilities: {}, workspaceFolders: [{ uri: rootUri, name: 'root' }] }).then(() => send({ method: 'initialized', params: {} }))
  server.ready.catch(() => {})
  return server
}
