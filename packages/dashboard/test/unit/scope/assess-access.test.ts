import type { OwnAccess } from '@burgee/contract'
import { expect, test } from 'vitest'
import { assessAccess } from '../../../src/shared/scope/assess-access.ts'

const own: OwnAccess = {
  is_workspace_admin: false,
  role: 'editor',
  permissions: ['read_project', 'read_environment', 'write_flags'],
  environments: [
    { environment_id: 'production', role: 'viewer', permissions: ['read_environment'] },
    { environment_id: 'staging', role: 'releases', permissions: ['read_environment', 'review_changes'] },
  ],
}
const rights = {
  project_id: 'shop',
  workspaceRole: 'viewer',
  own,
  nameOf: (role: string) => (role === 'releases' ? 'Release manager' : role),
}

test('a role in an environment counts there instead of the role in the project', () => {
  const allowed = ['development', 'production', 'staging'].map(
    (environment_id) => assessAccess('write_flags', [environment_id], rights).isAllowed,
  )
  expect(allowed).toEqual([true, false, false])
  expect(assessAccess('review_changes', ['staging'], rights).isAllowed).toBe(true)
})

test('an access of the project in an environment needs the permission in both', () => {
  expect(assessAccess('write_keys', [null, 'development'], rights).isAllowed).toBe(false)
  expect(assessAccess('read_environment', [null, 'production'], rights).isAllowed).toBe(true)
})

test('the reason names the role, the place and the missing permission, and the project whose admins can give it', () => {
  expect(assessAccess('write_flags', ['production'], rights)).toEqual({
    isAllowed: false,
    reason:
      'This needs the role editor or admin in the environment; you are a viewer there. Missing permission: “Change flags”.',
    giverProject: 'shop',
  })
  expect(assessAccess('write_flags', ['staging'], rights).reason).toBe(
    'Your role Release manager in the environment does not include “Change flags”.',
  )
})

test('only a workspace admin can give what belongs to the workspace', () => {
  expect(assessAccess('workspace_admin', [null], rights).giverProject).toBe('')
  expect(assessAccess('workspace_admin', [null], { ...rights, workspaceRole: 'admin' }).isAllowed).toBe(true)
})

test('the reason states that a person is no member of the project', () => {
  const stranger = { ...own, role: null, permissions: [], environments: [] }
  expect(assessAccess('read_project', [null], { ...rights, own: stranger }).reason).toContain(
    'you are no member of it',
  )
})
