// Many modules at once: all that can be loaded are, all others say why, and it takes no longer than a bare loop. How long
// exactly is what __test__/bench/custom-tools.mjs says.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { compare } from './custom-many.mjs'
import { tree } from './custom-tree.mjs'

for (const extension of ['mjs', 'ts']) {
  it(`180 of 200 ${extension} modules load, 20 are named with their reason`, async (t) => {
    const place = tree(t)
    const ratios = []
    for (let round = 0; round < 3; round++) {
      const { bare, ours } = await compare(place, extension, round)
      assert.equal(bare.result, 180)
      const { tools, errors } = ours.result
      assert.equal(tools.length, 180)
      assert.equal(errors.length, 20)
      for (const { path, error } of errors) {
        assert.match(path, new RegExp(`m\\d\\d3\\.${extension}$`))
        assert.ok(error.length > 3, path)
      }
      ratios.push(ours.milliseconds / bare.milliseconds)
    }
    // The best round: other work on the machine is nobody's fault.
    assert.ok(Math.min(...ratios) < 2, `${ratios}`)
  })
}
