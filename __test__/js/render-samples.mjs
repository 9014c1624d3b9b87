// Calls and results to draw: one of each tool of the package, and the ways a result can be.

const text = (words) => [{ type: 'text', text: words }]
const lines = (count, line) => Array.from({ length: count }, (_, index) => line(index + 1)).join('\n')

const phases = [
  { name: 'Plan', tasks: [{ content: 'read code', status: 'completed' }, { content: 'old idea', status: 'abandoned' }] },
  { name: 'Build', tasks: [{ content: 'implement', status: 'in_progress', notes: ['the parser is in src/parse\nand is shared'] }, { content: 'test', status: 'pending' }] },
]
const goal = { id: '1', objective: 'Ship the release', status: 'active', tokensUsed: 5, timeUsedSeconds: 1, createdAt: 0, updatedAt: 0, provenance: { source: 'user' } }
const finding = { title: 'The lock is never released', body: 'An early return skips it.\nUse a guard.', priority: 'P1', confidence: 0.875, file_path: 'src/lock.rs', line_start: 3, line_end: 9 }
const searched = 'src/a.rs\n*3│fn main() {\n 4│    한글이 아주 길게 이어지는 줄입니다 그래서 화면의 너비를 넘어가게 됩니다 정말로요\nsrc/b.rs\n*9│fn main_loop() {'

export const samples = [
  { tool: 'read', args: { path: 'src/main.rs:9-20' }, result: { content: text('9ab|x'), details: { displayContent: { text: lines(12, (n) => `let value_${n} = "${'x'.repeat(n * 6)}";`), startLine: 9 } } } },
  { name: 'read-image', tool: 'read', args: { path: 'logo.png' }, result: { content: [...text('A picture'), { type: 'image', data: '', mimeType: 'image/png' }], details: { image: { mimeType: 'image/png', width: 64, height: 32, bytes: 2048 } } } },
  { name: 'read-error', tool: 'read', args: { path: 'gone' }, result: { content: text('`gone` does not exist'), isError: true } },
  { tool: 'search', args: { pattern: 'fn main', paths: ['src', 'tests'], i: true }, result: { content: text(searched), details: { matchCount: 2, fileCount: 2, truncated: true, displayContent: searched } } },
  { tool: 'find', args: { paths: ['**/*.rs'], limit: 3 }, result: { content: text('src/a.rs\nsrc/b.rs\nsrc/c.rs'), details: { fileCount: 3, truncated: true } } },
  { tool: 'write', args: { path: 'a.txt', content: lines(9, (n) => `line ${n}`) }, result: { content: text('Successfully wrote 71 bytes to a.txt'), details: {} } },
  { tool: 'edit', args: { path: 'src/main.rs', edits: [{ old_text: 'a', new_text: 'b' }] }, result: { content: text('Edited'), details: { diff: ' 1│fn main() {\n-2│    old();\n+2│    new();\n+3│    newer();\n 4│}' } } },
  {
    tool: 'edit',
    name: 'edit-files',
    args: { input: '§a.rs\n≔1ab\nA\n§b.rs\n»EOF\nnew\n' },
    result: { content: text('a.rs: …'), details: { diff: '-1|a\n+1|A\n+1|new', perFileResults: [{ path: 'a.rs', diff: '-1|a\n+1|A', op: 'update', firstChangedLine: 1 }, { path: 'b.rs', diff: '+1|new', op: 'create', move: 'c.rs', firstChangedLine: 1 }] } },
  },
  {
    tool: 'edit',
    name: 'edit-refused',
    args: { input: '*** Begin Patch\n*** Update File: a.rs\n@@\n-a\n+A\n*** Update File: b.rs\n@@\n-x\n+y\n' },
    result: {
      isError: true,
      content: text('Nothing was changed, because not everything can be:\n`b.rs` is not what the anchors say. The lines now:\n*1cd|b\n 2ef|c'),
      details: {
        failureKind: 'execution',
        perFileResults: [
          { path: 'a.rs', diff: '-1|a\n+1|A', op: 'update', firstChangedLine: 1, ok: true, applied: false },
          { path: 'b.rs', diff: '', ok: false, applied: false, isError: true, code: 'stale_anchor', errorText: '`b.rs` is not what the anchors say. The lines now:\n*1cd|b\n 2ef|c', displayErrorText: '`b.rs` is not what the anchors say. The lines now' },
          { path: 'c.rs', diff: '', ok: false, applied: false, isError: true, code: 'no_change', errorText: '`c.rs` would not change' },
        ],
      },
    },
  },
  { tool: 'bash', args: { command: 'cargo test --workspace', cwd: 'crates', timeout: 60 }, result: { content: text(lines(30, (n) => `test number_${n} ... ok`)), details: { timeoutSeconds: 60 } } },
  { name: 'bash-error', tool: 'bash', args: { command: 'false' }, result: { content: text('(no output)\n\nCommand exited with code 1'), isError: true } },
  { name: 'bash-silent', tool: 'bash', args: { command: 'true' }, result: { content: text(''), details: { timeoutSeconds: 300 } } },
  { tool: 'ast_grep', args: { pat: 'foo($A)', paths: ['src'] }, result: { content: text('src/a.ts\n*3│foo(x)'), details: { matchCount: 1, fileCount: 1, displayContent: '*3│foo(x)\n  meta: A=x' } } },
  { tool: 'ast_edit', args: { ops: [{ pat: 'foo($A)', out: 'bar($A)' }], paths: ['a.ts'] }, result: { content: text('-1:1 foo(1)\n+1:1 bar(1)'), details: { totalReplacements: 1, filesTouched: 1, applied: false, displayContent: '-1│foo(1)\n+1│bar(1)' } } },
  { tool: 'recipe', args: { op: 'test --release' }, result: { content: text('testing\n'), details: { timeoutSeconds: 300 } } },
  { tool: 'todo_write', args: { ops: [{ op: 'done', task: 'read code' }, { op: 'append', phase: 'Build', items: ['test'] }] }, result: { content: text('Remaining items (2): …'), details: { phases, storage: 'memory' } } },
  { name: 'todo_write-error', tool: 'todo_write', args: { ops: [{ op: 'start', task: 'x' }] }, result: { content: text('Errors: There is no task "x"\nThe list stays as it was.'), isError: true, details: { phases, storage: 'memory', failureKind: 'payload_rejected' } } },
  { tool: 'goal', args: { op: 'create', objective: 'Ship the release' }, result: { content: text('Goal: Ship the release\nStatus: active\nTokens used: 5'), details: { op: 'create', goal } } },
  { tool: 'skill', args: { name: 'review', args: 'src' }, result: { content: text('{}'), details: { name: 'review', path: '/skills/review/SKILL.md', args: 'src', lineCount: 40 } } },
  { tool: 'calc', args: { calculations: [{ expression: '2 ** 64' }, { expression: '1 / 3' }] }, result: { content: text('18446744073709551616\n≈ 0.333333333333333333333333333333 (exactly 1/3)'), details: { results: [] } } },
  { tool: 'yield', args: { result: { data: { ok: true } } }, result: { content: text('Result submitted.'), details: { status: 'success', data: { ok: true } } } },
  { tool: 'report_finding', args: finding, result: { content: text('Finding recorded'), details: finding } },
  { tool: 'resolve', args: { action: 'apply', reason: 'looks right' }, result: { content: text('Applied 1 replacement in 1 file'), details: { action: 'apply', reason: 'looks right', label: 'AST Edit: 1 replacement' } } },
  { tool: 'search_tool_bm25', args: { query: 'issues on github' }, result: { content: text('{}'), details: { tools: [{ name: 'github', description: 'Work with pull requests, issues, searches and workflow runs on GitHub' }] } } },
  { tool: 'github', args: { op: 'pr_view', repo: 'o/r', pr: 7 }, result: { content: text('Fix the lock\nopen') } },
  { tool: 'lsp', args: { action: 'definition', file: 'a.ts', line: 3, symbol: 'foo' }, result: { content: text('a.ts:9:5') } },
  { tool: 'eval', args: { cells: [{ language: 'js', code: '1 + 1' }] }, result: { content: text('2') } },
  { tool: 'task', args: { agent: 'explore', tasks: [{}, {}] }, result: { content: text('Both are done.') } },
]
