import { expect, test } from 'vitest'
import { toExposureSeries } from '../../../src/features/exposure/exposure-series.ts'

const DAYS = ['2026-03-01', '2026-03-02']
const variantOf = (value: string, impressions = 1) => ({ value, impressions, unique_users: 1 })

test('every day is there, with zeros where nothing was seen', () => {
  const series = toExposureSeries(
    {
      variants: [variantOf('true', 3), variantOf('false')],
      timeline: [
        { day: '2026-03-02', value: 'true', count: 3 },
        { day: '2026-03-02', value: 'false', count: 1 },
      ],
    },
    DAYS,
  )

  expect(series.values).toEqual(['false', 'true'])
  expect(series.days).toEqual([
    { day: '2026-03-01', counts: [0, 0] },
    { day: '2026-03-02', counts: [1, 3] },
  ])
})

test('values beyond those with a colour of their own are counted together', () => {
  const values = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
  const series = toExposureSeries(
    {
      variants: values.map((value, index) => variantOf(value, 10 - index)),
      timeline: values.map((value) => ({ day: '2026-03-01', value, count: 2 })),
    },
    DAYS,
  )

  expect(series.values).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(series.hasRest).toBe(true)
  expect(series.days[0]?.counts).toEqual([2, 2, 2, 2, 2, 4])
})

test('days outside the span are left out', () => {
  const timeline = [{ day: '2026-02-01', value: 'true', count: 1 }]

  expect(toExposureSeries({ variants: [variantOf('true')], timeline }, DAYS).days[0]?.counts).toEqual([0])
})
