// The platform packages, the versions, and the workflows that build and publish them.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { load } from 'js-yaml'
import { platforms, readManifest, toJson } from '../../scripts/platforms.mjs'
import { root } from '../../scripts/setup.mjs'

const manifest = readManifest()
const read = (...path) => readFileSync(join(root, ...path), 'utf8')
const workflows = readdirSync(join(root, '.github/workflows')).map((name) => ({ name, source: read('.github/workflows', name) }))

test('there is one folder for each target of package.json', () => {
  const folders = readdirSync(join(root, 'npm'), { withFileTypes: true }).filter((entry) => entry.isDirectory())
  assert.deepEqual(folders.map(({ name }) => name).sort(), platforms().map(({ folder }) => folder).sort())
  assert.equal(folders.length, manifest.napi.targets.length)
})

for (const platform of platforms()) {
  test(`npm/${platform.folder} follows package.json`, () => {
    assert.equal(read('npm', platform.folder, 'package.json'), toJson(platform.manifest), 'run `node scripts/platforms.mjs`')
    assert.equal(read('npm', platform.folder, 'README.md'), platform.readme, 'run `node scripts/platforms.mjs`')
    assert.equal(platform.manifest.version, manifest.version)
  })
}

test('the loader looks for these packages', () => {
  const loader = read('src/js/binding.cjs')
  for (const { manifest: { name }, addon } of platforms()) {
    assert.ok(loader.includes(`require('${name}')`), name)
    assert.ok(loader.includes(`require('./${addon}')`), addon)
  }
})

test('package.json has no optional dependencies: before the first publication npm ci could not find them', () => {
  assert.equal(manifest.optionalDependencies, undefined)
})

test('the only dependencies are what tool modules of people need, and none is loaded before', () => {
  assert.deepEqual(Object.keys(manifest.dependencies), ['@sinclair/typebox', 'jiti', 'zod'])
})

test('crate, lock files and loader have the version of package.json', () => {
  const versions = (text) => [...text.matchAll(/^name = "gajae-tool-core(?:-addon)?"\nversion = "(.*)"$/gm)].map(([, version]) => version)
  const inManifests = ['Cargo.toml', 'addon/Cargo.toml'].flatMap((path) => versions(read(path)))
  assert.deepEqual([...inManifests, ...versions(read('Cargo.lock'))], Array(4).fill(manifest.version))
  const lock = JSON.parse(read('package-lock.json'))
  assert.deepEqual([lock.version, lock.packages[''].version], [manifest.version, manifest.version])
  assert.ok(read('src/js/binding.cjs').includes(`bindingPackageVersion !== '${manifest.version}'`), 'run `npm run build`')
})

test('workflows are YAML, with actions of a major version', () => {
  assert.deepEqual(workflows.map(({ name }) => name), ['ci.yml', 'release.yml'])
  for (const { name, source } of workflows) {
    const { jobs } = load(source)
    const steps = Object.values(jobs).flatMap((job) => job.steps ?? [])
    for (const { uses } of steps) if (uses) assert.match(uses, /^[\w-]+\/[\w.-]+(?:\/[\w.-]+)*@v\d+$/, `${name}: ${uses}`)
  }
})

test('CI builds every target, and tests every artifact on a host of its platform', () => {
  const { jobs } = load(read('.github/workflows/ci.yml'))
  const built = jobs.build.strategy.matrix.include
  assert.deepEqual(built.map(({ target }) => target).sort(), [...manifest.napi.targets].sort())
  for (const { folder, target } of platforms()) assert.equal(built.find((entry) => entry.target === target).platform, folder)
  const tested = [...jobs.test.strategy.matrix.host, ...jobs['test-musl'].strategy.matrix.host].map(({ platform }) => platform)
  assert.deepEqual(tested.sort(), platforms().map(({ folder }) => folder).sort())
  for (const job of [jobs.test, jobs['test-musl']]) assert.deepEqual(job.strategy.matrix.node, [20, 22, 24])
})

test('the release publishes by trust in the workflow, without a token', () => {
  const { jobs, on } = load(read('.github/workflows/release.yml'))
  assert.deepEqual(on.push.paths, ['package.json'])
  assert.equal(jobs.publish.permissions['id-token'], 'write')
  assert.doesNotMatch(read('.github/workflows/release.yml'), /NPM_TOKEN|NODE_AUTH_TOKEN/)
  assert.equal(manifest.publishConfig.provenance, true)
})
