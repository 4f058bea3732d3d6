import { expect, test } from 'vitest'
import { needsApproval } from '../../../src/shared/scope/needs-approval.ts'

test('only where approval is required, and of everything, does more than an edit become a change request', () => {
  const judged = [
    { require_approval: true, approval_scope: 'all' },
    { require_approval: true, approval_scope: 'patch' },
    { require_approval: false, approval_scope: 'all' },
  ] as const
  expect(judged.map(needsApproval)).toEqual([true, false, false])
  expect(needsApproval(undefined)).toBe(false)
})
