// The public JSON Schema Test Suite, draft 2020-12, against validateJsonSchemaValue: every required case, and of the optional
// ones those on numbers and on patterns as ECMAScript reads them. What is judged otherwise is named with its reason.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

import { validateJsonSchemaValue } from '../../src/js/index.js'

const directory = fileURLToPath(new URL('../fixtures/json-schema-test-suite/', import.meta.url))

/**
 * Schemas are documents of their own: nothing is fetched and no dialect is looked up, so what refers to the suite's
 * server refuses every value and says so.
 */
const elsewhere = [
  'dynamicRef.json: $ref and $dynamicAnchor are independent of order - $defs first: correct extended schema',
  'dynamicRef.json: $ref and $dynamicAnchor are independent of order - $ref first: correct extended schema',
  'dynamicRef.json: $ref to $dynamicRef finds detached $dynamicAnchor: number is valid',
  'dynamicRef.json: strict-tree schema, guards against misspelled properties: instance with correct field',
  'dynamicRef.json: tests for implementation dynamic anchor and reference link: correct extended schema',
  'refRemote.json: $ref to $ref finds detached $anchor: number is valid',
  'refRemote.json: Location-independent identifier in remote ref: integer is valid',
  'refRemote.json: anchor within remote ref: remote anchor valid',
  'refRemote.json: base URI change - change folder in subschema: number is valid',
  'refRemote.json: base URI change - change folder: number is valid',
  'refRemote.json: base URI change: base URI change ref valid',
  'refRemote.json: fragment within remote ref: remote fragment valid',
  'refRemote.json: ref within remote ref: ref within ref valid',
  'refRemote.json: remote HTTP ref with different $id: string is valid',
  'refRemote.json: remote HTTP ref with different URN $id: string is valid',
  'refRemote.json: remote HTTP ref with nested absolute ref: string is valid',
  'refRemote.json: remote ref with ref to defs: valid',
  'refRemote.json: remote ref: remote ref valid',
  'refRemote.json: retrieved nested refs resolve relative to their URI not $id: string is valid',
  'refRemote.json: root ref in remote ref: null is valid',
  'refRemote.json: root ref in remote ref: string is valid',
  'vocabulary.json: schema that uses custom metaschema with with no validation vocabulary: no validation: invalid number, but it still validates',
]

/**
 * @param {string} below a folder of the suite
 * @param {number} passing
 * @param {string[]} failing
 */
function check(below, passing, failing) {
  let passed = 0
  const failed = []
  for (const file of readdirSync(directory + below).filter((name) => name.endsWith('.json'))) {
    for (const { description, schema, tests } of JSON.parse(readFileSync(`${directory}${below}${file}`, 'utf8'))) {
      for (const { description: name, data, valid } of tests) {
        if (validateJsonSchemaValue(schema, data).success === valid) passed++
        else failed.push(`${file}: ${description}: ${name}`)
      }
    }
  }
  assert.deepEqual(failed.sort(), failing)
  assert.equal(passed, passing)
}

test('the required cases', () => check('', 1235, elsewhere))

test('the optional cases on numbers and patterns', () => check('optional/', 132, []))
