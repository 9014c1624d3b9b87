// The tools with a state of their own, through the addon: whose state it is, and what a session may bring.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import * as core from '../../src/js/index.js'
import { testSession } from './session.mjs'

const { CalcTool, GoalTool, ReportFindingTool, SkillTool, TodoWriteTool, YieldTool } = core
const init = { ops: [{ op: 'init', list: [{ phase: 'P', items: ['a', 'b'] }] }] }
const done = (task) => ({ ops: [{ op: 'done', task }] })
const contents = (phases) => phases.flatMap(({ tasks }) => tasks.map(({ content, status }) => `${content} ${status}`))

describe('todo_write', () => {
  it('belongs to the session, whichever tool object is called', async () => {
    const session = testSession()
    await new TodoWriteTool(session).execute('1', init)
    const { details } = await new TodoWriteTool(session).execute('2', done('a'))
    assert.deepEqual(contents(details.phases), ['a completed', 'b in_progress'])
    const other = await new TodoWriteTool(testSession()).execute('3', done('a'))
    assert.equal(other.isError, true)
    assert.deepEqual(other.details.phases, [])
  })

  it('leaves the list with a host that keeps it', async () => {
    let kept = [{ name: 'Q', tasks: [{ content: 'x', status: 'pending' }] }]
    const session = testSession({ getTodoPhases: () => kept, setTodoPhases: (phases) => void (kept = phases), getSessionFile: () => '/s' })
    const { details } = await new TodoWriteTool(session).execute('1', done('x'))
    assert.equal(details.storage, 'session')
    assert.deepEqual(contents(kept), ['x completed'])
    await new TodoWriteTool(session).execute('2', done('nothing'))
    assert.deepEqual(contents(kept), ['x completed'])
  })

  it('loses no call among many at once', async () => {
    const session = testSession()
    const tool = new TodoWriteTool(session)
    const names = Array.from({ length: 50 }, (_, index) => `t${index}`)
    await Promise.all(names.map((name) => tool.execute('1', { ops: [{ op: 'append', phase: 'P', items: [name] }] })))
    const { details } = await tool.execute('2', done('t49'))
    assert.equal(details.phases[0].tasks.length, 50)
  })

  it('refuses unknown names before they are repaired away', () => {
    const tool = new TodoWriteTool(testSession())
    const call = (args) => core.validateToolArguments(tool, { type: 'toolCall', id: '1', name: 'todo_write', arguments: args })
    for (const args of [{ ...init, merge: true }, { ops: [{ op: 'rm', id: 3 }] }, { ops: [{ op: 'drop' }] }]) {
      assert.throws(() => call(args), { code: 'invalid_arguments' })
    }
    assert.deepEqual(call(done('a')), done('a'))
  })

  it('is rebuilt from the entries of a transcript', () => {
    const phases = (content, status = 'in_progress') => [{ name: 'P', tasks: [{ content, status }] }]
    const result = (content, isError = false) => ({ type: 'message', message: { role: 'toolResult', toolName: 'todo_write', isError, details: { phases: phases(content) } } })
    const edit = (content) => ({ type: 'custom', customType: core.USER_TODO_EDIT_CUSTOM_TYPE, data: { phases: phases(content, 'pending') } })
    const latest = (...entries) => contents(core.getLatestTodoPhasesFromEntries(entries))
    assert.deepEqual(latest(result('a'), edit('b')), ['b in_progress'])
    assert.deepEqual(latest(edit('b'), result('a'), result('c', true), { type: 'custom', customType: 'other' }, null), ['a in_progress'])
    assert.deepEqual(latest(result('a'), { type: 'custom', customType: 'user_todo_edit', data: { phases: [{ odd: 1 }] } }), ['a in_progress'])
    assert.deepEqual(latest(), [])
  })

  it('has helpers for people', () => {
    const { phases, errors } = core.markdownToPhases('# P\n- [x] a\n- [ ] b\n  > n\n')
    assert.deepEqual([contents(phases), errors], [['a completed', 'b in_progress'], []])
    assert.equal(core.phasesToMarkdown(phases), '# P\n- [x] a\n- [/] b\n  > n\n')
    const applied = core.applyOpsToPhases(phases, [{ op: 'done', task: 'zzz' }])
    assert.deepEqual(applied.phases, phases)
    assert.equal(applied.errors.length, 1)
    assert.deepEqual([1, 4, 9, 40].map((index) => core.formatPhaseDisplayName('P', index)), ['I. P', 'IV. P', 'IX. P', 'XL. P'])
  })
})

describe('yield', () => {
  const outputSchema = { type: 'object', required: ['ok'] }
  const wrong = { result: { data: {} } }

  it('gives a result that does not fit another chance, and no more than the setting says', async () => {
    const session = testSession({ outputSchema, settings: { 'yield.schemaRetries': 1 } })
    const tool = new YieldTool(session)
    await assert.rejects(tool.execute('1', wrong), ({ code, context }) => code === 'yield_schema_mismatch' && context.issues.length > 0)
    const { isError, details } = await tool.execute('2', wrong)
    assert.equal(isError, true)
    assert.equal(details.status, 'aborted')
    assert.deepEqual(details.refusedData, {})
  })

  it('is offered by name only', async () => {
    const names = (tools) => tools.map(({ name }) => name)
    assert.ok(!names(await core.createTools(testSession())).includes('yield'))
    assert.ok(names(await core.createTools(testSession(), ['yield', 'report_finding'])).includes('report_finding'))
  })
})

describe('goal', () => {
  it('is the host’s, which counts and may refuse', async () => {
    let goal = null
    const goalRuntime = {
      get: () => goal,
      set: (next) => void (goal = next),
      tokensUsed: () => 12,
      guard: (op) => (op === 'complete' ? 'the tests fail' : undefined),
    }
    const tool = new GoalTool(testSession({ goalRuntime, now: () => 5000 }))
    await tool.execute('1', { op: 'create', objective: 'ship' })
    assert.deepEqual([goal.objective, goal.createdAt], ['ship', 5000])
    const { content } = await tool.execute('2', { op: 'get' })
    assert.match(content[0].text, /Tokens used: 12/)
    await assert.rejects(tool.execute('3', { op: 'complete' }), { code: 'goal_op_forbidden', message: /the tests fail/ })
    assert.equal(goal.status, 'active')
    await tool.execute('4', { op: 'drop' })
    assert.equal(goal, null)
  })

  it('lives with the session object where the host only says that there are goals', async () => {
    const session = testSession({ goalRuntime: true })
    await new GoalTool(session).execute('1', { op: 'create', objective: 'a' })
    const { details } = await new GoalTool(session).execute('2', { op: 'pause' })
    assert.equal(details.goal.status, 'paused')
  })
})

describe('skill', () => {
  const sending = (members) => {
    const sent = []
    return { sent, session: testSession({ sendCustomMessage: async (...message) => void sent.push(message), ...members }) }
  }

  it('sends the instructions as a message of the same turn', async () => {
    const { sent, session } = sending({ skills: [{ name: 'a', content: '---\nx: 1\n---\nDo it.\n' }] })
    const { content, details } = await new SkillTool(session).execute('1', { name: 'a', args: 'now' })
    assert.deepEqual(details, { name: 'a', path: '', args: 'now', lineCount: 1 })
    assert.deepEqual(JSON.parse(content[0].text), { callee: 'a', path: '', args: 'now', lineCount: 1 })
    const [[message, options]] = sent
    assert.equal(message.content, 'Do it.\n\nArguments: now\n')
    assert.equal(message.attribution, 'user')
    assert.deepEqual(options, { deliverAs: 'steer' })
  })

  it('asks the host to look again for a name that is unknown', async () => {
    const members = { skills: [], discoverSkills: async () => void members.found() }
    const { sent, session } = sending(members)
    members.found = () => (session.skills = [{ name: 'late', content: 'x' }])
    await new SkillTool(session).execute('1', { name: 'late' })
    assert.equal(sent.length, 1)
    await assert.rejects(new SkillTool(session).execute('2', { name: 'never' }), { code: 'skill_unknown', message: /late/ })
  })

  it('hands over from a workflow that is over, and not from one that is not', async () => {
    const handed = []
    let phase = 'running'
    const { session } = sending({
      skills: [{ name: 'a', content: 'x' }],
      getActiveSkill: () => ({ name: 'w', phase }),
      handoffSkill: (from, to) => void handed.push([from, to]),
    })
    await assert.rejects(new SkillTool(session).execute('1', { name: 'a' }), { code: 'skill_not_finalized' })
    phase = 'completed'
    await new SkillTool(session).execute('2', { name: 'a' })
    assert.deepEqual(handed, [['w', 'a']])
  })

  it('needs a bridge and a skill to be offered', async () => {
    const offered = async (members) => (await core.createTools(testSession(members))).some(({ name }) => name === 'skill')
    const bridge = { sendCustomMessage: async () => {} }
    assert.deepEqual([await offered({}), await offered(bridge), await offered({ ...bridge, skills: [{ name: 'a' }] })], [false, false, true])
  })
})

describe('calc and report_finding', () => {
  it('give facts beside the text', async () => {
    const { content, details } = await new CalcTool(testSession()).execute('1', { calculations: [{ expression: '0.1+0.2', suffix: ' m' }] })
    assert.equal(content[0].text, '0.3 m')
    assert.deepEqual(details.results, [{ expression: '0.1+0.2', value: '0.3', exact: true }])
    const finding = { title: 't', body: 'b', priority: 'P0', confidence: 1, file_path: 'a', line_start: 1, line_end: 2 }
    const reported = await new ReportFindingTool(testSession()).execute('1', finding)
    assert.deepEqual(core.parseReportFindingDetails(reported.details), finding)
    assert.equal(core.toReviewFinding(finding).priority, 0)
    assert.equal(core.parseReportFindingDetails({ ...finding, priority: 'P7' }), undefined)
  })

  it('stop before they begin when the call is aborted', async () => {
    const signal = AbortSignal.abort()
    for (const tool of [new CalcTool(testSession()), new GoalTool(testSession()), new TodoWriteTool(testSession())]) {
      await assert.rejects(tool.execute('1', {}, signal), { name: 'AbortError' })
    }
  })
})
