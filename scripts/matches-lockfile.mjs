/**
 * Returns whether npm has installed a lockfile: `installed` are the packages of
 * `node_modules/.package-lock.json`, which npm writes at the end of an installation, `wanted` those of
 * `package-lock.json`. Optional packages for other machines may be missing.
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
 * Returns whether a package may be missing. One for this machine must be installed; of those for two C
 * libraries, npm decides.
 */
function mayBeMissing({ cpu, libc, optional, os }) {
  if (optional !== true) return false
  const isForThisMachine = os?.includes(process.platform) === true && cpu?.includes(process.arch) !== false
  return !isForThisMachine || libc !== undefined
}
