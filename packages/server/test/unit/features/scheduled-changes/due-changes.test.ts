import { describe, expect, it } from 'vitest'
import { groupByEnvironment, selectDue } from '../../../../src/features/scheduled-changes/due-changes.ts'
import type { DueChange } from '../../../../src/features/scheduled-changes/execution-queries.ts'

const change = (environment_id: string, id: string): DueChange => ({
  id,
  environment_id,
  flag_key: id,
  scheduled_by: 'ada@example.com',
  comment: null,
})

describe('the selection of due changes', () => {
  it('the selection has the changes that are due now, except for those of skipped environments', () => {
    const selection = selectDue(new Date('2026-01-05T10:00:00.000Z'), new Set(['a', 'b']))
    expect(selection).toMatchObject({ now: '2026-01-05T10:00:00.000Z', except: ['a', 'b'] })
  })

  it('the selection never takes a whole page from one environment', () => {
    const { limit, perEnvironment } = selectDue(new Date(0), [])
    expect(perEnvironment).toBeLessThan(limit)
  })
})

describe('due changes by environment', () => {
  it('grouped changes keep their order, and environments have the order of their first change', () => {
    const due = [change('b', '1'), change('a', '2'), change('b', '3'), change('c', '4'), change('a', '5')]
    const ids = groupByEnvironment(due).map((changes) => changes.map(({ id }) => id))
    expect(ids).toEqual([['1', '3'], ['2', '5'], ['4']])
  })

  it('without changes there are no groups', () => {
    expect(groupByEnvironment([])).toEqual([])
  })
})
