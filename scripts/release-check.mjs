/**
 * `npm run release:check`: what has to be true of a release beyond its tests. No download addresses in the lockfile, licences that
 * are allowed, THIRD-PARTY-NOTICES.md up to date (`-- --write` renews it), and published packages that contain what they should.
 * Writes the SBOM to dist/sbom.cdx.json. With `--quick` neither packages nor SBOM: `npm run check` does that.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBuilt, ensureInstalled, ROOT } from './prepare.mjs'
import { checkLicences } from './release/check-licences.mjs'
import { checkPackedFiles } from './release/check-packed-files.mjs'
import { renderNotices } from './release/notices.mjs'
import { findShippedPackages, readLockfile } from './release/shipped-packages.mjs'
import { writeSbom } from './release/write-sbom.mjs'

const NOTICES = join(ROOT, 'THIRD-PARTY-NOTICES.md')
const SBOM = join(ROOT, 'dist', 'sbom.cdx.json')

const isQuick = process.argv.includes('--quick')

ensureInstalled()
if (!isQuick) ensureBuilt()
const lockfile = readLockfile()
const shipped = findShippedPackages(lockfile)
const problems = [
  ...checkLockfile(),
  ...checkLicences(lockfile, shipped),
  ...checkNotices(),
  ...(isQuick ? [] : [...checkPackedFiles(), ...writeSbom(SBOM, shipped)]),
]
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exit(1)
console.log(
  `${shipped.length} third-party packages are shipped; the SBOM is in ${SBOM.slice(ROOT.length + 1)}`,
)

/** A download address would bind installations to the registry of whoever changed the lockfile last. */
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
  return ['THIRD-PARTY-NOTICES.md is not up to date: npm run release:check -- --write renews it']
}
