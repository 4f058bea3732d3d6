/** Licenses of packages that may be part of Burgee; TOOLS adds those of packages that only build it. */
const SHIPPED = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
  'PostgreSQL',
  // The reader of options in the program of js-yaml, of which only the parser is used.
  'PSF-2.0',
  'Unlicense',
]
const TOOLS = [...SHIPPED, 'CC-BY-3.0', 'CC-BY-4.0', 'MPL-2.0', 'Python-2.0', 'WTFPL', 'Zlib']

/** Packages whose manifest names no license: the one of their LICENSE file, by path and version. */
const UNDECLARED = {
  'node_modules/@openfeature/ofrep-core 0.1.4': 'Apache-2.0',
  'node_modules/@openfeature/ofrep-provider 0.1.3': 'Apache-2.0',
}

/** Returns problems with the licenses of the packages, one line each. */
export function checkLicenses(lockfile, shipped) {
  const paths = new Set(shipped.map(({ path }) => path))
  return Object.entries(lockfile).flatMap(([path, { license: declared, link, version }]) => {
    if (!path.includes('node_modules/') || link === true) return []
    const license = declared ?? UNDECLARED[`${path} ${version}`]
    const allowed = paths.has(path) ? SHIPPED : TOOLS
    if (isAllowed(license ?? 'unknown', allowed)) return []
    return [
      `${path} ${version} has the license ${license}, which scripts/release/check-licenses.mjs does not allow`,
    ]
  })
}

/** Returns whether an SPDX expression of names, OR and AND is allowed: `(MIT OR CC0-1.0)`. */
function isAllowed(expression, allowed) {
  const plain = expression.replaceAll(/[()]/g, ' ').trim()
  return plain
    .split(/\s+OR\s+/)
    .some((choice) => choice.split(/\s+AND\s+/).every((name) => allowed.includes(name.trim())))
}
