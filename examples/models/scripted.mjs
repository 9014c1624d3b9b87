// A model that follows a script, so that the example needs no network. Like a real one it knows only what the tools
// answered: each step reads the results so far and decides on the next calls.

const STEPS = [lookAround, searchAndRead, markReviewed, verify, countLines, readMissing]

export function scripted() {
  let step = 0
  let id = 0
  return {
    facts: { api: 'openai-completions', provider: 'example', baseUrl: '', id: 'scripted model' },
    async ask({ messages, toolChoice }) {
      const memory = { results: messages.filter(({ role }) => role === 'tool') }
      const answer = STEPS[step++]?.(memory, toolChoice?.function?.name) ?? { text: 'Done: one file is marked, checked and counted.', calls: [] }
      return { text: answer.text, calls: answer.calls.map((call) => ({ id: `call_${++id}`, ...call })) }
    },
  }
}

function lookAround() {
  return say('Which files are there?', call('find', { paths: ['*'], limit: 200 }))
}

function searchAndRead(memory) {
  const file = chosenFile(memory)
  return say(
    `I take ${file}: its longer words, and its first lines exactly.`,
    call('search', { pattern: '\\w{8,}', paths: [file] }),
    call('read', { path: `${file}:raw:1-8` }),
  )
}

function markReviewed(memory) {
  const file = chosenFile(memory)
  const text = memory.results.findLast(({ name }) => name === 'read').text
  return say('I mark it as reviewed.', call('edit', { path: file, edits: [{ old_text: text, new_text: `reviewed\n${text}` }] }))
}

function verify(memory, forced) {
  return say('I check what stands there now.', call(forced ?? 'read', { path: `${chosenFile(memory)}:1-3` }))
}

function countLines(memory) {
  return say('How long is it?', call('bash', { command: `wc -l '${chosenFile(memory).replaceAll("'", "'\\''")}'` }))
}

function readMissing() {
  return say('And a file that is not there, to see what an error looks like.', call('read', { path: 'no/such/file.txt' }))
}

/** A text file by its name, the shallowest first. */
function chosenFile({ results }) {
  const found = results[0].text.split('\n').filter((line) => /\.(md|txt|js|mjs|ts|rs|py|go|java|c|h|json|toml)$/.test(line))
  const depth = (path) => path.split('/').length
  found.sort((a, b) => depth(a) - depth(b))
  return found[0] ?? results[0].text.split('\n')[0]
}

function say(text, ...calls) {
  return { text, calls }
}

function call(name, args) {
  return { name, arguments: args }
}
