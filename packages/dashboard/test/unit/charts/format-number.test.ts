import { expect, test } from 'vitest'
import {
  formatChange,
  formatCompact,
  formatPoints,
  formatShare,
  formatSignedChange,
} from '../../../src/shared/charts/format-number.ts'
import { lastDays } from '../../../src/shared/charts/last-days.ts'

test('shares keep a digit, and small ones two that mean something', () => {
  expect([0, 0.1335, 0.00042, 0.9998, 1].map(formatShare)).toEqual(['0%', '13.4%', '0.042%', '99.9%', '100%'])
})

test('changes are whole per cents from ten, and only who lost everything lost 100%', () => {
  expect([0.0443, 0.3456, 12.2, -0.998, -1].map(formatChange)).toEqual([
    '4.4%',
    '35%',
    '1,220%',
    '99.8%',
    '100%',
  ])
  expect([0.3456, -0.016, 0].map(formatSignedChange)).toEqual(['+35%', '−1.6%', '0%'])
})

test('differences are percentage points with their sign', () => {
  expect([0.0343, -0.0059, 0.00002, 0].map(formatPoints)).toEqual(['+3.43', '−0.59', '+0.002', '0'])
})

test('axes write numbers out until they are long', () => {
  expect([1_350, 25_700].map(formatCompact)).toEqual(['1,350', '25.7K'])
})

test('the last days end with today, UTC', () => {
  expect(lastDays(3, Date.parse('2026-03-01T00:30:00Z'))).toEqual(['2026-02-27', '2026-02-28', '2026-03-01'])
})
