// Every bug case of the fixtures passes, except those of the table. They run in processes of Node, so once is enough.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, it } from 'node:test'

import { fixtures, readCases } from '../../scripts/bugs/cases.mjs'
import { judge } from '../../scripts/bugs/expect.mjs'
import { fits, runCase } from '../../scripts/bugs/run.mjs'
import { canSeeSignals } from '../../scripts/bugs/signals.mjs'
import { root } from '../../scripts/setup.mjs'

/** What does not pass yet, and why. A case that starts to pass must leave the table. */
const notYet = {
  ...(canSeeSignals ? {} : { 'sh-11': 'nothing here can see signals (strace)' }),
}

const isNode = !process.versions.bun && !('Deno' in globalThis)

if (isNode) {
  describe('bug cases', () => {
    for (const one of readCases(fixtures).filter(({ platform }) => fits(platform))) {
      it(`${one.id}: ${one.title}`, async () => {
        const { faults, notRun } = await runCase(one)
        const passes = notRun === undefined && faults.length === 0
        if (!Object.hasOwn(notYet, one.id)) assert.ok(passes, notRun ?? JSON.stringify(faults, null, 1))
        else assert.ok(!passes, `passes now: it must leave the table (${notYet[one.id]})`)
      })
    }

    it('the table names cases', () => {
      const ids = new Set(readCases(fixtures).map(({ id }) => id))
      assert.deepEqual(Object.keys(notYet).filter((id) => !ids.has(id)), [])
    })
  })
}

describe('the runner', () => {
  const call = { text: 'one two', details: { files: ['a'], isCut: false }, ms: 5 }
  const faultsOf = async (expect) => (await judge(expect, { calls: [call], root, tree: {} })).length

  it('judges each word of an expectation', async () => {
    const passing = [{ ok: true }, { output_contains: ['two'] }, { output_contains_any: ['x', 'one'] }, { paths_include: ['a'] }, { count: 1 }, { max_ms: 5 }]
    const failing = [{ ok: false }, { output_contains: ['three'] }, { output_not_contains: ['two'] }, { paths_exclude: ['a'] }, { count: 2 }, { max_ms: 4 }]
    for (const expect of passing) assert.equal(await faultsOf(expect), 0, JSON.stringify(expect))
    for (const expect of failing) assert.notEqual(await faultsOf(expect), 0, JSON.stringify(expect))
    // The name of a field is not something that was said.
    assert.equal(await faultsOf({ output_not_contains: ['isCut'] }), 0)
  })

  it('takes one alternative of several, and never what must not be', async () => {
    assert.equal(await faultsOf({ either: [{ ok: false }, { ok: true, count: 1 }] }), 0)
    assert.notEqual(await faultsOf({ either: [{ ok: false }, { ok: true, count: 2 }] }), 0)
    assert.notEqual(await faultsOf({ never: { ok: true } }), 0)
  })

  it('does not pass over a word that it does not know', async () => {
    await assert.rejects(faultsOf({ outptu_contains: [] }), /no rule for `outptu_contains`/)
  })

  it('picks cases by id, prefix and kind', () => {
    const ids = (only) => readCases(fixtures, only).map(({ id }) => id)
    assert.deepEqual(ids('ar-01'), ['ar-01'])
    assert.deepEqual(ids('na-*'), ids('native'))
    assert.deepEqual(ids('nothing'), [])
  })

  it('ends with 2 where there is nothing to run', () => {
    const { status, stderr } = spawnSync('node', [join(root, 'scripts/bugs.mjs'), '--only', 'nothing'], { encoding: 'utf8' })
    assert.equal(status, 2)
    assert.match(stderr, /called nothing/)
  })
})
