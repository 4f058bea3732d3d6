import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Connection } from '../../../../src/serving/stream/connection.ts'
import { watchLostReaders } from '../../../../src/serving/stream/lost-readers.ts'
import { createManualClock } from '../../../harness/manual-clock.ts'

const SECOND_MS = 1_000

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

const portOf = (peer: string) => Number(peer.split(' ')[1])

/** Watches readers with these peers, and advances the time with the peers that do not acknowledge. */
function watch(peers: readonly string[]) {
  const cut: string[] = []
  const clock = createManualClock()
  let reads = 0
  let unanswered: readonly string[] = []
  let timeouts: string | null = '0'
  let isReadable = true
  const readers = peers.map((peer) => ({ peer, remotePort: portOf(peer), cut: () => cut.push(peer) }))
  const connections = readers as unknown as Connection[]
  const watching = watchLostReaders({
    clock,
    connections: () => connections,
    countTimeouts: async () => timeouts,
    readPeers: async () => {
      reads += 1
      return isReadable ? new Set(unanswered) : null
    },
  })
  return {
    connections,
    cut,
    reads: () => reads,
    close: watching.close,
    /** Sets whether the tables can be read. */
    setReadable(value: boolean) {
      isReadable = value
    },
    /** Sets the kernel's counter of timeouts; null on a system without one. */
    count(value: string | null) {
      timeouts = value
    },
    async pass(seconds: number, silent: readonly string[]) {
      if (silent.some((peer) => !unanswered.includes(peer)))
        timeouts = timeouts && String(Number(timeouts) + 1)
      unanswered = silent
      for (let second = 0; second < seconds; second++) {
        clock.advance(SECOND_MS)
        await vi.advanceTimersByTimeAsync(SECOND_MS)
      }
    },
  }
}

describe('readers whose packets are lost', () => {
  test('tables that cannot be read for a while neither acquit a reader nor end the looks', async () => {
    const readers = watch(['10.0.0.1 1 3000'])
    await readers.pass(10, ['10.0.0.1 1 3000'])
    readers.setReadable(false)
    await readers.pass(5, ['10.0.0.1 1 3000'])
    readers.setReadable(true)
    await readers.pass(5, ['10.0.0.1 1 3000'])
    expect(readers.cut).toEqual(['10.0.0.1 1 3000'])
    readers.close()
  })

  test('a reader that acknowledges nothing for 15 s is dropped, and no other one', async () => {
    const readers = watch(['10.0.0.1 1 3000', '10.0.0.2 2 3000'])
    await readers.pass(15, ['10.0.0.1 1 3000', '10.0.0.1 1 22'])
    expect(readers.cut).toEqual([])
    await readers.pass(5, ['10.0.0.1 1 3000'])
    expect(readers.cut).toEqual(['10.0.0.1 1 3000'])
    readers.close()
  })

  test('a reader that acknowledges in between stays', async () => {
    const readers = watch(['10.0.0.3 3 3000'])
    for (let round = 0; round < 5; round++) {
      await readers.pass(15, ['10.0.0.3 3 3000'])
      await readers.pass(5, [])
    }
    expect(readers.cut).toEqual([])
    readers.close()
  })

  test('a reader that came after all others were gone is not dropped for the silence of an earlier one', async () => {
    const readers = watch(['10.0.0.4 4 3000'])
    await readers.pass(10, ['10.0.0.4 4 3000'])
    const [reader] = readers.connections.splice(0)
    await readers.pass(20, [])
    readers.connections.push(reader as Connection)
    await readers.pass(15, ['10.0.0.4 4 3000'])
    expect(readers.cut).toEqual([])
    await readers.pass(5, ['10.0.0.4 4 3000'])
    expect(readers.cut).toEqual(['10.0.0.4 4 3000'])
    readers.close()
  })

  test('thousands of lost readers are dropped in several turns of the event loop', async () => {
    const peers = Array.from({ length: 2_000 }, (_, at) => `10.0.0.9 ${at} 3000`)
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

  test('the tables are read again only after another timeout, and while a reader is suspected', async () => {
    const readers = watch(['10.0.0.1 1 3000', '10.0.0.2 2 3000'])
    await readers.pass(20, [])
    expect(readers.reads()).toBe(1)
    await readers.pass(5, ['10.0.0.2 2 3000'])
    expect(readers.reads()).toBe(2)
    await readers.pass(10, ['10.0.0.2 2 3000'])
    expect(readers.reads()).toBe(4)
    await readers.pass(20, [])
    expect(readers.reads()).toBe(5)
    await readers.pass(5, ['10.0.0.2 2 22'])
    await readers.pass(20, ['10.0.0.2 2 22'])
    expect(readers.reads()).toBe(6)
    readers.close()
  })

  test('the tables are read at every look where the system counts no timeouts', async () => {
    const readers = watch(['10.0.0.1 1 3000'])
    readers.count(null)
    await readers.pass(20, [])
    expect(readers.reads()).toBe(4)
    readers.close()
  })

  test('the tables are not read without readers, or after the end', async () => {
    const empty = watch([])
    await empty.pass(20, [])
    expect(empty.reads()).toBe(0)
    empty.close()
    const readers = watch(['10.0.0.2 2 3000'])
    readers.close()
    await readers.pass(20, [])
    expect(readers.reads()).toBe(0)
  })
})
