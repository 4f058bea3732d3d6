import { PERMISSIONS } from '@burgee/contract'
import { expect, test } from 'vitest'
import { describeRoleChange } from '../../../src/features/workspace/roles/describe-role-change.ts'
import { describeUses } from '../../../src/features/workspace/roles/describe-uses.ts'
import { PERMISSION_GROUPS } from '../../../src/parts/roles/permission-groups.ts'

test('each permission is in exactly one group', () => {
  const grouped = PERMISSION_GROUPS.flatMap(({ permissions }) => permissions)
  expect(grouped.toSorted()).toEqual(PERMISSIONS.toSorted())
})

test('a change of a role states what its members gain and lose', () => {
  const change = describeRoleChange(['read_project', 'write_flags'], ['read_project', 'review_changes'])
  expect(change).toEqual({ gained: ['Approve and reject change requests'], lost: ['Change flags'] })
  expect(describeRoleChange(['ingest'], ['ingest'])).toEqual({ gained: [], lost: [] })
})

test('the uses of a role are counted in projects and in single environments', () => {
  const uses = (member_count: number, override_count: number) =>
    describeUses({ member_count, override_count })
  expect(uses(0, 0)).toBe('Unused')
  expect(uses(1, 0)).toBe('1 membership')
  expect(uses(3, 1)).toBe('3 memberships, 1 in an environment')
  expect(uses(0, 2)).toBe('2 in environments')
})
