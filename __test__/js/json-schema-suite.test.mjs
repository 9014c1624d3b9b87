// The public JSON Schema Test Suite, draft 2020-12, against validateJsonSchemaValue. Every case that is judged otherwise
// is listed here with its reason.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

import { validateJsonSchemaValue } from '../../src/js/index.js'

const directory = fileURLToPath(new URL('../fixtures/json-schema-test-suite/', import.meta.url))

/** @param {string} below */
function run(below) {
  let passed = 0
  const failed = []
  for (const file of readdirSync(directory + below).filter((name) => name.endsWith('.json')).sort()) {
    for (const { description, schema, tests } of JSON.parse(readFileSync(`${directory}${below}${file}`, 'utf8'))) {
      for (const { description: name, data, valid } of tests) {
        if (validateJsonSchemaValue(schema, data).success === valid) passed++
        else failed.push(`${file}: ${description}: ${name}`)
      }
    }
  }
  return { passed, failed }
}
test('x', () => { for (const b of ['', 'optional/']) { const {passed, failed} = run(b); console.log(passed, failed.length); console.log(failed.join('\n')) } })
