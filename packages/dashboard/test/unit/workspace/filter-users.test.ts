import type { User } from '@burgee/contract'
import { expect, test } from 'vitest'
import { filterUsers } from '../../../src/features/workspace/users/filter-users.ts'

const user = (name: string, email: string): User => ({
  id: 1,
  role: 'viewer',
  created_at: '2026-02-11T10:00:00.000Z',
  disabled_at: null,
  email_unconfirmed_since: null,
  locked_until: null,
  has_password: true,
  is_linked: false,
  second_factors: [],
  name,
  email,
})
const ada = user('Ada Lovelace', 'ada@example.com')
const grace = user('Grace', 'Hopper@example.com')

test('users are found by name and by e-mail, regardless of upper and lower case', () => {
  expect(filterUsers([ada, grace], 'LOVE')).toEqual([ada])
  expect(filterUsers([ada, grace], ' hopper ')).toEqual([grace])
  expect(filterUsers([ada, grace], '')).toEqual([ada, grace])
  expect(filterUsers([ada, grace], 'nobody')).toEqual([])
})
