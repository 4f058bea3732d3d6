import { describe, expect, it } from 'vitest'
import { toGoalEventBatch } from '../../../../src/reporting/goal-events/goal-event-batch.ts'
import { toImpressionBatch } from '../../../../src/reporting/impressions/impression-batch.ts'
import { finish } from '../../../harness/finish.ts'

const ARRIVAL = { receivedAt: 0, isFromClient: false, contentLength: '9000000', name: undefined }

describe('the memory of pending reports', () => {
  it('pending reports weigh as much as their bodies: fields that are not kept stay in memory until then', () => {
    expect(finish(toImpressionBatch([{ flag_key: 'a', value: 'b' }], ARRIVAL)).bytes).toBeGreaterThan(
      9_000_000,
    )
    expect(finish(toGoalEventBatch([{ event_key: 'a' }], ARRIVAL)).bytes).toBeGreaterThan(9_000_000)
  })
})
