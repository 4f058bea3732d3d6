import { describe, expect, it } from 'vitest'
import {
  findReviewRefusal,
  REVIEWED_STATUS,
  type Review,
} from '../../../../src/features/change-requests/change-request.ts'
import type { Actor, UserActor } from '../../../../src/kernel/actor.ts'

const user = (user_id: number, rest: Partial<UserActor> = {}): Actor => ({
  kind: 'user',
  user_id,
  name: 'Somebody',
  email: `user-${user_id}@example.com`,
  role: 'viewer',
  credential: { kind: 'session', session_id: 'a' },
  ...rest,
})
const key = (key_id: number | null): Actor => ({
  kind: 'sdk_key',
  key_id,
  name: 'Key',
  key_kind: 'server',
  project_id: 'p',
  environment_id: 'e',
})
const token = { kind: 'token', token_id: 9, scope: 'read_write' } as const

/** Who reviews what the user 1 asked for. */
const REVIEWERS = {
  requester: user(1),
  'requester by token': user(1, { credential: token }),
  'requester, workspace admin': user(1, { role: 'admin' }),
  'another person': user(2),
  'another workspace admin': user(2, { role: 'admin' }),
  key: key(1),
  'legacy key': key(null),
} as const

type Column = 'approve' | 'approve, guarded' | 'reject' | 'cancel'
const done = 'done'

/** The specification's table, row by row: what each gets for a pending request, by review. */
const PENDING: Readonly<Record<keyof typeof REVIEWERS, Readonly<Record<Column, string>>>> = {
  requester: { approve: 'forbidden', 'approve, guarded': 'forbidden', reject: done, cancel: done },
  'requester by token': { approve: 'forbidden', 'approve, guarded': 'forbidden', reject: done, cancel: done },
  'requester, workspace admin': {
    approve: 'forbidden',
    'approve, guarded': 'forbidden',
    reject: done,
    cancel: done,
  },
  'another person': { approve: done, 'approve, guarded': done, reject: done, cancel: 'not_found' },
  'another workspace admin': { approve: done, 'approve, guarded': done, reject: done, cancel: done },
  key: { approve: done, 'approve, guarded': 'forbidden', reject: done, cancel: 'not_found' },
  'legacy key': { approve: done, 'approve, guarded': 'forbidden', reject: done, cancel: 'not_found' },
}

const CELLS = Object.entries(PENDING).flatMap(([reviewer, row]) =>
  Object.entries(row).map(([column, expected]) => ({ reviewer, column, expected })),
)

const judge = (
  status: 'pending' | 'approved' | 'rejected' | 'cancelled',
  reviewer: string,
  column: string,
) => {
  const [review = '', guarded] = column.split(', ')
  const actor = REVIEWERS[reviewer as keyof typeof REVIEWERS]
  const refusal = findReviewRefusal({ status, requester: 'user:1' }, review as Review, actor, {
    is_guarded: guarded === 'guarded',
  })
  return refusal?.kind ?? done
}

describe('a pending request', () => {
  it.each(CELLS)('$column by $reviewer: $expected', ({ column, expected, reviewer }) => {
    expect(judge('pending', reviewer, column)).toBe(expected)
  })
})

describe.each(['approved', 'rejected', 'cancelled'] as const)('a request that is %s', (status) => {
  it.each(CELLS)('$column by $reviewer leads nowhere', ({ column, expected, reviewer }) => {
    // Who may not is told so first; cancelling it is as if it were not there (specification, "Change request").
    const leads_to = column === 'cancel' ? 'not_found' : 'conflict'
    expect(judge(status, reviewer, column)).toBe(expected === done ? leads_to : expected)
  })
})

describe('what a key asked for', () => {
  it('is its own: not of another key, not of the legacy key, not of a person with the same number', () => {
    const cancel = (requester: string, actor: Actor) =>
      findReviewRefusal({ status: 'pending', requester }, 'cancel', actor, { is_guarded: false })?.kind ??
      done
    expect(cancel('sdk_key:1', key(1))).toBe(done)
    expect(cancel('sdk_key:legacy', key(null))).toBe(done)
    expect(cancel('sdk_key:1', key(2))).toBe('not_found')
    expect(cancel('sdk_key:1', key(null))).toBe('not_found')
    expect(cancel('sdk_key:1', user(1))).toBe('not_found')
    expect(cancel('user:1', key(1))).toBe('not_found')
  })
})

it('each review has its state', () => {
  expect(REVIEWED_STATUS).toEqual({ approve: 'approved', reject: 'rejected', cancel: 'cancelled' })
})
