import type { Violation } from '@burgee/contract'
import { expect, test } from 'vitest'
import { describeViolation } from '../../../src/parts/impact/describe-violation.ts'

const violation: Violation = {
  ...{ key: 'sso-needs-enterprise', enforcement: 'block', verdict: 'violated', why: 'the walk states it' },
  counter_example: {
    ...{ user_key: 'user-0', attributes: { plan: 'free' }, flag_key: 'sso', value: true },
    ...{ reason: 'TARGETING_MATCH', rule_index: 1 },
  },
}

test('a violation is described by its user, and by what the server does', () => {
  expect(describeViolation(violation)).toBe(
    'A user such as “user-0” with plan = “free” gets “true” of sso, by rule 2. The server refuses this.',
  )
  expect(describeViolation({ ...violation, enforcement: 'warn' })).not.toContain('refuses')
})

test('an anonymous user and a shape without a user are described too', () => {
  const { counter_example: _, ...shape } = violation
  expect(describeViolation(shape)).toBe('the walk states it. The server refuses this.')
  const example = { flag_key: 'sso', value: null, reason: 'STATIC' as const, user_key: null, attributes: {} }
  expect(describeViolation({ ...violation, enforcement: 'warn', counter_example: example })).toBe(
    'An anonymous user gets “null” of sso.',
  )
})
