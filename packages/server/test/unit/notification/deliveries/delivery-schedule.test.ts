import { describe, expect, it } from 'vitest'
import type { DeliveryJob } from '../../../../src/notification/deliveries/delivery-job.ts'
import {
  afterChange,
  afterClaim,
  afterFanOut,
  atPoll,
  batchFor,
  claimLimits,
  type DeliveryLoad,
  INITIAL_LOAD,
  pollDelayMs,
  shouldThrottle,
} from '../../../../src/notification/deliveries/delivery-schedule.ts'

/** Busy, with a change at 1,000 ms and a poll at the same time. */
const CHANGING = atPoll(afterChange(INITIAL_LOAD, 1_000), { nowMs: 1_000, utilization: 0.9 })

const changingAt = (nowMs: number, load: DeliveryLoad = CHANGING) => afterChange(load, nowMs)

describe('deliveries are throttled', () => {
  it('deliveries are throttled while this process is busy with changes', () => {
    expect(shouldThrottle(CHANGING, 1_050)).toBe(true)
    expect(batchFor(CHANGING, 1_050)).toEqual({ events: 1, healthy: 8, failing: 2, retries: 4 })
  })

  it('deliveries are not throttled before the first poll and the first change', () => {
    expect(shouldThrottle(INITIAL_LOAD, 0)).toBe(false)
    expect(batchFor(INITIAL_LOAD, 0)).toEqual({ events: 100, healthy: 100, failing: 25, retries: 50 })
  })

  it('deliveries are not throttled when the last change was more than 100 ms ago', () => {
    expect(shouldThrottle(CHANGING, 1_100)).toBe(true)
    expect(shouldThrottle(CHANGING, 1_101)).toBe(false)
  })

  it('deliveries are throttled from a utilization of one half', () => {
    const load = (utilization: number) => atPoll(CHANGING, { nowMs: 1_000, utilization })
    expect(shouldThrottle(load(0.49), 1_050)).toBe(false)
    expect(shouldThrottle(load(0.5), 1_050)).toBe(true)
  })

  it('deliveries are not throttled when events have waited for more than 3 s', () => {
    const behind = afterFanOut(CHANGING, true)
    expect(shouldThrottle(changingAt(4_000, behind), 4_000)).toBe(true)
    expect(shouldThrottle(changingAt(4_001, behind), 4_001)).toBe(false)
  })

  it('deliveries are throttled again when the waiting events were fanned out', () => {
    const caughtUp = afterFanOut(afterFanOut(CHANGING, true), false)
    expect(shouldThrottle(changingAt(9_000, caughtUp), 9_000)).toBe(true)
  })

  it('deliveries are not throttled when the last claim found jobs that were due for more than 3 s', () => {
    expect(shouldThrottle(afterClaim(CHANGING, 3_000), 1_050)).toBe(true)
    expect(shouldThrottle(afterClaim(CHANGING, 3_001), 1_050)).toBe(false)
    expect(shouldThrottle(afterClaim(afterClaim(CHANGING, 3_001), 0), 1_050)).toBe(true)
  })
})

describe('the time since which events wait', () => {
  it('the time since which events wait is that of the first poll that left some', () => {
    const first = afterFanOut(CHANGING, true)
    const later = afterFanOut(atPoll(first, { nowMs: 2_000, utilization: 0.9 }), true)
    expect(later.behindSinceMs).toBe(1_000)
  })
})

describe('a poll that is wanted', () => {
  it('a requested poll runs at once while deliveries are not throttled', () => {
    expect(pollDelayMs(INITIAL_LOAD, 5)).toBe(0)
  })

  it('a requested poll waits until 100 ms after the last one while deliveries are throttled', () => {
    expect(pollDelayMs(CHANGING, 1_030)).toBe(70)
    expect(pollDelayMs(changingAt(1_200), 1_200)).toBe(0)
  })
})

describe('the limits of a claim', () => {
  const batch = { events: 100, healthy: 100, failing: 25, retries: 50 }
  const job = (id: number, receiver: string, attempt: number): DeliveryJob => ({
    id,
    event_id: id,
    message_id: `evt_${id}`,
    isManual: false,
    attempt,
    receiver: { kind: 'webhook', id: receiver, enabled: true, url: '', secret_sealed: null },
  })
  const capacity = (connections: number) => ({ connections, heldReceivers: [] })
  const jobs = (count: number, attempt: number) =>
    Array.from({ length: count }, (_, id) => job(id, `receiver ${id}`, attempt))

  it('the limits of a claim are those of the batch with enough connections', () => {
    expect(claimLimits([], batch, capacity(1_500))).toEqual({
      healthy: 100,
      failing: 25,
      retries: 50,
      retriesPerReceiver: 4,
      saturatedReceivers: [],
      heldReceivers: [],
    })
  })

  it('the limits of a claim leave two thirds of the connections to first attempts', () => {
    expect(claimLimits([], batch, capacity(9))).toMatchObject({ healthy: 6, failing: 6, retries: 3 })
    expect(claimLimits([...jobs(5, 1), ...jobs(2, 2)], batch, capacity(9))).toMatchObject({
      healthy: 1,
      failing: 1,
      retries: 1,
    })
  })

  it('the limits of a claim are never negative', () => {
    expect(claimLimits([...jobs(20, 1), ...jobs(20, 3)], batch, capacity(9))).toMatchObject({
      healthy: 0,
      failing: 0,
      retries: 0,
    })
  })

  it('the limits of a claim name the receivers with four running retries, and no others', () => {
    const running = [1, 2, 3, 4].map((id) => job(id, 'failing', 2))
    const others = [5, 6, 7].map((id) => job(id, 'slow', 2))
    expect(
      claimLimits([...running, ...others, job(8, 'failing', 1)], batch, capacity(1_500)).saturatedReceivers,
    ).toEqual(['failing'])
  })
})
