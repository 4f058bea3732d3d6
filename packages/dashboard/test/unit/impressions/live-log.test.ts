import type { Impression } from '@burgee/contract'
import { describe, expect, test } from 'vitest'
import {
  continueLog,
  LOG_MAX,
  skipAhead,
  startLog,
} from '../../../src/features/impressions/stream/live-log.ts'

const rowOf = (id: number): Impression => ({
  id,
  flag_key: 'checkout',
  user_id: null,
  value: 'true',
  context: null,
  evaluated_at: '2026-03-01T10:00:00Z',
})
const rows = (...ids: number[]) => ids.map(rowOf)
const idsOf = (log: { readonly rows: readonly Impression[] }) => log.rows.map(({ id }) => id)

describe('the log of the stream', () => {
  test('begins with the newest impressions, none of which is marked as new', () => {
    const log = startLog({ items: rows(3, 2, 1), total: 90 })

    expect(idsOf(log)).toEqual([3, 2, 1])
    expect(log).toMatchObject({ total: 90, last_id: 3, freshAfter: 3, missed: 0 })
  })

  test('begins at the first impression where there is none yet', () => {
    expect(startLog({ items: [], total: 0 }).last_id).toBe(0)
  })

  test('puts what came since on top, marked as new until the next response', () => {
    const log = continueLog(startLog({ items: rows(2, 1), total: 2 }), { items: rows(3, 4), total: 4 })

    expect(idsOf(log)).toEqual([4, 3, 2, 1])
    expect(log).toMatchObject({ total: 4, last_id: 4, freshAfter: 2 })
    expect(continueLog(log, { items: [], total: 4 })).toMatchObject({ last_id: 4, freshAfter: 4 })
  })

  test('keeps the rows as they are where nothing came, so that nothing is drawn again', () => {
    const log = startLog({ items: rows(2, 1), total: 2 })

    expect(continueLog(log, { items: [], total: 2 }).rows).toBe(log.rows)
  })

  test('keeps the newest rows only', () => {
    const many = Array.from({ length: LOG_MAX }, (_, index) => LOG_MAX - index)
    const log = continueLog(startLog({ items: rows(...many), total: LOG_MAX }), {
      items: rows(LOG_MAX + 1),
      total: LOG_MAX + 1,
    })

    expect(log.rows).toHaveLength(LOG_MAX)
    expect(log.rows[0]?.id).toBe(LOG_MAX + 1)
    expect(log.rows.at(-1)?.id).toBe(2)
  })

  test('counts what came too fast to be listed', () => {
    const log = skipAhead(startLog({ items: rows(2, 1), total: 2 }), { items: rows(100, 99), total: 100 })

    expect(idsOf(log)).toEqual([100, 99, 2, 1])
    expect(log.missed).toBe(96)
  })

  test('has missed nothing where the newest reach down to what it has', () => {
    const log = skipAhead(startLog({ items: rows(2, 1), total: 2 }), { items: rows(4, 3, 2), total: 4 })

    expect(idsOf(log)).toEqual([4, 3, 2, 1])
    expect(log.missed).toBe(0)
  })
})
