import { expect, test } from 'vitest'
import { createRequestLimits } from '../../../../src/http/requests/request-limits.ts'
import type { UserActor } from '../../../../src/kernel/actor.ts'
import { aKeyActor } from '../../../harness/a-key-actor.ts'
import { createManualClock } from '../../../harness/manual-clock.ts'

const key = (key_id: number | null) => aKeyActor({ key_id })
const user = (user_id: number, credential: UserActor['credential']): UserActor => ({
  kind: 'user',
  user_id,
  name: 'n',
  email: 'e',
  role: 'editor',
  credential,
})
const session = { kind: 'session', sessionId: 's', authenticatedAt: '2026-01-05T10:00:00.000Z' } as const
const token = { kind: 'token', token_id: 7, scope: 'read_write' } as const

function build(ingestPerMinute: number | null, requestsPerMinute: number | null) {
  const clock = createManualClock()
  return { clock, limits: createRequestLimits({ clock }, { ingestPerMinute, requestsPerMinute }) }
}

test('without settings nothing is rate limited', () => {
  const { limits } = build(null, null)
  const answers = Array.from({ length: 1000 }, () => [
    limits.take(key(1), 'ingest'),
    limits.take(key(1), 'other'),
  ])
  expect(answers.flat().every((answer) => answer === null)).toBe(true)
})

test('reports and other requests are counted separately', () => {
  const { limits } = build(1, 2)
  expect([1, 2].map(() => limits.take(key(1), 'ingest'))).toEqual([null, 60])
  expect([1, 2, 3].map(() => limits.take(key(1), 'other'))).toEqual([null, null, 60])
})

test('refused requests do not count, and a new minute starts with its first request', () => {
  const { clock, limits } = build(null, 1)
  limits.take(key(1), 'other')
  clock.advance(59_001)
  expect(limits.take(key(1), 'other')).toBe(1)
  clock.advance(999)
  expect(limits.take(key(1), 'other')).toBeNull()
  expect(limits.take(key(1), 'other')).toBe(60)
})

test('a user is one principal with all sessions and tokens; each key is its own', () => {
  const { limits } = build(null, 1)
  expect(limits.take(user(1, session), 'other')).toBeNull()
  expect(limits.take(user(1, token), 'other')).toBe(60)
  expect(limits.take(user(2, session), 'other')).toBeNull()
  expect(limits.take(key(1), 'other')).toBeNull()
  expect(limits.take(key(2), 'other')).toBeNull()
  expect(limits.take(key(null), 'other')).toBeNull()
  expect(limits.take(key(null), 'other')).toBe(60)
})
