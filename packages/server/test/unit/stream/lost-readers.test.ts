import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Connection } from '../../../src/stream/connection.ts'
import { watchLostReaders } from '../../../src/stream/lost-readers.ts'
import { createManualClock } from '../../harness/manual-clock.ts'

const SECOND_MS = 1_000

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

/** Watches readers with these peers, and advances the time with the peers that do not acknowledge. */
function watch(peers: readonly (string | null)[]) {
  const cut: (string | null)[] = []
  const clock = createManualClock()
  let reads = 0
  let unanswered: readonly string[] = []
  const connections = peers.map((peer) => ({ peer, cut: () => cut.push(peer) })) as unknown as Connection[]
  const watching = watchLostReaders({
    clock,
    connections: () => connections,
    readPeers: async () => {
      reads += 1
      return new Set(unanswered)
    },
  })
  return {
    connections,
    cut,
    reads: () => reads,
    close: watching.close,
    async pass(seconds: number, silent: readonly string[]) {
      unanswered = silent
      for (let second = 0; second < seconds; second++) {
        clock.advance(SECOND_MS)
        await vi.advanceTimersByTimeAsync(SECOND_MS)
      }
    },
  }
}

describe('readers whose packets are lost', () => {
  test('a reader that acknowledges nothing for 15 s is dropped, and no other one', async () => {
    const readers = watch(['lost', 'well', null])
    await readers.pass(15, ['lost', 'a connection of another program'])
    expect(readers.cut).toEqual([])
    await readers.pass(5, ['lost'])
    expect(readers.cut).toEqual(['lost'])
    readers.close()
  })

  test('a reader that acknowledges in between stays', async () => {
    const readers = watch(['slow'])
    for (let round = 0; round < 5; round++) {
      await readers.pass(15, ['slow'])
      await readers.pass(5, [])
    }
    expect(readers.cut).toEqual([])
    readers.close()
  })

  test('a reader that came after all others were gone is not dropped for the silence of an earlier one', async () => {
    const readers = watch(['same address'])
    await readers.pass(10, ['same address'])
    const [reader] = readers.connections.splice(0)
    await readers.pass(20, [])
    readers.connections.push(reader as Connection)
    await readers.pass(15, ['same address'])
    expect(readers.cut).toEqual([])
    await readers.pass(5, ['same address'])
    expect(readers.cut).toEqual(['same address'])
    readers.close()
  })

  test('thousands of lost readers are dropped in several turns of the event loop', async () => {
    const peers = Array.from({ length: 2_000 }, (_, at) => `reader ${at}`)
    const readers = watch(peers)
    await readers.pass(19, peers)
    const dropping = readers.pass(1, peers)
    let mostInOneTurn = 0
    while (readers.cut.length < peers.length) {
      const before = readers.cut.length
      await nextTurn()
      mostInOneTurn = Math.max(mostInOneTurn, readers.cut.length - before)
    }
    await dropping
    expect(mostInOneTurn).toBeLessThanOrEqual(500)
    readers.close()
  })

  test('the tables are not read without readers, or after the end', async () => {
    const empty = watch([])
    await empty.pass(20, [])
    expect(empty.reads()).toBe(0)
    empty.close()
    const readers = watch(['well'])
    readers.close()
    await readers.pass(20, [])
    expect(readers.reads()).toBe(0)
  })
})
