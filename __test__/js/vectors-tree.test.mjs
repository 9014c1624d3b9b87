// The trees the vector runner builds and looks at afterwards.

import assert from 'node:assert/strict'
import { existsSync, lstatSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { buildTree, fileFaults, strayFaults, withDirectory } from '../../scripts/vectors/tree.mjs'

const onPosix = process.platform !== 'win32'

const age = (stat) => Math.round(Date.now() / 1000 - stat.mtimeMs / 1000)

test('every kind of node, with its age', async () => {
  await withDirectory((root) => {
    buildTree(root, {
      'a.txt': 'plain\n',
      'deep/down/b.bin': { base64: 'AP8=' },
      'deep/young.txt': { content: 'x', mtime_ago_s: 10 },
      'many.txt': { repeat: { text: 'line {i} of {i}\n', count: 3 } },
      empty: { dir: true },
      'tool.sh': { content: '#!/bin/sh\n', mode: '755' },
      ...(onPosix ? { link: { symlink: 'a.txt' }, dangling: { symlink: 'nowhere' }, pipe: { fifo: true } } : {}),
    })
    assert.equal(readFileSync(join(root, 'a.txt'), 'utf8'), 'plain\n')
    assert.deepEqual([...readFileSync(join(root, 'deep/down/b.bin'))], [0, 255])
    assert.equal(readFileSync(join(root, 'many.txt'), 'utf8'), 'line 1 of 1\nline 2 of 2\nline 3 of 3\n')
    for (const path of ['', 'a.txt', 'deep', 'deep/down', 'deep/down/b.bin', 'empty']) {
      const seconds = age(statSync(join(root, path)))
      assert.ok(Math.abs(seconds - 7200) < 60, `${path}: ${seconds}`)
    }
    assert.ok(age(statSync(join(root, 'deep/young.txt'))) < 60)
    assert.ok(statSync(join(root, 'empty')).isDirectory())
    if (!onPosix) return
    assert.equal(statSync(join(root, 'tool.sh')).mode & 0o777, 0o755)
    assert.equal(readlinkSync(join(root, 'dangling')), 'nowhere')
    assert.ok(Math.abs(age(lstatSync(join(root, 'link'))) - 7200) < 60)
    assert.ok(lstatSync(join(root, 'pipe')).isFIFO())
  })
})

test('the directory is gone afterwards, also after a failure', async () => {
  let seen = ''
  await assert.rejects(
    withDirectory((root) => {
      seen = root
      throw new Error('on purpose')
    }),
    /on purpose/,
  )
  assert.ok(seen !== '' && !existsSync(seen))
})

test('files are compared byte by byte, absence included', async () => {
  await withDirectory((root) => {
    buildTree(root, { 'a.txt': '\ufeffone\r\n', b: { base64: '/w==' } })
    assert.deepEqual(fileFaults(root, { 'a.txt': '\ufeffone\r\n', b: { base64: '/w==' }, 'no/such': null }), [])
    const faults = fileFaults(root, { 'a.txt': 'one\r\n', b: null, c: '' })
    assert.deepEqual(faults.map(({ where }) => where), ['files: a.txt', 'files: b', 'files: c'])
    assert.deepEqual(strayFaults(root, new Set(['a.txt'])).map(({ where }) => where), ['files: b'])
  })
})
