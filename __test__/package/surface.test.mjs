// The names that an agent imports from its tool core today, and those of the contract: none may be missing, so that its
// imports can be switched file by file. What its tool core exports beside them is here too, or docs/switching.md has another way.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'

import { missingNames, replaced } from '../../scripts/drop-in/names.mjs'

const surface = JSON.parse(readFileSync(new URL('../fixtures/surface.json', import.meta.url), 'utf8'))

describe('the surface of a tool core', () => {
  for (const { area, imported } of surface.areas) {
    it(`has what agents import: ${area}`, async () => assert.deepEqual(await missingNames(imported), []))
  }

  it('has what tool cores export beside that, or another way', async () => {
    const lists = surface.areas.map(({ beside }) => beside)
    const absent = (await Promise.all(lists.map(missingNames))).flat()
    assert.deepEqual(absent.toSorted(), [...replaced.keys()].toSorted(), 'docs/switching.md')
  })

  it('has what the contract names', async () => assert.deepEqual(await missingNames(surface.contract), []))
})
