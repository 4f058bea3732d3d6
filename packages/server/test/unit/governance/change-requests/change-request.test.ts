import type { Approvers } from '@burgee/contract'
import { describe, expect, it } from 'vitest'
import {
  findReviewRefusal,
  REVIEWED_STATUS,
  type Review,
  type ReviewPlace,
} from '../../../../src/governance/change-requests/change-request.ts'
import { type Actor, personBehind, type SdkKeyActor, type UserActor } from '../../../../src/kernel/actor.ts'
import { aKeyActor } from '../../../harness/a-key-actor.ts'

const user = (user_id: number, rest: Partial<UserActor> = {}): Actor => ({
  kind: 'user',
  user_id,
  name: 'Somebody',
  email: `user-${user_id}@example.com`,
  role: 'viewer',
  credential: { kind: 'session', sessionId: 'a', authenticatedAt: '2026-01-05T10:00:00.000Z' },
  ...rest,
})
const key = (key_id: number | null, over: Partial<SdkKeyActor> = {}): Actor => aKeyActor({ key_id, ...over })
const token = { kind: 'token', token_id: 9, scope: 'read_write' } as const

/** The reviewers of a request by user 1. */
const REVIEWERS = {
  requester: user(1),
  'requester by token': user(1, { credential: token }),
  'requester, workspace admin': user(1, { role: 'admin' }),
  'another person': user(2),
  'another workspace admin': user(2, { role: 'admin' }),
  key: key(1),
  'legacy key': key(null),
  'key of the requester': key(2, { createdBy: 1 }),
  'key of another person': key(2, { createdBy: 2 }),
  'key that came with the project of the requester': key(3, { createdBy: 1, isSeeded: true }),
} as const

type Column = 'approve' | 'approve, guarded' | 'reject' | 'reject, guarded' | 'cancel'
type Cells = Readonly<Record<Column, string>>
const done = 'done'

/** A key cannot decide when every change needs approval. */
const KEY: Cells = {
  approve: done,
  'approve, guarded': 'forbidden',
  reject: done,
  'reject, guarded': 'forbidden',
  cancel: 'not_found',
}
const REQUESTER: Cells = {
  approve: 'forbidden',
  'approve, guarded': 'forbidden',
  reject: done,
  'reject, guarded': done,
  cancel: done,
}
const OTHER: Cells = { ...REQUESTER, approve: done, 'approve, guarded': done, cancel: 'not_found' }

/** The table of docs/reference/governance.md#change-requests: the result for a pending request, by review. */
const PENDING: Readonly<Record<keyof typeof REVIEWERS, Cells>> = {
  requester: REQUESTER,
  'requester by token': REQUESTER,
  'requester, workspace admin': REQUESTER,
  'another person': OTHER,
  'another workspace admin': { ...OTHER, cancel: done },
  key: KEY,
  'legacy key': KEY,
  'key of the requester': { ...KEY, approve: 'forbidden' },
  'key of another person': KEY,
  'key that came with the project of the requester': KEY,
}

const CELLS = Object.entries(PENDING).flatMap(([reviewer, row]) =>
  Object.entries(row).map(([column, expected]) => ({ reviewer, column, expected })),
)

const placeOf = (guarded: boolean, approvers: Approvers = []): ReviewPlace => ({
  membership: null,
  environment_id: 'e',
  settings: { require_approval: true, approval_scope: guarded ? 'all' : 'patch', approvers },
})

const decide = (
  status: 'pending' | 'approved' | 'rejected' | 'cancelled',
  reviewer: string,
  column: string,
) => {
  const [review = '', guarded] = column.split(', ')
  const actor = REVIEWERS[reviewer as keyof typeof REVIEWERS]
  const refusal = findReviewRefusal(
    { status, requester: 'user:1', requester_user_id: 1 },
    review as Review,
    actor,
    placeOf(guarded === 'guarded'),
  )
  return refusal?.kind ?? done
}

describe('reviews of a pending request', () => {
  it.each(CELLS)('$column by $reviewer: $expected', ({ column, expected, reviewer }) => {
    expect(decide('pending', reviewer, column)).toBe(expected)
  })
})

describe.each(['approved', 'rejected', 'cancelled'] as const)('reviews of a request that is %s', (status) => {
  it.each(CELLS)(
    '$column by $reviewer is refused for a decided request',
    ({ column, expected, reviewer }) => {
      // A missing right is reported first; cancelling is refused as if the request did not exist
      // (docs/reference/governance.md#change-requests).
      const leadsTo = column === 'cancel' ? 'not_found' : 'conflict'
      expect(decide(status, reviewer, column)).toBe(expected === done ? leadsTo : expected)
    },
  )
})

describe('requests of a key', () => {
  it('a request of a key belongs neither to another key, nor to the legacy key, nor to a user with the same number', () => {
    const cancel = (requester: string, actor: Actor) =>
      findReviewRefusal(
        { status: 'pending', requester, requester_user_id: null },
        'cancel',
        actor,
        placeOf(false),
      )?.kind ?? done
    expect(cancel('sdk_key:1', key(1))).toBe(done)
    expect(cancel('sdk_key:legacy', key(null))).toBe(done)
    expect(cancel('sdk_key:1', key(2))).toBe('not_found')
    expect(cancel('sdk_key:1', key(null))).toBe('not_found')
    expect(cancel('sdk_key:1', user(1))).toBe('not_found')
    expect(cancel('user:1', key(1))).toBe('not_found')
  })

  it('the creator of a key may not approve its requests, directly or with another of their keys', () => {
    const approve = (requester_user_id: number | null, actor: Actor, isGuarded: boolean) =>
      findReviewRefusal(
        { status: 'pending', requester: 'sdk_key:9', requester_user_id },
        'approve',
        actor,
        placeOf(isGuarded),
      )?.kind ?? done
    for (const isGuarded of [false, true]) {
      expect(approve(1, user(1), isGuarded)).toBe('forbidden')
      expect(approve(1, user(1, { role: 'admin', credential: token }), isGuarded)).toBe('forbidden')
      expect(approve(1, user(2), isGuarded)).toBe(done)
      expect(approve(null, user(1), isGuarded)).toBe(done)
    }
    expect(approve(1, key(2, { createdBy: 1 }), false)).toBe('forbidden')
    expect(approve(null, key(2, { createdBy: null }), false)).toBe(done)
  })
})

it('each review has a resulting state', () => {
  expect(REVIEWED_STATUS).toEqual({ approve: 'approved', reject: 'rejected', cancel: 'cancelled' })
})

describe('the user behind a key', () => {
  it.each([
    [aKeyActor({ createdBy: 1 }), 1, 1],
    [aKeyActor({ createdBy: 1, isSeeded: true }), null, 1],
    [aKeyActor({ key_id: null }), null, null],
    [user(4), 4, 4],
  ])('the user behind the key %j is %s, and in fully guarded environments %s', (actor, open, guarded) => {
    expect(personBehind(actor, { isGuarded: false })).toBe(open)
    expect(personBehind(actor, { isGuarded: true })).toBe(guarded)
  })
})

describe('approvers of an environment', () => {
  const approve = (actor: Actor, approvers: Approvers) =>
    findReviewRefusal(
      { status: 'pending', requester: 'user:9', requester_user_id: 9 },
      'approve',
      actor,
      placeOf(false, approvers),
    )?.kind ?? done

  it('only users on the list approve, workspace admins and keys included', () => {
    expect(approve(user(2), [{ user_id: 2 }])).toBe(done)
    expect(approve(user(3), [{ user_id: 2 }])).toBe('forbidden')
    expect(approve(user(3, { role: 'admin' }), [{ user_id: 2 }])).toBe('forbidden')
    expect(approve(key(1), [{ user_id: 2 }])).toBe('forbidden')
  })

  it('a role on the list is that in the environment', () => {
    const membership = {
      inProject: { role: 'editor', permissions: new Set<never>() },
      overrides: new Map([['e', { role: 'release-manager', permissions: new Set<never>() }]]),
    }
    const at = (role: string) => ({ ...placeOf(false, [{ role }]), membership })
    const request = { status: 'pending', requester: 'user:9', requester_user_id: 9 } as const
    expect(findReviewRefusal(request, 'approve', user(2), at('release-manager'))).toBeNull()
    expect(findReviewRefusal(request, 'approve', user(2), at('editor'))?.kind).toBe('forbidden')
  })

  it('only a workspace admin bypasses the approval of others, also for an own request', () => {
    const request = { status: 'pending', requester: 'user:1', requester_user_id: 1 } as const
    const bypass = (actor: Actor) =>
      findReviewRefusal(request, 'bypass', actor, placeOf(true, [{ user_id: 5 }]))?.kind ?? done
    expect(bypass(user(1, { role: 'admin' }))).toBe(done)
    expect(bypass(user(2))).toBe('forbidden')
    expect(bypass(key(1))).toBe('forbidden')
  })
})
