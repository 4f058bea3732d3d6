import type { Environment } from '@burgee/contract'
import { expect, test } from 'vitest'
import {
  changedRoles,
  describeEnvironmentRoles,
} from '../../../src/features/project-settings/members/environment-roles.ts'
import { roleOptions } from '../../../src/features/project-settings/members/project-roles.ts'

test('only the roles that differ are sent, and null where the role in the project applies again', () => {
  expect(
    changedRoles({ a: 'viewer', b: 'admin', c: 'editor' }, { a: 'viewer', b: 'viewer', d: 'x' }),
  ).toEqual([
    { environment_id: 'b', role: 'viewer' },
    { environment_id: 'c', role: null },
    { environment_id: 'd', role: 'x' },
  ])
})

test('roles in environments are described in the order of the environments', () => {
  const environments = [
    { id: 'p', name: 'Production' },
    { id: 's', name: 'Staging' },
  ] as Environment[]
  const roles = [
    { environment_id: 's', role: 'releases' },
    { environment_id: 'p', role: 'viewer' },
  ]
  const nameOf = (role: string) => (role === 'viewer' ? 'Viewer' : 'Release manager')
  expect(describeEnvironmentRoles(roles, { environments, nameOf })).toEqual([
    'Viewer in Production',
    'Release manager in Staging',
  ])
})

test('a role that is not known yet stays among the options', () => {
  expect(roleOptions([], 'releases').map(({ value }) => value)).toEqual([
    'viewer',
    'editor',
    'admin',
    'releases',
  ])
})
