/**
 * Finds the third-party packages that reach users: dependencies of published packages, and what the dashboard
 * bundles.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ROOT } from '../prepare.mjs'
import { publishedFolders } from './published-packages.mjs'

const DASHBOARD = 'packages/dashboard'
const IMPORTED = /(?:from|import|@import)\s*\(?\s*['"]((?:@[\w.-]+\/)?[\w.-]+)/g

/** Returns the lockfile's entries by path: `node_modules/pg`. */
export function readLockfile() {
  return JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).packages
}

/**
 * Returns the shipped packages, `{path, name, version, license, isForOnePlatform}`, in the order of name and
 * version.
 */
export function findShippedPackages(lockfile) {
  const found = new Map()
  const visit = (from, name) => {
    const path = locate(lockfile, from, name)
    if (path === null || found.has(path)) return
    const entry = lockfile[path]
    found.set(path, {
      path,
      name: entry.name ?? name,
      version: entry.version,
      license: entry.license ?? 'unknown',
      isForOnePlatform: entry.os !== undefined || entry.cpu !== undefined,
      integrity: entry.integrity ?? null,
    })
    for (const needed of neededBy(entry)) visit(path, needed)
  }
  for (const workspace of publishedFolders().map((folder) => `packages/${folder}`)) {
    for (const name of neededBy(lockfile[workspace])) visit(workspace, name)
  }
  for (const name of importedByDashboard(lockfile)) visit(DASHBOARD, name)
  return [...found.values()]
    .filter(({ name }) => !name.startsWith('@burgee/'))
    .sort((a, b) => compare(`${a.name}@${a.version}`, `${b.name}@${b.version}`))
}

const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0)

const neededBy = ({ dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta = {} }) => [
  ...Object.keys({ ...dependencies, ...optionalDependencies }),
  ...Object.keys(peerDependencies ?? {}).filter((name) => peerDependenciesMeta[name]?.optional !== true),
]

/** Finds a package as Node does: in the nearest `node_modules` above. Null when npm installed none. */
function locate(lockfile, from, name) {
  for (let folder = from; ; folder = dirname(folder)) {
    const path = folder === '.' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    const entry = lockfile[path]
    if (entry !== undefined) return entry.link === true ? entry.resolved : path
    if (folder === '.') return null
  }
}

function importedByDashboard(lockfile) {
  const known = Object.keys({
    ...lockfile[DASHBOARD].dependencies,
    ...lockfile[DASHBOARD].devDependencies,
  })
  const names = new Set()
  const folder = join(ROOT, DASHBOARD, 'src')
  for (const file of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!file.isFile() || !/\.(tsx?|css)$/.test(file.name)) continue
    const text = readFileSync(join(file.parentPath, file.name), 'utf8')
    for (const [, name] of text.matchAll(IMPORTED)) if (known.includes(name)) names.add(name)
  }
  return [...names].sort(compare)
}
