import { describe, expect, it } from 'vitest'
import { MAX_BATCH_BYTES, splitBatch } from '../../src/reporting/split-batch.ts'

const bytesOf = (items: string[]): number => new TextEncoder().encode(`[${items}]`).length

describe('splitBatch', () => {
  it('keeps what fits together', () => {
    expect(splitBatch(['1', '2'])).toEqual([['1', '2']])
    expect(splitBatch([])).toEqual([])
  })

  it('splits by bytes, not by characters, and keeps all in order', () => {
    const items = Array.from({ length: 100 }, (_, index) => JSON.stringify('ü'.repeat(1_000) + index))
    const batches = splitBatch(items)

    expect(batches.flat()).toEqual(items)
    expect(batches.length).toBeGreaterThan(3)
    for (const batch of batches) expect(bytesOf(batch)).toBeLessThanOrEqual(MAX_BATCH_BYTES + 1)
  })

  it('lets an item go alone that is larger by itself', () => {
    const large = 'x'.repeat(MAX_BATCH_BYTES + 1)

    expect(splitBatch(['1', large, '2'])).toEqual([['1'], [large], ['2']])
  })
})
