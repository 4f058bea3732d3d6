import { describe, expect, it } from 'vitest'
import { countImpressions } from '../../../../src/reporting/impressions/count-impressions.ts'
import type { CleanImpression } from '../../../../src/reporting/impressions/impression-batch.ts'
import { finish } from '../../../harness/finish.ts'

const hash = (text: string) => Buffer.from(`#${text}`)
const hashes = { hashUser: hash, hashValue: hash }
const seen = (fields: Partial<CleanImpression>): CleanImpression => ({
  flag_key: 'a',
  user_id: 'ada',
  value: 'x',
  context: null,
  evaluated_at: 0,
  exposed_at: fields.evaluated_at ?? 0,
  ...fields,
})
const DAY_MS = 86_400_000

describe('counting a group of impressions', () => {
  it('counting takes the earliest time of each user and value, and the first of equal ones', () => {
    const { users } = finish(
      countImpressions(
        [
          seen({ evaluated_at: 5 }),
          seen({ evaluated_at: 3 }),
          seen({ evaluated_at: 3 }),
          seen({ value: 'y', evaluated_at: 9 }),
          seen({ user_id: null, evaluated_at: 1 }),
        ],
        hashes,
      ),
    )
    const ada = { flag_key: 'a', user_hash: hash('ada') }
    expect(users).toEqual([
      { ...ada, value_hash: hash('x'), first_at: 3, index: 1 },
      { ...ada, value_hash: hash('y'), first_at: 9, index: 3 },
    ])
  })

  it('counting groups values by the UTC day of evaluation, also before 1970', () => {
    const times = [0, DAY_MS - 1, DAY_MS, -1]
    const { days, flags, values } = finish(
      countImpressions(
        times.map((evaluated_at) => seen({ evaluated_at })),
        hashes,
      ),
    )
    expect(days.map(({ day, impressions }) => [day, impressions])).toEqual([
      [0, 2],
      [1, 1],
      [-1, 1],
    ])
    expect(flags).toEqual(['a'])
    expect(values).toMatchObject([{ value: 'x', impressions: 4, last_seen: DAY_MS }])
  })
})
