import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  findWorkspaces,
  SDK_FILE,
  withRelease,
  withSdkVersion,
  withVersion,
} from '../scripts/set-version.mjs'

describe('set-version', () => {
  test('set-version finds every workspace', () => {
    expect(findWorkspaces()).toEqual(
      expect.arrayContaining(['packages/sdk', 'packages/server', 'examples/shop']),
    )
  })

  test('set-version pins other packages of Burgee to the new version and leaves third-party pins', () => {
    const manifest = {
      name: '@burgee/server',
      version: '0.1.0',
      dependencies: { '@burgee/contract': '0.1.0', pg: '8.23.1' },
      devDependencies: { '@burgee/evaluation': '0.1.0' },
      peerDependencies: { '@burgee/sdk': '0.1.0', react: '>=18' },
    }
    expect(withVersion(manifest, '1.2.0')).toEqual({
      name: '@burgee/server',
      version: '1.2.0',
      dependencies: { '@burgee/contract': '1.2.0', pg: '8.23.1' },
      devDependencies: { '@burgee/evaluation': '1.2.0' },
      peerDependencies: { '@burgee/sdk': '1.2.0', react: '>=18' },
    })
    expect(withVersion({ version: '0.1.0' }, '1.2.0')).toEqual({ version: '1.2.0' })
  })

  test('set-version moves the unreleased entries of the changelog below the version', () => {
    const changelog = '# Changelog\n\n## Unreleased\n\n- A fix.\n'
    expect(withRelease(changelog, '1.2.0', '2026-11-22')).toBe(
      '# Changelog\n\n## Unreleased\n\n## 1.2.0 (2026-11-22)\n\n- A fix.\n',
    )
    expect(() => withRelease('# Changelog\n', '1.2.0', '2026-11-22')).toThrow('## Unreleased')
  })

  test('set-version dates a section that has the name of the version already', () => {
    expect(withRelease('# Changelog\n\n## 1.2.0\n\n- A fix.\n', '1.2.0', '2026-11-22')).toBe(
      '# Changelog\n\n## Unreleased\n\n## 1.2.0 (2026-11-22)\n\n- A fix.\n',
    )
  })

  test('set-version writes the version that the SDK sends to the server', () => {
    const source = readFileSync(new URL(`../${SDK_FILE}`, import.meta.url), 'utf8')
    const changed = withSdkVersion(source, '1.2.0-rc.1')
    expect(changed).toContain("export const SDK = 'js/1.2.0-rc.1'\n")
    const [, current = ''] = /'js\/([^']+)'/.exec(source) ?? []
    expect(withSdkVersion(changed, current)).toBe(source)
    expect(() => withSdkVersion('export const NAME = 1\n', '1.2.0')).toThrow(SDK_FILE)
  })
})
