// Anchors stand before lines exactly where `edit` takes them, whichever way its mode was chosen.

import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'

import { AstEditTool, AstGrepTool, EditTool, formatHashLines, ReadTool, resolveEditMode, resolveFileDisplayMode, SearchTool, WriteTool } from '../../src/js/index.js'
import { testSession } from './session.mjs'

const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'anchors-')))
after(() => rmSync(cwd, { recursive: true }))

/** @param {Record<string, string>} variables @param {() => any} run */
async function withVariables(variables, run) {
  Object.assign(process.env, variables)
  try {
    return await run()
  } finally {
    for (const name of Object.keys(variables)) delete process.env[name]
  }
}

/** What each tool shows, as whether it has anchors in it. */
async function shown(session) {
  writeFileSync(join(cwd, 'a.js'), 'one()\ntwo()\n')
  const text = async (Tool, params) => (await new Tool(session).execute('1', params)).content[0].text
  const anchored = await text(ReadTool, { path: 'a.js' })
  const found = {
    read: /^1[a-z]{2}\|one/m.test(anchored),
    search: /^\*1[a-z]{2}\|one/m.test(await text(SearchTool, { pattern: 'one' })),
    ast_grep: /1[a-z]{2}\|one/.test(await text(AstGrepTool, { pat: 'one()', paths: ['a.js'] })),
    ast_edit: /1[a-z]{2}\|/.test(await text(AstEditTool, { ops: [{ pat: 'one()', out: 'uno()' }], paths: ['a.js'] })),
    display: resolveFileDisplayMode(session).hashLines,
  }
  // What a model copies out of what it was shown.
  await new WriteTool(session).execute('1', { path: 'a.js', content: `${formatHashLines('one()\ntwo()')}\n` })
  return { ...found, write: readFileSync(join(cwd, 'a.js'), 'utf8') === 'one()\ntwo()\n' }
}

describe('anchors', () => {
  it('follow the setting, the model and the environment, in every tool', async () => {
    const variants = { 'edit.modelVariants': { gpt: 'apply_patch', sonnet: 'hashline' } }
    const cases = [
      { hashline: true },
      { settings: { 'edit.mode': 'replace' }, hashline: false },
      { settings: { 'edit.mode': 'atom' }, hashline: true },
      { settings: variants, model: { provider: 'openai', id: 'gpt-9' }, hashline: false },
      { settings: variants, getActiveModelString: () => 'openai/gpt-9', hashline: false },
      { settings: { ...variants, 'edit.mode': 'vim' }, model: { provider: 'anthropic', id: 'sonnet-9' }, hashline: true },
      { variables: { PI_EDIT_VARIANT: 'patch' }, hashline: false },
      { variables: { GJC_EDIT_VARIANT: 'hashline', PI_EDIT_VARIANT: 'patch' }, settings: { 'edit.mode': 'vim' }, hashline: true },
      { variables: { PI_EDIT_VARIANT: 'hashline' }, settings: variants, model: { id: 'gpt-9' }, hashline: true },
    ]
    for (const { hashline, variables = {}, ...members } of cases) {
      await withVariables(variables, async () => {
        const session = testSession({ cwd, ...members })
        const tool = new EditTool(session)
        assert.equal(resolveEditMode(session) === 'hashline', hashline)
        assert.equal(tool.description.includes('≔'), hashline)
        const has = await shown(session)
        assert.deepEqual(has, Object.fromEntries(Object.keys(has).map((name) => [name, hashline])), JSON.stringify({ variables, members }))
      })
    }
  })

  it('keep to the environment of when `edit` was made; a later one counts after the model', async () => {
    const made = testSession({ cwd, settings: { 'edit.mode': 'replace' } })
    await withVariables({ PI_EDIT_VARIANT: 'hashline' }, () => new EditTool(made))
    assert.equal((await shown(made)).read, true)
    await withVariables({ PI_EDIT_VARIANT: 'replace' }, async () => assert.equal((await shown(made)).read, true))

    const variants = { 'edit.modelVariants': { gpt: 'replace' } }
    const [plain, byModel] = [testSession({ cwd }), testSession({ cwd, settings: variants, model: { id: 'gpt-9' } })]
    const tool = new EditTool(plain)
    new EditTool(byModel)
    await withVariables({ PI_EDIT_VARIANT: 'patch' }, async () => {
      assert.equal((await shown(plain)).read, false)
      assert.equal(tool.description.includes('≔'), false)
    })
    await withVariables({ PI_EDIT_VARIANT: 'hashline' }, async () => assert.equal((await shown(byModel)).read, false))
    await withVariables({ PI_EDIT_VARIANT: 'shiny' }, async () => assert.equal((await shown(plain)).read, true))
  })

  it('are left out where a variable names no mode, which `edit` tells', async () => {
    await withVariables({ GJC_EDIT_VARIANT: 'shiny' }, async () => {
      const session = testSession({ cwd })
      assert.throws(() => new EditTool(session), { code: 'invalid_arguments', message: /GJC_EDIT_VARIANT/ })
      const { write, ...has } = await shown(session)
      assert.deepEqual(has, { read: false, search: false, ast_grep: false, ast_edit: false, display: false })
      assert.equal(write, false)
    })
  })
})
