import type { CurrentUser } from '@burgee/contract'
import { expect, test } from 'vitest'
import { approvalProgress } from '../../../src/features/change-requests/approval-progress.ts'
import { describeOperation } from '../../../src/features/change-requests/describe-operation.ts'
import { reviewPermissions } from '../../../src/features/change-requests/review-permissions.ts'

const REQUEST = { requested_by: 'edda@example.com', approvals: [] }
const MAY = { isAllowed: true }
const MAY_NOT = { isAllowed: false, reason: 'viewers may not' }

const person = (email: string, role: CurrentUser['role'] = 'viewer'): CurrentUser => ({
  email,
  role,
  name: email,
  workspace_name: 'Shop',
  is_setup_complete: true,
})

const allowed = (me: CurrentUser, byRole: typeof MAY | typeof MAY_NOT) =>
  Object.entries(reviewPermissions(REQUEST, { me, byRole }))
    .filter(([name]) => name !== 'bypass')
    .map(([, { isAllowed }]) => isAllowed)

test('the requester of a change rejects and withdraws it, and does not approve it', () => {
  expect(allowed(person('Edda@example.com'), MAY)).toEqual([false, true, true])
})

test('another editor approves and rejects a request; only a workspace admin withdraws that of another', () => {
  expect(allowed(person('otto@example.com'), MAY)).toEqual([true, true, false])
  expect(allowed(person('ada@example.com', 'admin'), MAY)).toEqual([true, true, true])
})

test('only a workspace admin bypasses the approval of others, also of their own request', () => {
  const bypass = (me: CurrentUser) => reviewPermissions(REQUEST, { me, byRole: MAY }).bypass.isAllowed
  expect(bypass(person('otto@example.com'))).toBe(false)
  expect(bypass(person('edda@example.com', 'admin'))).toBe(true)
})

test('an approval that counts is given once; one that does not count is given again', () => {
  const approval = { approved_by: 'Otto@example.com', comment: null, flag_revision: 4, approved_at: '' }
  const mayApprove = (not_counted: 'flag_changed' | null) => {
    const request = { ...REQUEST, approvals: [{ ...approval, not_counted }] }
    const may = reviewPermissions(request, { me: person('otto@example.com'), byRole: MAY })
    return [approvalProgress(request, { min_approvals: 2 }).given, may.approve.isAllowed]
  }
  expect(mayApprove(null)).toEqual([1, false])
  expect(mayApprove('flag_changed')).toEqual([0, true])
})

test('a viewer may not decide a change request', () => {
  expect(allowed(person('vera@example.com'), MAY_NOT)).toEqual([false, false, false])
})

test('a request is called by what it does', () => {
  expect(describeOperation({ operation: 'delete', body: { operation: 'delete' } })).toBe('Delete')
  expect(describeOperation({ operation: 'promote', body: { source: { name: 'Staging' } } })).toBe(
    'Promote from Staging',
  )
  expect(describeOperation({ operation: 'promote', body: null })).toBe('Promote')
})
