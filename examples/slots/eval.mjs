// The slot `eval`: cells of JavaScript in a worker and of Python in a process, each with variables that stay from cell to
// cell and with `tool(name, arguments)`, which calls a tool of the session.
//
//   registerToolFactory('eval', evalTool({ callTool: (name, args, signal) => … }))
//
// The host supplies `callTool`; it decides which tools a cell may call. A cell has all rights of the host's process: this is
// no sandbox. A cell that takes too long ends its kernel, and the next one starts with a fresh one.

import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { Worker } from 'node:worker_threads'
import { ToolAbortError, ToolError } from 'gajae-tool-core'

const parameters = {
  type: 'object',
  properties: {
    cells: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        properties: {
          language: { type: 'string', enum: ['js', 'py'] },
          code: { type: 'string', description: 'The value of the last expression is the result' },
          timeout: { type: 'number', minimum: 1, description: 'Seconds. Default 30' },
          reset: { type: 'boolean', description: 'Forget all variables first' },
        },
        required: ['language', 'code'],
        additionalProperties: false,
      },
    },
  },
  required: ['cells'],
  additionalProperties: false,
}

/** @param {{ callTool: (name: string, args: any, signal?: AbortSignal) => Promise<any>, python?: string }} host */
export function evalTool({ callTool, python = 'python3' }) {
  return () => {
    const starts = { js: startWorker, py: () => startPython(python) }
    /** @type {Record<string, any>} */
    const kernels = {}
    const stop = (language) => {
      kernels[language]?.stop()
      delete kernels[language]
    }
    const execute = async (_id, { cells }, signal) => {
      const outputs = []
      for (const { language, code, timeout = 30, reset } of cells) {
        if (reset) stop(language)
        const kernel = (kernels[language] ??= starts[language]())
        const { output, failed } = await bounded(kernel.run(code, (name, args) => callTool(name, args, signal)), timeout, signal, () => stop(language))
        outputs.push(output)
        if (failed) return result(outputs, cells, true)
      }
      return result(outputs, cells, false)
    }
    return {
      name: 'eval',
      label: 'Eval',
      summary: 'Run Python or JavaScript cells in a kernel that keeps its state',
      loadMode: 'discoverable',
      concurrency: 'exclusive',
      strict: true,
      intent: ({ cells } = {}) => (Array.isArray(cells) ? `Run ${cells.length} cells` : undefined),
      description: 'Runs cells of JavaScript or Python in order; variables stay. `tool(name, arguments)` calls another tool (await it in JavaScript). The first cell that fails is the last.',
      parameters,
      execute,
      /** The host calls this at the end of the session. */
      dispose: () => Object.keys(kernels).forEach(stop),
    }
  }
}

function result(outputs, cells, isError) {
  const text = outputs.map((output) => output.trimEnd() || '(no output)').join('\n\n')
  return { content: [{ type: 'text', text }], details: { ran: outputs.length, of: cells.length }, ...(isError && { isError }) }
}

/** The answer of a kernel, or the end of the kernel. */
async function bounded(answer, seconds, signal, stop) {
  let timer, onAbort
  const ended = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new ToolError(`The cell took longer than ${seconds} seconds; its variables are gone`, { code: 'timeout', seconds })), seconds * 1000)
    onAbort = () => reject(new ToolAbortError(undefined, { cause: signal.reason }))
    if (signal?.aborted) onAbort()
    else signal?.addEventListener('abort', onAbort, { once: true })
  })
  try {
    return await Promise.race([answer, ended])
  } catch (error) {
    stop()
    throw error
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
    answer.catch(() => {})
  }
}

/** One question at a time: send the code, answer calls of tools, until the cell is done. */
function kernel({ send, onMessage, onEnd, stop }) {
  let current
  onMessage(async (message) => {
    if (message.done) return current?.resolve({ output: message.output, failed: message.failed })
    const answer = await current.callTool(message.name, message.args).then((value) => ({ value }), (error) => ({ error: String(error?.message ?? error) }))
    send({ reply: message.call, ...answer })
  })
  onEnd((reason) => current?.reject(new ToolError(`The kernel has ended: ${reason}`, { code: 'internal' })))
  const run = (code, callTool) => new Promise((resolve, reject) => {
    current = { resolve, reject, callTool }
    send({ code })
  })
  return { run, stop }
}

const workerSource = String.raw`
const { parentPort } = require('node:worker_threads')
const { inspect } = require('node:util')
const vm = require('node:vm')
const replies = new Map()
let calls = 0
let output = ''
const print = (...values) => { output += values.map((value) => (typeof value === 'string' ? value : inspect(value))).join(' ') + '\n' }
const tool = (name, args = {}) => new Promise((resolve, reject) => {
  replies.set(++calls, { resolve, reject })
  parentPort.postMessage({ call: calls, name, args })
})
const context = vm.createContext({ ...globalThis, require, tool, print, console: { log: print, info: print, warn: print, error: print } })
// Variables become properties of the context, so that they stay. With await the cell is a function, and its last line is
// its value where that is an expression.
const compile = (source) => { try { return new vm.Script(source) } catch { return undefined } }
function scriptOf(code) {
  if (!/\bawait\b/.test(code)) return new vm.Script(code.replace(/^(?:const|let)\s/gm, 'var '))
  const free = code.trimEnd().replace(/^(?:const|let|var)\s+(?=[\w$]+\s*=)/gm, '')
  const at = free.lastIndexOf('\n') + 1
  const within = (body) => '(async () => {' + body + '\n})()'
  return compile(within(free.slice(0, at) + 'return (' + free.slice(at).replace(/;$/, '') + '\n)')) ?? new vm.Script(within(free))
}
async function run(code) {
  output = ''
  let failed = false
  try {
    const value = await scriptOf(code).runInContext(context)
    if (value !== undefined) print(value)
  } catch (error) {
    failed = true
    print(error?.stack?.split('\n    at ')[0] ?? String(error))
  }
  parentPort.postMessage({ done: true, output, failed })
}
parentPort.on('message', ({ code, reply, value, error }) => {
  if (code !== undefined) return run(code)
  const { resolve, reject } = replies.get(reply)
  replies.delete(reply)
  error === undefined ? resolve(value) : reject(new Error(error))
})`

function startWorker() {
  const worker = new Worker(workerSource, { eval: true })
  worker.unref()
  return kernel({
    send: (message) => worker.postMessage(message),
    onMessage: (listener) => worker.on('message', listener),
    onEnd: (listener) => {
      worker.on('error', (error) => listener(error.message))
      worker.on('exit', () => listener('exit'))
    },
    stop: () => void worker.terminate(),
  })
}

const pythonSource = String.raw`
import ast, contextlib, io, json, os, sys, traceback
wire, variables, calls = os.fdopen(os.dup(1), "w"), {"__name__": "__main__"}, 0
os.dup2(2, 1)
def send(message):
    wire.write(json.dumps(message) + "\n"); wire.flush()
def tool(name, arguments=None, **more):
    global calls
    calls += 1
    send({"call": calls, "name": name, "args": {**(arguments or {}), **more}})
    answer = json.loads(sys.stdin.readline())
    if "error" in answer: raise RuntimeError(answer["error"])
    return answer.get("value")
variables["tool"] = tool
def run(code):
    tree = ast.parse(code)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "<cell>", "exec"), variables)
    if last is not None:
        value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), variables)
        if value is not None: print(repr(value))
for line in iter(sys.stdin.readline, ""):
    output, failed = io.StringIO(), False
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        try: run(json.loads(line)["code"])
        except BaseException: failed = True; traceback.print_exc(limit=-1)
    send({"done": True, "output": output.getvalue(), "failed": failed})
`

function startPython(program) {
  const child = spawn(program, ['-u', '-c', pythonSource], { stdio: ['pipe', 'pipe', 'ignore'] })
  child.stdin.on('error', () => {})
  return kernel({
    send: (message) => child.stdin.write(`${JSON.stringify(message)}\n`),
    onMessage: (listener) => createInterface({ input: child.stdout }).on('line', (line) => listener(JSON.parse(line))),
    onEnd: (listener) => {
      child.on('error', (error) => listener(error.message))
      child.on('exit', (code) => listener(`exit code ${code}`))
    },
    stop: () => child.kill('SIGKILL'),
  })
}
