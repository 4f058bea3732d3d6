import type { User } from '@burgee/contract'
import { expect, test } from 'vitest'
import { assessDeletion, assessDemotion } from '../../../src/features/workspace/users/assess-user.ts'

const user = (id: number, role: User['role']): User => ({
  id,
  role,
  name: `User ${id}`,
  email: `user-${id}@example.com`,
  created_at: '2026-02-11T10:00:00.000Z',
  disabled_at: null,
  email_unconfirmed_since: null,
  locked_until: null,
  has_password: true,
  is_linked: false,
  second_factors: [],
})
const ada = user(1, 'admin')
const grace = user(2, 'editor')

test('users cannot delete themselves', () => {
  const users = [ada, user(3, 'admin')]

  expect(assessDeletion(ada, { users, isMe: true }).reason).toContain('yourself')
})

test('the last admin is neither deleted nor demoted', () => {
  const users = [ada, grace]

  expect(assessDeletion(ada, { users, isMe: false }).reason).toContain('last admin')
  expect(assessDemotion(ada, users).isAllowed).toBe(false)
})

test('one of two admins, and everyone else, may be', () => {
  const users = [ada, grace, user(3, 'admin')]

  expect(assessDeletion(ada, { users, isMe: false }).isAllowed).toBe(true)
  expect(assessDemotion(ada, users).isAllowed).toBe(true)
  expect(assessDeletion(grace, { users: [ada, grace], isMe: false }).isAllowed).toBe(true)
})
