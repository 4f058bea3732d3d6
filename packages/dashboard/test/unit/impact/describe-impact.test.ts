import type { Impact } from '@burgee/contract'
import { expect, test } from 'vitest'
import { describeCoverage, describeFlip, describeImpact } from '../../../src/parts/impact/describe-impact.ts'

type Flip = Impact['flags'][number]['flips'][number]
const flip = (fields: Partial<Flip>): Flip => ({
  ...{ from: 'A', to: 'B', from_enabled: true, to_enabled: true },
  ...{ certain: 30, possible: 0, examples: [], ...fields },
})
const lost = flip({ from: true, to: false, to_enabled: false, certain: 7 })
const impactOf = (flips: Flip[], more: Partial<Impact> = {}): Impact => ({
  revision: 3,
  users: { known: 1204, with_attributes: 1204, all: { estimate: 1204, low: 1204, high: 1204 } },
  exact: true,
  changed: { certain: flips.reduce((sum, { certain }) => sum + certain, 0), possible: 0 },
  flags: [{ flag_key: 'theme', cause: 'changed', changed: 37, flips }],
  ...{ warnings: [], violations: [] },
  took_ms: 3,
  ...more,
})

test.each([
  [flip({}), 'get “B” instead of “A”', 'change'],
  [flip({ from: 1, to: 2 }), 'get “2” instead of “1”', 'change'],
  [lost, 'lose access', 'lose'],
  [flip({ from: false, to: true, from_enabled: false }), 'gain access', 'gain'],
  [flip({ to: 'off', to_enabled: false }), 'lose access and get “off” instead of “A”', 'lose'],
])('a flip states what a user gets (%#)', (given, text, kind) => {
  expect(describeFlip(given)).toMatchObject({ text, kind })
})

test('a value has its name where the flag gives it one', () => {
  expect(describeFlip(flip({}), { dark: 'B' }).text).toContain('“dark” instead of “A”')
})

test('the sentence counts the users and states what they get', () => {
  expect(describeImpact(impactOf([flip({}), lost]))).toBe(
    '37 of 1,204 recently seen users change: 30 get “B” instead of “A”, 7 lose access.',
  )
  expect(describeImpact(impactOf([flip({ certain: 1 })]))).toBe(
    '1 of 1,204 recently seen users changes: 1 gets “B” instead of “A”.',
  )
  expect(describeImpact(impactOf([]))).toBe('None of the 1,204 recently seen users changes.')
})

test('the sentence gives a range where attributes are not known', () => {
  const changed = { certain: 30, possible: 2 }
  expect(describeImpact(impactOf([flip({ possible: 2 })], { changed }))).toBe(
    '30 to 32 of 1,204 recently seen users change: 30 get “B” instead of “A”.',
  )
})

test('several flags are counted together', () => {
  const [flag] = impactOf([flip({})]).flags
  if (!flag) throw new Error('there is one')
  const flags = [flag, { ...flag, flag_key: 'other' }]
  expect(describeImpact(impactOf([flip({})], { flags }))).toBe(
    '30 of 1,204 recently seen users change, in 2 flags.',
  )
})

test('without known users there is no sentence, and the coverage states why', () => {
  const users = { known: 0, with_attributes: 0, all: null }
  expect(describeImpact(impactOf([], { users }))).toBeNull()
  expect(describeCoverage(impactOf([], { users }))).toContain('“Seen users”')
  const none = { ...users, all: { estimate: 0, low: 0, high: 0 } }
  expect(describeCoverage(impactOf([], { users: none, flags: [] }))).toBe('No user was seen yet.')
  const flags = [{ flag_key: 'theme', cause: 'changed' as const, changed: 0, hash_share: 15, flips: [] }]
  expect(describeCoverage(impactOf([], { users: none, flags }))).toBe(
    'No user was seen yet: 15% of all user keys change.',
  )
})

test('the coverage states for how many users the numbers are exact', () => {
  expect(describeCoverage(impactOf([]))).toBe('Exact for all 1,204.')
  const users = { known: 1204, with_attributes: 1180, all: { estimate: 90_000, low: 88_000, high: 92_000 } }
  expect(describeCoverage(impactOf([], { users, changed: { certain: 0, possible: 2 } }))).toBe(
    'A sample of about 90,000 users. Exact for 1,180. 24 sent no attributes: 2 of them may change.',
  )
  const all = { estimate: 4_500, low: 3_900, high: 5_200 }
  const changed = { certain: 60, possible: 0, all }
  expect(describeCoverage(impactOf([], { users, changed }))).toMatch(
    /^A sample of about 90,000 users, of whom 3,900 to 5,200 change\. /,
  )
})
