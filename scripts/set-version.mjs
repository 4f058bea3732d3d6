/**
 * `node scripts/set-version.mjs 1.2.0`: gives every package that version, with the pins between them,
 * and dates the section of the version in CHANGELOG.md. docs/releasing.md has the steps of a release.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from './prepare.mjs'

/** The source that names the SDK and its version to the server. */
export const SDK_FILE = 'packages/sdk/src/stream/acks.ts'

const VERSION = /^\d+\.\d+\.\d+(?:-[0-9a-z]+(?:\.[0-9a-z]+)*)?$/

/** Returns the folders of the workspaces: `packages/sdk`, `examples/shop`. Other examples have no version. */
export function findWorkspaces() {
  const packages = readdirSync(join(ROOT, 'packages')).map((name) => `packages/${name}`)
  return [...packages, 'examples/shop'].filter((folder) => existsSync(join(ROOT, folder, 'package.json')))
}

/** Returns the manifest with the version, in itself and in its dependencies on other packages of Burgee. */
export function withVersion(manifest, version) {
  const pinned = (dependencies) =>
    Object.fromEntries(
      Object.entries(dependencies).map(([name, pin]) => [name, name.startsWith('@burgee/') ? version : pin]),
    )
  const changed = { ...manifest, version }
  for (const field of ['dependencies', 'devDependencies', 'peerDependencies']) {
    if (manifest[field] !== undefined) changed[field] = pinned(manifest[field])
  }
  return changed
}

/**
 * Returns the changelog with the date at the section of the version, below an empty section "Unreleased". The
 * section has the name of the version already, or is "Unreleased".
 */
export function withRelease(changelog, version, date) {
  const heading = [`## ${version}\n`, '## Unreleased\n'].find((line) => changelog.includes(line))
  if (heading === undefined) throw new Error(`CHANGELOG.md has no section "## ${version}" or "## Unreleased"`)
  return changelog.replace(heading, `## Unreleased\n\n## ${version} (${date})\n`)
}

/** Returns a manifest of the Helm chart or of kustomize with the version of the image, and of the chart. */
export const withImageVersion = (manifest, version) =>
  manifest.replace(/^(\s*(?:version|appVersion|newTag): ).*$/gm, `$1${version}`)

/** Returns the source of the SDK's confirmations with the version that it sends to the server. */
export function withSdkVersion(source, version) {
  const line = /^(export const SDK = 'js\/)[^']*'$/m
  if (!line.test(source)) throw new Error(`${SDK_FILE} has no line "export const SDK = 'js/..."`)
  return source.replace(line, `$1${version}'`)
}

function setVersion(version) {
  if (!VERSION.test(version)) throw new Error(`"${version}" is not a version such as 1.2.0 or 1.2.0-rc.1`)
  for (const folder of ['', ...findWorkspaces()]) {
    edit(join(folder, 'package.json'), (text) => toJson(withVersion(JSON.parse(text), version)))
  }
  edit('package-lock.json', (text) => toJson(lockedVersion(JSON.parse(text), version)))
  for (const file of ['deploy/helm/burgee/Chart.yaml', 'deploy/kubernetes/kustomization.yaml'])
    edit(file, (text) => withImageVersion(text, version))
  edit(SDK_FILE, (text) => withSdkVersion(text, version))
  edit('CHANGELOG.md', (text) => withRelease(text, version, new Date().toISOString().slice(0, 10)))
}

function lockedVersion(lockfile, version) {
  const packages = { ...lockfile.packages }
  for (const folder of ['', ...findWorkspaces()]) packages[folder] = withVersion(packages[folder], version)
  return { ...lockfile, version, packages }
}

function edit(file, change) {
  const path = join(ROOT, file)
  writeFileSync(path, change(readFileSync(path, 'utf8')))
}

const toJson = (value) => `${JSON.stringify(value, null, 2)}\n`

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) setVersion(process.argv[2] ?? '')
