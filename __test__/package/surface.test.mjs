// The names that an agent imports from its tool core today, and those of the contract: none may be missing, so that its
// imports can be switched file by file. The second list of each area (`beside`) is told by `npm run drop-in`.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'

import { missingNames } from '../../scripts/drop-in/names.mjs'

const surface = JSON.parse(readFileSync(new URL('../fixtures/surface.json', import.meta.url), 'utf8'))

describe('the surface of a tool core', () => {
  for (const { area, imported } of surface.areas) {
    it(`has what agents import: ${area}`, async () => assert.deepEqual(await missingNames(imported), []))
  }

  it('has what the contract names', async () => assert.deepEqual(await missingNames(surface.contract), []))
})
