/**
 * Whether npm has installed what a lockfile wants: `installed` are the packages of
 * `node_modules/.package-lock.json`, which npm writes at the end of an installation, `wanted` those of
 * `package-lock.json`. Optional packages that are for other machines may be missing.
 */
export function matchesLockfile(installed, wanted) {
  const paths = Object.keys(wanted).filter((path) => path.startsWith('node_modules/'))
  return (
    Object.keys(installed).every((path) => path in wanted) &&
    paths.every((path) =>
      path in installed ? isSame(installed[path], wanted[path]) : mayBeMissing(wanted[path]),
    )
  )
}

const isSame = (a, b) =>
  a.version === b.version && a.integrity === b.integrity && (a.link === true) === (b.link === true)

/**
 * One that is for this machine has to be there. npm alone knows which of those for two C libraries it
 * installs.
 */
function mayBeMissing({ cpu, libc, optional, os }) {
  if (optional !== true) return false
  const isForThisMachine = os?.includes(process.platform) === true && cpu?.includes(process.arch) !== false
  return !isForThisMachine || libc !== undefined
}
