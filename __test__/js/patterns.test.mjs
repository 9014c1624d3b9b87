// Patterns of schemas mean what they mean in JavaScript, or are refused by name.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { validateJsonSchemaValue } from '../../src/js/index.js'

const texts = [
  '', 'a', 'A', 'ab', 'aab', 'abab', 'b', 'foo', 'foobar', 'barfoo', 'a-b', 'a/b', 'a.b', 'x1', '12', '\u0663', 'é', 'ß', 'Ω', '你好', '😀', '😀😀', ' ', '\t', '\n', 'a\n',
  '\u00a0', '\ufeff', '\u2028', '\u0085', '\u0001', '\u001a', '\0', '{', '}', '{a}', ']', '[', '^', '$', '-', '&&', '~~', '||', '_', '#', 'a b', '2024-01-02', 'src/a.rs', 'I', 'i', '\u0130', '\u212a', 'k',
]

const same = [
  '^\\d+$', '^\\D$', '\\w', '^\\W$', '\\s', '^\\S+$', '^.$', '^a$', 'a$', '^$', '[^]', '[]', '^[^]$', 'a[]b|b', '[\\w-]', '[\\]]', '[[]', '[&&]', '[~~]', '[a-z--b]',
  '\\/', '^a\\/b$', '\\cA', '\\cz', '\\u0041', '\\u{1F600}', '\\ud83d\\ude00', '^\\ud83d\\ude00$', '\\x41', '\\0', '\\t|\\n', '\\v', '[\\b]', '\\bfoo', 'foo\\b', '\\Boo', '^\\bé', '\\b',
  '(?<year>\\d{4})-\\d\\d', '^(?<a>a)\\k<a>', '(a)\\1', '^(a)?\\1b$', '^(?:(a)|b)\\1$', '(?<=a)b', '(?<!a)b', '^(?!foo)', '^(?=.*\\d)\\w+$', 'foo(?=bar)', '(?:ab){2}', 'a{1,2}?b',
  '\\p{L}', '^\\p{Lu}$', '\\p{Script=Greek}', '\\p{sc=Han}', '\\P{L}', '[\\p{L}\\d]', '[^\\p{L}]', '\\p{Letter}', '\\p{General_Category=Decimal_Number}', '\\p{Alphabetic}', '\\p{ASCII}', '\\p{Any}', '\\p{Emoji}', '\\p{White_Space}',
  '^(?:a|b|foo)$', 'a|', '^😀$', '^.{2}$', '[😀]', '\\$', '\\^', '\\.', '\\{a\\}', '#', 'a b', '^[a-zA-Z0-9_.-]+$', '^[^/\\s]+/[^/\\s]+$', '[^\\D]', '[\\s\\S]', '^[\\W_]$', 'k', '[^\\n]',
]

/** @param {string} pattern @param {string} text */
const matches = (pattern, text) => validateJsonSchemaValue({ pattern }, text).success

test('patterns match what they match in JavaScript', () => {
  for (const pattern of same) {
    const regex = new RegExp(pattern, 'u')
    for (const text of texts) assert.equal(matches(pattern, text), regex.test(text), `/${pattern}/u on ${JSON.stringify(text)}`)
  }
})

test('what browsers forgive without the flag is forgiven', () => {
  for (const pattern of ['\\-', '\\_', 'a{', '^{a}$', '}', ']', 'a{,2}', '\\@', '\\ ', '[\\w-a]', '^[\\d-x]$', '[\\-]', '\\#']) {
    const regex = new RegExp(pattern)
    for (const text of texts) assert.equal(matches(pattern, text), regex.test(text), `/${pattern}/ on ${JSON.stringify(text)}`)
  }
})

test('keys match alike', () => {
  for (const pattern of ['^\\d+$', '\\/', '(?<y>\\d{4})', '[]', '[^]', '^a$', '\\cA', '\\u{1F600}', '^(?!x)\\w+$', '^x-']) {
    const regex = new RegExp(pattern, 'u')
    for (const key of [...texts, 'x-a']) {
      const { success } = validateJsonSchemaValue({ patternProperties: { [pattern]: false } }, { [key]: 1 })
      assert.equal(success, !regex.test(key), `/${pattern}/u on the key ${JSON.stringify(key)}`)
    }
  }
})

test('what cannot be used is refused by name, for texts only', () => {
  const refused = ['(', 'a)', '[a', 'a**', 'a++', '*a', '\\', '\\a', '\\Z', '(?i)a', '(?>a)', '(?P<n>a)', '(?#x)', '\\k<none>(?<a>a)', '(a)\\2', '\\ud800', '\\u{110000}', '\\p{Nonsense}', '\\pL', '[b-a]', '\\x4', 'x'.repeat(5000)]
  for (const pattern of refused) {
    const { success, issues } = validateJsonSchemaValue({ pattern }, 'a')
    if (success) assert.fail(`/${pattern}/ was taken`)
    assert.match(issues[0].message, /pattern/, pattern)
    assert.ok(issues[0].message.length < 400)
    assert.equal(validateJsonSchemaValue({ pattern }, 3).success, true, pattern)
  }
})
