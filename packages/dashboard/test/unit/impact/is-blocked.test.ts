import { expect, test } from 'vitest'
import { isBlocked } from '../../../src/parts/impact/is-blocked.ts'
import { ApiError } from '../../../src/shared/api/api-error.ts'

const violations = (enforcement: 'block' | 'warn') => ({
  violations: [{ key: 'one', enforcement, verdict: 'violated' as const, why: 'why' }],
})

test('a change is blocked by an invariant that blocks, not by one that warns', () => {
  expect(isBlocked(violations('block'), null)).toBe(true)
  expect(isBlocked(violations('warn'), null)).toBe(false)
  expect(isBlocked(undefined, null)).toBe(false)
})

test('a refusal that names violations blocks a change whose impact is not known', () => {
  expect(isBlocked(undefined, new ApiError(422, violations('block')))).toBe(true)
  expect(isBlocked(undefined, new ApiError(422, { details: [] }))).toBe(false)
})
