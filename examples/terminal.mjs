// The transcript: what happened, in colour where the terminal has any.

const colour = (code) => (text) => (process.stdout.isTTY ? `\x1b[${code}m${text}\x1b[0m` : text)
const [bold, dim, red, green, blue] = [1, 2, 31, 32, 34].map(colour)

export function showTools(active, waiting) {
  console.log(`${bold('exposed tools')}  ${active.join(' ')}`)
  console.log(`${bold('hidden tools')}   ${waiting.join(' ') || 'none'}`)
}

export function showTask(task, modelName) {
  console.log(`\n${bold('task')}  ${task}  ${dim(`(${modelName})`)}`)
}

export function showAnswer(text, force) {
  console.log()
  if (force) console.log(dim(`forced to call ${force}`))
  if (text) console.log(`${blue('model')}  ${text}`)
}

export function showCall(name, args, text, isError, milliseconds) {
  const shown = JSON.stringify(args) ?? ''
  const mark = isError ? red('error') : green('ok')
  console.log(`${bold(name)} ${dim(shorten(shown, 100))}  ${mark} ${milliseconds.toFixed(1)} ms`)
  const lines = text.trimEnd().split('\n')
  for (const line of lines.slice(0, 6)) console.log(dim(`  │ ${shorten(line, 110)}`))
  if (lines.length > 6) console.log(dim(`  │ … ${lines.length - 6} more lines`))
}

export function showFailure(error) {
  console.error(`\n${red('failed')}  ${error.message}`)
}

function shorten(text, width) {
  return text.length > width ? `${text.slice(0, width - 1)}…` : text
}
