import { describe, expect, it } from 'vitest'
import { createStreamCounts } from '../../../../src/serving/connections/stream-counts.ts'

const CHANGED = { all: false }
const ALL = { all: true }

/** Creates counts with a clock that advances one second on each call. */
function aCount() {
  let reads = 0
  return createStreamCounts({ now: () => `2026-01-05T10:00:0${reads++}.000Z` })
}

describe('the streams of an instance', () => {
  it('streams are counted by environment as they open and close', () => {
    const counts = aCount()
    counts.opened('a')
    counts.opened('a')
    counts.opened('b')
    counts.closed('a')
    expect(counts.of('a')).toEqual({ streams: 1, connected_at: '2026-01-05T10:00:01.000Z' })
    expect(counts.of('b')).toEqual({ streams: 1, connected_at: '2026-01-05T10:00:02.000Z' })
    expect(counts.of('c')).toEqual({ streams: 0, connected_at: null })
  })

  it('counts of streams are reported once when they change, and all on request', () => {
    const counts = aCount()
    counts.opened('a')
    const due = counts.due(CHANGED)
    expect(due).toEqual([{ environment_id: 'a', streams: 1, connected_at: '2026-01-05T10:00:00.000Z' }])
    expect(counts.due(CHANGED)).toEqual(due)
    counts.reported(due)
    expect(counts.due(CHANGED)).toEqual([])
    expect(counts.due(ALL)).toEqual([{ environment_id: 'a', streams: 1, connected_at: null }])
  })

  it('counts stay due when they change during a report', () => {
    const counts = aCount()
    counts.opened('a')
    const due = counts.due(CHANGED)
    counts.opened('a')
    counts.reported(due)
    expect(counts.due(CHANGED)).toEqual([
      { environment_id: 'a', streams: 2, connected_at: '2026-01-05T10:00:01.000Z' },
    ])
  })

  it('a stream that opened and closed between two reports is reported and then removed', () => {
    const counts = aCount()
    counts.opened('a')
    counts.closed('a')
    const due = counts.due(CHANGED)
    expect(due).toEqual([{ environment_id: 'a', streams: 0, connected_at: '2026-01-05T10:00:00.000Z' }])
    counts.reported(due)
    expect([counts.due(ALL), counts.of('a')]).toEqual([[], { streams: 0, connected_at: null }])
  })

  it('the end of the last stream is reported', () => {
    const counts = aCount()
    counts.opened('a')
    counts.reported(counts.due(CHANGED))
    counts.closed('a')
    expect(counts.due(CHANGED)).toEqual([{ environment_id: 'a', streams: 0, connected_at: null }])
    counts.reported(counts.due(CHANGED))
    expect(counts.due(ALL)).toEqual([])
  })
})
