// The packages of the platforms, derived from package.json. Writes npm/<platform>; with `--release` it prepares a checkout
// for publishing instead: every addon must be in its folder, and package.json gets the optional dependencies.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMain, root } from './setup.mjs'

const ARCHITECTURES = { x86_64: 'x64', aarch64: 'arm64' }
const SYSTEMS = { linux: 'linux', darwin: 'darwin', windows: 'win32' }
const LIBRARIES = { gnu: 'glibc', musl: 'musl' }
const NAMES = { linux: 'Linux', darwin: 'macOS', win32: 'Windows' }

/** Folder, manifest and README of each platform package, in the order of `napi.targets`. */
export function platforms(manifest = readManifest()) {
  return manifest.napi.targets.map((target) => platform(manifest, target))
}

/** The root's package.json. */
export function readManifest() {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
}

function platform(manifest, target) {
  const [architecture, , system, abi] = target.split('-')
  const os = SYSTEMS[system]
  const cpu = ARCHITECTURES[architecture]
  // Only Linux has more than one C library.
  const libc = os === 'linux' ? LIBRARIES[abi] : undefined
  const folder = [os, cpu, abi].filter(Boolean).join('-')
  const addon = `${manifest.napi.binaryName}.${folder}.node`
  const { version, license, engines, repository, homepage, bugs, publishConfig } = manifest
  return {
    folder,
    target,
    addon,
    manifest: {
      name: `${manifest.name}-${folder}`,
      version,
      description: `The native addon of ${manifest.name} for ${NAMES[os]} on ${cpu}${abi ? ` (${abi})` : ''}`,
      license,
      repository: { ...repository, directory: `npm/${folder}` },
      homepage,
      bugs,
      os: [os],
      cpu: [cpu],
      ...(libc && { libc: [libc] }),
      main: addon,
      files: [addon],
      engines,
      publishConfig,
    },
    readme:
      `# ${manifest.name}-${folder}\n\n` +
      `The native addon of [${manifest.name}](${homepage}) for \`${target}\`.\n` +
      `Install \`${manifest.name}\`: it brings this package where it fits the machine.\n`,
  }
}

/** The text of a JSON file as npm writes it. */
export function toJson(value) {
  return `${JSON.stringify(value, null, 2)}\n`
}

function write() {
  for (const { folder, manifest, readme } of platforms()) {
    mkdirSync(join(root, 'npm', folder), { recursive: true })
    writeFileSync(join(root, 'npm', folder, 'package.json'), toJson(manifest))
    writeFileSync(join(root, 'npm', folder, 'README.md'), readme)
  }
}

function prepareRelease() {
  const missing = platforms().filter(({ folder, addon }) => !existsSync(join(root, 'npm', folder, addon)))
  if (missing.length > 0) throw new Error(`no addon in ${missing.map(({ folder }) => `npm/${folder}`).join(', ')}`)
  const manifest = readManifest()
  const optionalDependencies = Object.fromEntries(platforms(manifest).map(({ manifest: { name, version } }) => [name, version]))
  writeFileSync(join(root, 'package.json'), toJson({ ...manifest, optionalDependencies }))
}

if (isMain(import.meta.url)) {
  if (process.argv.includes('--release')) prepareRelease()
  else write()
}
