// Records what real vim makes of key sequences: `node scripts/record-vim.mjs `.
//
// Reads `__test__/fixtures/vim/cases.json` ({ text, keys }[]), runs each case in a fresh vim (`-u NONE`, nocompatible,
// nofixeol) and writes `__test__/fixtures/vim/answers.json` with the version of vim. Only needed to record anew: the
// tests read the answers and need no vim.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folder = new URL('../__test__/fixtures/vim/', import.meta.url)
const cases = JSON.parse(readFileSync(new URL('cases.json', folder), 'utf8'))
const home = mkdtempSync(join(tmpdir(), 'record-vim-'))

/** Keys of `kbd` in the notation of `feedkeys`. */
function feedKeys(keys) {
  const escaped = keys.replaceAll('\\', '\\\\').replaceAll('"', '\\"')
  return `"${escaped.replace(/<(Esc|CR|BS|Tab|Del|Space|lt|C-[a-z])>/gi, '\\<$1>')}"`
}

/** Our unit of indentation, told to vim: two spaces where a line that starts with two stands before any with a tab. */
function indentation(text) {
  const indented = text.split('\n').find((line) => line.startsWith('  ') || line.startsWith('\t'))
  return indented?.startsWith('  ') ? 'set shiftwidth=2 expandtab' : ''
}

// `<BS>` may erase what was there before, as it does in every vim that someone has set up.
const script = (file, text, keys, answer) => `
${indentation(text)}
set nofixeol encoding=utf-8 fileencodings=utf-8 backspace=indent,eol,start nomodeline shortmess+=AI
execute 'edit ' . fnameescape('${file}')
let v:errmsg = ''
call feedkeys(${feedKeys(keys)}, 'tx')
let s:place = getpos('.')
let s:error = v:errmsg
silent! write!
call writefile([json_encode({'line': s:place[1], 'before': strpart(getline('.'), 0, s:place[2] - 1), 'error': s:error})], '${answer}')
qall!
`

function record({ text, keys }) {
  const [file, source, answer] = ['f.txt', 's.vim', 'a.json'].map((name) => join(home, name))
  writeFileSync(file, text)
  writeFileSync(source, script(file, text, keys, answer))
  writeFileSync(answer, '')
  const arguments_ = ['-N', '-u', 'NONE', '-i', 'NONE', '-n', '-T', 'dumb', '--not-a-term', '-S', source]
  execFileSync('vim', arguments_, { stdio: ['ignore', 'ignore', 'ignore'], timeout: 5000, env: { ...process.env, LC_ALL: 'C.UTF-8' } })
  const { line, before, error } = JSON.parse(readFileSync(answer, 'utf8'))
  const result = { text, keys, expect: readFileSync(file, 'utf8'), cursor: [line, before.length + 1] }
  return error ? { ...result, error: error.match(/^E\d+/)?.[0] ?? error } : result
}

const answers = []
for (const one of cases) {
  try {
    answers.push(record(one))
  } catch (error) {
    console.error(`left out: ${JSON.stringify(one)}: ${error.message.split('\n')[0]}`)
  }
}
const version = execFileSync('vim', ['--version'], { encoding: 'utf8' }).split('\n').slice(0, 2).join('; ')
const lines = answers.map((answer) => JSON.stringify(answer)).join(',\n')
writeFileSync(new URL('answers.json', folder), `{"vim": ${JSON.stringify(version)}, "cases": [\n${lines}\n]}\n`)
rmSync(home, { recursive: true })
