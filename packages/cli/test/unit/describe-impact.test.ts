import type { Impact } from '@burgee/contract'
import { expect, test } from 'vitest'
import { describeImpact } from '../../src/plan/describe-impact.ts'

const plain = (text: string) => text
const COLOURS = { bold: plain, red: plain } as unknown as Parameters<typeof describeImpact>[1]

test('a plan estimates how many of all users change, beside those that were evaluated', () => {
  const impact = {
    exact: false,
    users: {
      known: 10_000,
      with_attributes: 9_000,
      all: { estimate: 1_000_000, low: 990_000, high: 1_010_000 },
    },
    changed: {
      certain: 100,
      possible: 20,
      all: { estimate: 12_000, low: 11_000, high: 13_000 },
    },
    flags: [
      {
        ...{ flag_key: 'theme', cause: 'changed', changed: 120 },
        flips: [
          { from: 'light', to: 'dark', from_enabled: true, to_enabled: true, certain: 100, possible: 20 },
        ],
      },
    ],
    violations: [],
  } as unknown as Impact
  expect(describeImpact(impact, COLOURS)).toEqual([
    '  100 to 120 of 10,000 recently seen users get another result (not exact). Of all, about 12,000 (11,000 to 13,000).',
    '    theme: 100 to 120 get "dark" instead of "light"',
  ])
})
