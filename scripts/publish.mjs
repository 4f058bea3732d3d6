/**
 * `node scripts/publish.mjs` publishes the packages to npm, each after those that it needs. It runs in CI
 * (docs/releasing.md). A version that the registry has is left alone, so that a run can be repeated.
 * `--dry-run` packs everything and publishes nothing.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from './prepare.mjs'
import { publishedFolders, readManifest } from './release/published-packages.mjs'

/** Orders manifests so that each comes after those that it depends on. */
export function inPublishingOrder(manifests) {
  const byName = new Map(manifests.map((manifest) => [manifest.name, manifest]))
  const ordered = new Set()
  const visit = (manifest, path) => {
    if (path.includes(manifest)) {
      throw new Error(`${path.map(({ name }) => name).join(' -> ')} -> ${manifest.name} is a circle`)
    }
    for (const name of Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })) {
      const needed = byName.get(name)
      if (needed) visit(needed, [...path, manifest])
    }
    ordered.add(manifest)
  }
  for (const manifest of manifests) visit(manifest, [])
  return [...ordered]
}

function publish(isDryRun) {
  const folders = new Map(
    publishedFolders().map((folder) => [
      readManifest(`packages/${folder}`).name,
      join(ROOT, 'packages', folder),
    ]),
  )
  const manifests = publishedFolders().map((folder) => readManifest(`packages/${folder}`))
  for (const { name, version } of inPublishingOrder(manifests)) {
    const cwd = folders.get(name)
    if (isDryRun) npm(['pack', '--dry-run', '--ignore-scripts'], cwd)
    else if (isPublished(name, version)) console.log(`${name} ${version} is published`)
    else npm(['publish'], cwd)
  }
}

const isPublished = (name, version) =>
  spawnSync('npm', ['view', `${name}@${version}`, 'version'], { encoding: 'utf8' }).stdout?.trim() === version

function npm(args, cwd) {
  const { status } = spawnSync('npm', args, { cwd, stdio: 'inherit', shell: process.platform === 'win32' })
  if (status !== 0) process.exit(status ?? 1)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) publish(process.argv.includes('--dry-run'))
