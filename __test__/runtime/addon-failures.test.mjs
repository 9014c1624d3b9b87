// No addon, the wrong addon, no such platform: one error that says what was tried and what to do.

import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { copyPackage, runSource, temporaryDirectory } from './process.mjs'

/** Loads a broken copy in a process of its own, by both doors, and gives back the error each of them met. */
async function errorsOf(directory, before = '') {
  const caught = (load) => `${before}
    ;(async () => {
      try { ${load}; console.log('null') } catch ({ message, code, expected, actual }) { console.log(JSON.stringify({ message, code, expected, actual })) }
    })()`
  const doors = [
    ['import.mjs', caught("await import('./src/js/index.js')")],
    ['require.cjs', caught("require('./index.cjs')")],
  ]
  return Promise.all(
    doors.map(async ([name, source]) => {
      const { code, stdout, stderr } = await runSource(directory, source, name)
      assert.equal(code, 0, stderr)
      return JSON.parse(stdout)
    }),
  )
}

test('a missing addon names every file and package that was tried', async (t) => {
  const directory = copyPackage(temporaryDirectory(t), { withAddon: false })
  for (const error of await errorsOf(directory)) {
    assert.equal(error?.code, 'addon_unavailable')
    assert.match(error.message, new RegExp(`no native addon for this machine \\(${process.platform}-${process.arch}\\)`))
    assert.match(error.message, new RegExp(`\\./binding\\.${process.platform}-${process.arch}[a-z-]*\\.node`))
    assert.match(error.message, new RegExp(`gajae-tool-core-${process.platform}-${process.arch}`))
    assert.match(error.message, /npm run build/)
  }
})

test('an addon that cannot be loaded says why', async (t) => {
  const directory = copyPackage(temporaryDirectory(t), { withAddon: false })
  const loader = readFileSync(join(directory, 'src/js/binding.cjs'), 'utf8')
  const local = [...loader.matchAll(/require\('\.\/(binding\.[\w-]+\.node)'\)/g)].map(([, name]) => name)
  for (const name of local.filter((name) => name.includes(`${process.platform}-${process.arch}`))) {
    writeFileSync(join(directory, 'src/js', name), 'this is no library')
  }
  for (const error of await errorsOf(directory)) {
    assert.equal(error?.code, 'addon_unavailable')
    // The words are the system's; the file is named.
    assert.match(error.message, new RegExp(`binding\\.${process.platform}-${process.arch}[a-z-]*\\.node`))
  }
})

test('an addon of another version says both versions', async (t) => {
  const directory = copyPackage(temporaryDirectory(t))
  const path = join(directory, 'package.json')
  const manifest = JSON.parse(readFileSync(path, 'utf8'))
  writeFileSync(path, JSON.stringify({ ...manifest, version: '99.0.0' }))
  for (const error of await errorsOf(directory)) {
    assert.deepEqual({ ...error, message: '' }, { message: '', code: 'addon_version_mismatch', expected: '99.0.0', actual: manifest.version })
    assert.ok(error.message.includes('99.0.0') && error.message.includes(manifest.version), error.message)
  }
})

test('an unknown platform is named', async (t) => {
  const directory = copyPackage(temporaryDirectory(t))
  const pretend = "for (const [key, value] of [['platform', 'plan9'], ['arch', 'mips']]) Object.defineProperty(process, key, { value })"
  for (const error of await errorsOf(directory, pretend)) {
    assert.equal(error?.code, 'addon_unavailable')
    assert.match(error.message, /plan9-mips/)
    assert.match(error.message, /Unsupported OS: plan9/)
  }
})
