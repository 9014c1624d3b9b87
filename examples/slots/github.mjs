// The slot `github`, filled with the `gh` program: the host supplies nothing but a login (`gh auth login`).
//
//   registerToolFactory('github', githubTool())
//
// Needs the setting `github.enabled`, and `gh` on the search path. Arguments go to `gh` as they are, never through a shell.

import { execFile } from 'node:child_process'
import { ToolAbortError, ToolError } from 'gajae-tool-core'

/** For each `op` the arguments of `gh`. */
const operations = {
  repo_view: ({ repo }) => ['repo', 'view', ...given(repo)],
  pr_view: (args) => ['pr', 'view', ...given(args.pr), '--comments', ...inRepo(args)],
  pr_diff: (args) => ['pr', 'diff', ...given(args.pr), ...inRepo(args)],
  pr_checkout: (args) => ['pr', 'checkout', String(args.pr), ...flags(args, ['force', 'branch']), ...inRepo(args)],
  pr_create: (args) => ['pr', 'create', ...flags(args, ['title', 'body', 'base', 'head', 'draft', 'fill', 'reviewer', 'assignee', 'label']), ...inRepo(args)],
  search_issues: search('issues'),
  search_prs: search('prs'),
  search_code: search('code'),
  search_commits: search('commits'),
  search_repos: search('repos'),
  run_view: (args) => ['run', 'view', ...given(args.run), '--log-failed', ...inRepo(args)],
}

const parameters = {
  type: 'object',
  properties: {
    op: { type: 'string', enum: Object.keys(operations), description: 'What to do' },
    repo: { type: 'string', description: 'OWNER/NAME; the one of the working directory where absent' },
    pr: { type: ['string', 'number'], description: 'Number, address or branch of a pull request' },
    branch: { type: 'string', description: 'For `pr_checkout`: name of the local branch' },
    force: { type: 'boolean', description: 'For `pr_checkout`: replace the local branch' },
    title: { type: 'string' },
    body: { type: 'string' },
    base: { type: 'string', description: 'Branch to merge into' },
    head: { type: 'string', description: 'Branch to merge' },
    draft: { type: 'boolean' },
    fill: { type: 'boolean', description: 'Title and body from the commits' },
    reviewer: { type: 'array', items: { type: 'string' } },
    assignee: { type: 'array', items: { type: 'string' } },
    label: { type: 'array', items: { type: 'string' } },
    query: { type: 'string', description: 'For the searches' },
    limit: { type: 'integer', minimum: 1, maximum: 100, description: 'Most hits. Default 20' },
    run: { type: ['string', 'number'], description: 'Id of a workflow run' },
    tail: { type: 'integer', minimum: 1, description: 'For `run_view`: last lines of the log. Default 200' },
  },
  required: ['op'],
  additionalProperties: false,
}

/** @param {{ program?: string, env?: NodeJS.ProcessEnv }} [host] */
export function githubTool({ program = 'gh', env = process.env } = {}) {
  return (session) => ({
    name: 'github',
    label: 'GitHub',
    summary: 'Work with pull requests, issues, searches and workflow runs on GitHub',
    loadMode: 'discoverable',
    strict: true,
    description: 'Works with GitHub: repositories, pull requests, searches and workflow runs. The working directory says which repository is meant unless `repo` does.',
    parameters,
    execute: async (_id, args, signal) => {
      const build = Object.hasOwn(operations, args.op) ? operations[args.op] : undefined
      if (!build) throw new ToolError(`\`${args.op}\` is no operation`, { code: 'invalid_arguments', issues: [{ path: 'op', message: 'unknown' }] })
      // Nobody can answer a question, and no pager can be left.
      const quiet = { ...env, GH_PROMPT_DISABLED: '1', GH_PAGER: 'cat', NO_COLOR: '1' }
      const output = await run(program, build(args), { cwd: session.cwd, env: quiet, signal })
      const text = args.op === 'run_view' ? output.split('\n').slice(-(args.tail ?? 200)).join('\n') : output
      return { content: [{ type: 'text', text: text.trim() || 'Done.' }], details: { op: args.op } }
    },
  })
}

function run(program, args, options) {
  return new Promise((resolve, reject) => {
    execFile(program, args, { ...options, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      if (!error) return resolve(stdout)
      if (options.signal?.aborted) return reject(new ToolAbortError(undefined, { cause: options.signal.reason }))
      if (error.code === 'ENOENT') return reject(new ToolError(`\`${program}\` is not installed`, { code: 'tool_unavailable', tool: 'github', reason: 'gh is not installed' }))
      reject(new ToolError(stderr.trim() || error.message, { code: 'nonzero_exit', exit_code: error.code, output: stderr }))
    })
  })
}

function search(kind) {
  return ({ query = '', limit = 20, repo }) => ['search', kind, '--limit', String(limit), ...(repo && kind !== 'repos' ? [`--repo=${repo}`] : []), '--', query]
}

/** A value that begins with a dash is a value, not a flag. */
function given(value) {
  return value === undefined ? [] : ['--', String(value)].slice(String(value).startsWith('-') ? 0 : 1)
}

function inRepo({ repo }) {
  return repo === undefined ? [] : [`--repo=${repo}`]
}

function flags(args, names) {
  return names.flatMap((name) => [args[name]].flat().filter((value) => value !== undefined && value !== false).map((value) => (value === true ? `--${name}` : `--${name}=${value}`)))
}
