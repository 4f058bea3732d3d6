import type { Flag } from '@burgee/contract'
import { expect, test } from 'vitest'
import { describeServing } from '../../../src/features/flags/list/describe-serving.ts'
import { aFlag } from '../a-flag.ts'

const VARIANTS = [
  { weight: 1, value: 'sea' },
  { weight: 2, value: 'coral' },
  { weight: 0, value: 'meadow' },
]
const rules = (amount: number) =>
  Array.from({ length: amount }, () => ({
    attribute: 'country',
    operator: 'equals' as const,
    values: ['NO'],
  }))

test.each<[string, Partial<Flag>]>([
  ['On for everyone', {}],
  ['On for 25%', { rollout_percentage: 25 }],
  ['Off for everyone (0%)', { rollout_percentage: 0 }],
  ['No value for everyone (0%)', { flag_type: 'string', disabled_value: null, rollout_percentage: 0 }],
  ['Off', { is_enabled: false }],
  ['False for everyone', { default_value: false }],
  ['Off: true for everyone', { is_enabled: false, disabled_value: true }],
  ['1 rule, then off', { rules: rules(1), rollout_percentage: 0 }],
  ['3 rules, then on for 25%', { rules: rules(3), rollout_percentage: 25 }],
  ['2 rules, then on', { rules: rules(2) }],
  ['2 variants for everyone', { flag_type: 'string', variants: VARIANTS }],
  [
    '3 rules, then 2 variants for 50%',
    { flag_type: 'string', variants: VARIANTS, rules: rules(3), rollout_percentage: 50 },
  ],
  ['“coral” for everyone', { flag_type: 'string', variants: [{ weight: 1, value: 'coral' }] }],
  [
    'meadow for everyone',
    { flag_type: 'string', default_value: '#0a0', variant_names: { meadow: '#0a0', sky: '#00a' } },
  ],
  ['60 for everyone', { flag_type: 'integer', default_value: 60 }],
  ['No value for everyone', { flag_type: 'json', default_value: null }],
  ['Off: 60 for everyone', { flag_type: 'integer', is_enabled: false, disabled_value: 60 }],
  ['On for everyone; needs new-checkout', { prerequisites: [{ flag_key: 'new-checkout' }] }],
  ['On for everyone; needs 2 flags', { prerequisites: [{ flag_key: 'a' }, { flag_key: 'b' }] }],
  ['Not sent to programs', { archived_at: '2026-01-01T00:00:00.000Z' }],
])('a row states in a few words what the flag gives whom: %s', (words, flag) => {
  expect(describeServing(aFlag(flag))).toBe(words)
})

test('a long value is cut', () => {
  const flag = aFlag({ flag_type: 'string', default_value: 'x'.repeat(10_000) })

  expect(describeServing(flag).length).toBeLessThan(50)
})
