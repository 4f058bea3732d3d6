/**
 * `npm run release:check` checks a release beyond its tests: manifests that agree, no download addresses in
 * the lockfile, allowed licenses, an up-to-date THIRD-PARTY-NOTICES.md (`-- --write` renews it), and the
 * exact contents and the entry points of the published packages. It writes the SBOM to dist/sbom.cdx.json.
 * `--quick` leaves out the SBOM, for `npm run check`.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBuilt, ensureInstalled, ROOT } from './prepare.mjs'
import { checkEntryPoints } from './release/check-entry-points.mjs'
import { checkLicenses } from './release/check-licenses.mjs'
import { checkManifests } from './release/check-manifests.mjs'
import { checkPackedFiles } from './release/check-packed-files.mjs'
import { renderNotices } from './release/notices.mjs'
import { findShippedPackages, readLockfile } from './release/shipped-packages.mjs'
import { writeSbom } from './release/write-sbom.mjs'

const NOTICES = join(ROOT, 'THIRD-PARTY-NOTICES.md')
const SBOM = join(ROOT, 'dist', 'sbom.cdx.json')

const isQuick = process.argv.includes('--quick')

ensureInstalled()
await ensureBuilt()
const lockfile = readLockfile()
const shipped = findShippedPackages(lockfile)
const problems = [
  ...checkManifests(),
  ...checkLockfile(),
  ...checkLicenses(lockfile, shipped),
  ...checkNotices(),
  ...checkPackedFiles(),
  ...(await checkEntryPoints()),
  ...(isQuick ? [] : writeSbom(SBOM, shipped)),
]
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exit(1)
console.log(`${shipped.length} third-party packages are shipped`)
if (!isQuick) console.log(`The SBOM is in ${SBOM.slice(ROOT.length + 1)}`)

/** Refuses download addresses: they bind installations to the registry that was used for the last change. */
function checkLockfile() {
  return Object.entries(lockfile).flatMap(([path, { link, resolved, integrity }]) => {
    if (!path.includes('node_modules/') || link === true) return []
    if (resolved !== undefined) return [`package-lock.json has a download address for ${path}`]
    return integrity === undefined ? [`package-lock.json has no digest of ${path}`] : []
  })
}

function checkNotices() {
  const wanted = renderNotices(shipped)
  if (process.argv.includes('--write')) writeFileSync(NOTICES, wanted)
  const present = existsSync(NOTICES) ? readFileSync(NOTICES, 'utf8') : ''
  if (present === wanted) return []
  return ['THIRD-PARTY-NOTICES.md is out of date. Run npm run release:check -- --write']
}
