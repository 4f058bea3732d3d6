import { describe, expect, it } from 'vitest'
import { systemClock } from '../../../../src/platform/clock.ts'
import { createResponseBudget } from '../../../../src/platform/concurrency/response-budget.ts'

const deps = { clock: systemClock }

describe('the budget of large answers', () => {
  it('the budget admits requests while there is capacity, and the next in order', async () => {
    const budget = createResponseBudget(deps, { maxBytes: 100 })
    const first = await budget.take(60)
    const second = await budget.take(40)
    const order: string[] = []
    const large = budget.take(90).then((lease) => {
      order.push('large')
      return lease
    })
    const small = budget.take(5).then((lease) => {
      order.push('small')
      return lease
    })
    second.release()
    expect(budget.inUse()).toBe(60)
    first.release()
    for (const lease of await Promise.all([large, small])) lease.release()
    expect(order).toEqual(['large', 'small'])
    expect(budget.inUse()).toBe(0)
  })

  it('the budget counts a response larger than the total as the total', async () => {
    const budget = createResponseBudget(deps, { maxBytes: 100 })
    const lease = await budget.take(1_000)
    expect(budget.inUse()).toBe(100)
    lease.release()
  })

  it('the budget regains bytes when a response shrinks, and only once when it is released twice', async () => {
    const budget = createResponseBudget(deps, { maxBytes: 100 })
    const lease = await budget.take(100)
    const next = budget.take(50)
    lease.shrinkTo(50)
    expect(budget.inUse()).toBe(100)
    lease.release()
    lease.release()
    expect(budget.inUse()).toBe(50)
    ;(await next).release()
  })

  it('the budget refuses with "unavailable" when nothing becomes free in time', async () => {
    const budget = createResponseBudget(deps, { maxBytes: 100, wait_ms: 5 })
    const lease = await budget.take(100)
    const refused = await budget.take(1).catch((error: unknown) => error)
    expect(refused).toMatchObject({ kind: 'unavailable', extras: { retry_after_seconds: 5 } })
    lease.release()
    expect(budget.inUse()).toBe(0)
  })

  it('the budget lets a request wait longer than others on request', async () => {
    const budget = createResponseBudget(deps, { maxBytes: 100, wait_ms: 5 })
    const held = await budget.take(100)
    const patient = budget.take(1, 60_000)
    await expect(budget.take(1)).rejects.toMatchObject({ kind: 'unavailable' })
    held.release()
    ;(await patient).release()
    expect(budget.inUse()).toBe(0)
  })

  it('the budget ends slow responses when others wait for their bytes', async () => {
    let nowMs = 0
    const clock = { now: () => new Date(), monotonicMs: () => nowMs }
    const budget = createResponseBudget({ clock }, { maxBytes: 100, slowAfterMs: 10 })
    const slow = await budget.take(100)
    slow.onEvict(() => slow.release())
    nowMs = 11
    const next = await budget.take(100)
    expect(budget.inUse()).toBe(100)
    next.release()
  })
})
