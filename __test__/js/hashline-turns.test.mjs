// Anchors that were written before an earlier call moved their lines. Of many equal lines only the number tells which one
// is meant, so the number must be that of the right moment; where the moment is not known, nothing is edited.

import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'

import { computeLineHash, EditTool, executeToolCalls, ReadTool, WriteTool } from '../../src/js/index.js'
import { testSession } from './session.mjs'

const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'turns-')))
after(() => rmSync(cwd, { recursive: true }))

const text = () => readFileSync(join(cwd, 'a.rs'), 'utf8')
const brace = computeLineHash(1, '}')
const functionOf = (/** @type {string} */ name) => `fn ${name}() {\n    ${name};\n}\n`
const all = (/** @type {string} */ names) => [...names].map(functionOf).join('')
/** Inserts a function behind the first, so that all behind it move by its three lines. */
const insertion = `§a.rs\n»3${brace}\n${functionOf('n')}`
const behind = (/** @type {number} */ line) => `§a.rs\n»${line}${brace}\n// here\n`

/** A session that was shown the whole file, and its tool. @param {Record<string, any>} [members] */
async function opened(members) {
  writeFileSync(join(cwd, 'a.rs'), all('abcd'))
  const session = testSession({ cwd, ...members })
  const [read, edit] = [new ReadTool(session), new EditTool(session)]
  await read.execute('read', { path: 'a.rs' })
  const call = (input, batchId) => edit.execute('1', { input }, undefined, undefined, batchId && { toolCall: { batchId } })
  return { session, edit, read: () => read.execute('read', { path: 'a.rs' }), call }
}

/** What each refusal has to be. @param {Promise<any>} call */
async function refused(call) {
  const before = text()
  const error = await assert.rejects(call, { code: 'stale_anchor' })
  assert.equal(text(), before)
  return error
}

const afterB = all('an') + `${functionOf('b')}// here\n` + all('cd')
const kinds = (/** @type {any} */ { details }) => details.warnings?.map(({ kind }) => kind)

describe('anchors of a turn', () => {
  it('mean the file as it was before the turn', async () => {
    const { edit } = await opened()
    const toolCall = (/** @type {string} */ id, /** @type {string} */ input) => ({ type: 'toolCall', id, name: 'edit', arguments: { input } })
    const content = [toolCall('a', insertion), toolCall('b', behind(6)), toolCall('c', behind(9).replace('here', 'there'))]
    const { toolResults } = await executeToolCalls({ tools: [edit], assistantMessage: { role: 'assistant', content } })
    assert.deepEqual(toolResults.map(({ isError }) => isError), [false, false, false])
    assert.equal(text(), afterB.replace(functionOf('c'), `${functionOf('c')}// there\n`))
    assert.deepEqual(toolResults.map(kinds), [undefined, ['recovered_stale'], ['recovered_stale']])
  })

  it('are known to be of one turn by the host, or because no result was there yet', async () => {
    const first = await opened()
    await first.call(insertion, 'one')
    await first.call(behind(6), 'one')
    assert.equal(text(), afterB)
    const second = await opened()
    await Promise.all([second.call(insertion), second.call(behind(6))])
    assert.equal(text(), afterB)
  })

  it('are refused where the line is gone that they named', async () => {
    const { call } = await opened()
    await call(`§a.rs\n≔4${computeLineHash(1, 'fn b() {')}..6${brace}\n`, 'one')
    assert.equal(text(), all('acd'))
    await refused(call(behind(6), 'one'))
    await refused(call(`§a.rs\n≔3${brace}..6${brace}\n`, 'one'))
    await call(behind(9), 'one')
    assert.equal(text(), `${all('ac')}// here\n${functionOf('d')}`)
  })
})

describe('anchors of a later turn', () => {
  it('mean the lines that the last result shows', async () => {
    const { call } = await opened()
    const { content } = await call(insertion, 'one')
    assert.match(content[0].text, new RegExp(`^\\+6${brace}\\|}$`, 'm'))
    await call(behind(6), 'two')
    assert.equal(text(), `${all('an')}// here\n${all('bcd')}`)
  })

  it('are refused where they may be of before or of now, and taken once the file was read again', async () => {
    const { call, read } = await opened()
    await call(insertion, 'one')
    // Line 12 is shown nowhere with this number: the end of c now, of d before.
    await refused(call(behind(12), 'two'))
    await read()
    await call(behind(12), 'three')
    assert.equal(text(), `${all('anbc')}// here\n${functionOf('d')}`)
  })

  it('are refused where nobody tells the turn, and taken as the refusal shows them', async () => {
    const { call } = await opened()
    await call(insertion)
    await refused(call(behind(6)))
    await call(behind(6))
    assert.equal(text(), `${all('an')}// here\n${all('bcd')}`)
  })

  it('follow lines that only the old numbers fit, and take new numbers that nothing else has', async () => {
    const { call } = await opened()
    await call(insertion)
    const result = await call(`§a.rs\n»5${computeLineHash(1, '    b;')}\n    more;\n`)
    assert.deepEqual(kinds(result), ['recovered_stale'])
    assert.equal(text(), all('anbcd').replace('    b;\n', '    b;\n    more;\n'))
    await call(`§a.rs\n»15${computeLineHash(1, '    d;')}\n    most;\n`)
    assert.ok(text().includes('    d;\n    most;\n'))
  })

  it('know what the session wrote itself, and what a hook made of it', async () => {
    const one = await opened()
    await new WriteTool(one.session).execute('w', { path: 'a.rs', content: all('anbcd') })
    await refused(one.call(behind(6)))
    const afterWrite = () => writeFileSync(join(cwd, 'a.rs'), `${functionOf('z')}${text()}`)
    const other = await opened({ afterWrite })
    // Unique lines first, then the braces: all moved by three once more.
    await other.call(`§a.rs\n≔2${computeLineHash(1, '    a;')}\n    A;\n`, 'one')
    await other.call(behind(6), 'one')
    assert.equal(text(), `${functionOf('z')}${functionOf('z')}${functionOf('a').replace(' a;', ' A;')}${functionOf('b')}// here\n${all('cd')}`)
  })
})
