import { describe, expect, it } from 'vitest'
import { rightsOf } from '../../../../src/identity/group-roles/group-rights.ts'
import { toLocalPath } from '../../../../src/identity/single-sign-on/local-path.ts'

describe('the address after a login', () => {
  it.each(['/', '/flags?tag=a#top', '/a/b%2Fc'])('%s is kept', (text) => {
    expect(toLocalPath(text)).toBe(text)
  })

  it.each([
    undefined,
    '',
    'flags',
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/..//evil.example',
    '/a/..//evil.example',
    '/api/auth/logout',
    '/x/../api/projects',
    'javascript:alert(1)',
    `/${'a'.repeat(10_000)}`,
  ])('%j leads to the start page', (text) => {
    expect(toLocalPath(text)).toBe('/')
  })
})

describe('what several groups give', () => {
  const row = (role: string, strength: number, project_id: string | null = null) => ({
    ...{ group_name: 'g', role, strength, project_id },
  })

  it('is the strongest role in each place, whatever the order', () => {
    const rows = [row('admin', 30, 'b'), row('viewer', 10, 'b'), row('x', 5, 'a'), row('editor', 20)]
    for (const order of [rows, rows.toReversed()]) {
      expect(rightsOf(order)).toEqual({
        workspaceRole: 'editor',
        projectRoles: new Map([
          ['a', 'x'],
          ['b', 'admin'],
        ]),
      })
    }
  })

  it('is no custom role in the workspace', () => {
    expect(rightsOf([row('custom', 99)])).toEqual({ workspaceRole: null, projectRoles: new Map() })
  })
})
