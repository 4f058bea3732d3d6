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
