import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { matchesLockfile } from '../scripts/matches-lockfile.mjs'

const { platform, arch } = process
const elsewhere = platform === 'win32' ? 'linux' : 'win32'
const wanted = {
  '': { version: '1.0.0' },
  'packages/server': { version: '1.0.0' },
  'node_modules/@burgee/server': { link: true },
  'node_modules/kysely': { version: '0.28.0', integrity: 'sha512-a' },
  'node_modules/here': {
    version: '1.0.0',
    integrity: 'sha512-b',
    optional: true,
    os: [platform],
    cpu: [arch],
  },
  'node_modules/there': { version: '1.0.0', integrity: 'sha512-c', optional: true, os: [elsewhere] },
  'node_modules/of-there': { version: '1.0.0', integrity: 'sha512-d', optional: true },
}
const { '': _root, 'node_modules/there': _there, 'node_modules/of-there': _ofThere, ...installed } = wanted
const without = (path: string) =>
  Object.fromEntries(Object.entries(installed).filter(([name]) => name !== path))

describe('an installation by hand', () => {
  test('an installation by hand matches the lockfile when only packages for other machines are missing', () => {
    expect(matchesLockfile(installed, wanted)).toBe(true)
  })

  test.each(['node_modules/kysely', 'node_modules/here', 'node_modules/@burgee/server'])(
    'an installation by hand does not match the lockfile without %s',
    (path) => {
      expect(matchesLockfile(without(path), wanted)).toBe(false)
    },
  )

  test('an installation by hand does not match with another version or content, or a package that the lockfile lacks', () => {
    const kysely = (other: object) => ({
      ...installed,
      'node_modules/kysely': { ...installed['node_modules/kysely'], ...other },
    })
    expect(matchesLockfile(kysely({ version: '0.27.0' }), wanted)).toBe(false)
    expect(matchesLockfile(kysely({ integrity: 'sha512-e' }), wanted)).toBe(false)
    expect(matchesLockfile({ ...installed, 'node_modules/extra': { version: '1.0.0' } }, wanted)).toBe(false)
  })

  test('the installation of this test run matches the lockfile', () => {
    const packagesIn = (file: string) =>
      JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')).packages
    expect(
      matchesLockfile(packagesIn('node_modules/.package-lock.json'), packagesIn('package-lock.json')),
    ).toBe(true)
  })
})
