import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createLanes } from '../../../../src/governance/scheduled-changes/lanes.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const settle = () => vi.advanceTimersByTimeAsync(0)
const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
const atOnce = <T>(work: () => Promise<T>) => work()

/** Work that is named when it begins, and ends when the test lets it end. */
function createWork() {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  return {
    begun,
    end: (name: string) => ends.get(name)?.(),
    named: (name: string) => () => {
      begun.push(name)
      return new Promise<void>((resolve) => ends.set(name, resolve))
    },
  }
}

describe('the lanes of due changes', () => {
  it('lanes run so many pieces of work at a time, and the others in order', async () => {
    const lanes = createLanes(2)
    const work = createWork()
    const all = ['a', 'b', 'c', 'd'].map((name) => lanes.run(atOnce, work.named(name)))
    await settle()
    expect(work.begun).toEqual(['a', 'b'])
    work.end('b')
    await settle()
    expect(work.begun).toEqual(['a', 'b', 'c'])
    for (const name of ['a', 'c']) work.end(name)
    await settle()
    work.end('d')
    await Promise.all(all)
  })

  it('a lane that waits for a turn lets another one run, and is the next when it has its turn', async () => {
    const lanes = createLanes(1)
    const work = createWork()
    let giveTurn = () => {}
    const turn = new Promise<void>((resolve) => {
      giveTurn = resolve
    })
    const slowTurn = <T>(run: () => Promise<T>) => turn.then(run)
    const slow = lanes.run(slowTurn, work.named('slow'))
    const quick = lanes.run(atOnce, work.named('quick'))
    const later = lanes.run(atOnce, work.named('later'))
    await settle()
    expect(work.begun).toEqual([])
    await vi.advanceTimersByTimeAsync(500)
    expect(work.begun).toEqual(['quick'])
    giveTurn()
    await settle()
    work.end('quick')
    await settle()
    expect(work.begun).toEqual(['quick', 'slow'])
    work.end('slow')
    await settle()
    work.end('later')
    await Promise.all([slow, quick, later])
  })

  it('work that fails, or has no turn, gives its place back once', async () => {
    const lanes = createLanes(1)
    const fail = () => Promise.reject(new Error('failed'))
    await expect(lanes.run(atOnce, fail)).rejects.toThrow('failed')
    const lateFailure = lanes.run(() => wait(1_000).then(fail), fail).catch(() => 'no turn')
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await lateFailure).toBe('no turn')
    const work = createWork()
    const all = ['a', 'b'].map((name) => lanes.run(atOnce, work.named(name)))
    await settle()
    expect(work.begun).toEqual(['a'])
    work.end('a')
    await settle()
    work.end('b')
    await Promise.all(all)
  })
})
