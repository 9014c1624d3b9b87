// What the documents name is there.

import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { root } from '../../scripts/setup.mjs'

const documents = ['README.md', 'CHANGELOG.md', 'npm/README.md', ...readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)]
const read = (path) => readFileSync(join(root, path), 'utf8')

for (const path of documents) {
  test(`${path} leads nowhere that does not exist`, () => {
    const text = read(path)
    // Code may look like a link.
    const prose = text.replaceAll(/```[\s\S]*?```|`[^`]*`/g, '')
    for (const [, target] of prose.matchAll(/\]\(([^)\s]+)\)/g)) {
      const [file, anchor] = target.split('#')
      if (/^\w+:/.test(target)) continue
      assert.ok(file === '' || existsSync(join(root, dirname(path), file)), target)
      if (anchor !== undefined && (file === '' || file.endsWith('.md'))) {
        const there = file === '' ? text : read(join(dirname(path), file))
        const anchors = [...there.matchAll(/^#+ (.*)$/gm)].map(([, title]) => title.toLowerCase().replaceAll(/[^\w\- ]/g, '').replaceAll(' ', '-'))
        assert.ok(anchors.includes(anchor), target)
      }
    }
    for (const [, named] of text.matchAll(/`((?:src|scripts|docs|examples|__test__)\/[\w./-]+)`/g)) assert.ok(existsSync(join(root, named)), named)
  })
}

test('the changelog has the version of package.json, and a place for what comes', () => {
  const { version } = JSON.parse(read('package.json'))
  const titles = [...read('CHANGELOG.md').matchAll(/^## (\S+)/gm)].map(([, title]) => title)
  assert.deepEqual(titles.slice(0, 2), ['Unreleased', version])
})
