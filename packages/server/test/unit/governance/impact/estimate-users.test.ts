import { expect, test } from 'vitest'
import { estimateChanged, estimateUsers } from '../../../../src/governance/impact/estimate-users.ts'

const POPULATIONS = 1_000
const USERS = 1_000_000
const KEPT = 10_000

/** Numbers from 0 to 1, the same ones every time (mulberry32). */
function numbersFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/**
 * Draws the smallest hashes of a population: the gaps between ordered uniform numbers are exponential. Each
 * user is one of those who change with their share.
 */
function drawSample(random: () => number, changing: number) {
  let sum = 0
  let certain = 0
  let left = changing
  for (let nth = 0; nth < KEPT; nth += 1) {
    sum -= Math.log(1 - random())
    if (random() * (USERS - nth) >= left) continue
    certain += 1
    left -= 1
  }
  // The other gaps, whose sum is normal to any precision that matters.
  const rest = USERS + 1 - KEPT
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return { lastPlace: sum / (sum + rest + normal * Math.sqrt(rest)), certain }
}

test('the intervals of all users and of those who change contain the truth in 95 of 100 populations', () => {
  const random = numbersFrom(42)
  let all = 0
  let changed = 0
  for (let nth = 0; nth < POPULATIONS; nth += 1) {
    const changing = Math.floor(random() ** 3 * USERS)
    const { certain, lastPlace } = drawSample(random, changing)
    const users = estimateUsers({ count: KEPT, max: KEPT, lastPlace })
    const affected = estimateChanged(users, KEPT, { certain, possible: 0 })
    if (users.low <= USERS && USERS <= users.high) all += 1
    if (affected.low <= changing && changing <= affected.high) changed += 1
    expect(users.high - users.low).toBeLessThan(USERS * 0.05)
  }
  expect(all).toBeGreaterThanOrEqual(POPULATIONS * 0.95)
  expect(changed).toBeGreaterThanOrEqual(POPULATIONS * 0.95)
})

test('a sample that is not full is everybody, and a share of nobody or everybody stays within bounds', () => {
  const whole = estimateUsers({ count: 40, max: 100, lastPlace: 0.99 })
  expect(whole).toEqual({ estimate: 40, low: 40, high: 40 })
  const sample = estimateUsers({ count: 100, max: 100, lastPlace: 0.01 })
  expect(sample).toMatchObject({ estimate: 9_900 })
  const none = estimateChanged(sample, 100, { certain: 0, possible: 0 })
  expect(none).toMatchObject({ estimate: 0, low: 0 })
  expect(none.high).toBeGreaterThan(0)
  const everybody = estimateChanged(sample, 100, { certain: 100, possible: 0 })
  expect(everybody).toMatchObject({ estimate: 9_900, high: sample.high })
  const maybe = estimateChanged(sample, 100, { certain: 10, possible: 20 })
  expect(maybe.low).toBeLessThan(990)
  expect(maybe.high).toBeGreaterThan(2_970)
})
