import { createFlagSet, REASONS } from '@burgee/evaluation'
import { describe, expect, test } from 'vitest'
import { compareWithNow, describeNow, passes } from '../../../src/features/evaluate/compare-with-now.ts'
import { evaluateQuestion } from '../../../src/features/evaluate/describe-evaluation.ts'
import { describeReason } from '../../../src/features/evaluate/describe-reason.ts'
import { explainSteps } from '../../../src/features/evaluate/explain-evaluation.ts'
import { fromFieldText, toFieldText } from '../../../src/features/evaluate/local-moment.ts'
import { nameSubject } from '../../../src/features/evaluate/name-subject.ts'
import { aFlag } from '../a-flag.ts'

const ANNA = { user_key: 'anna', attributes: {} }
const item = (flag_key: string, value: boolean, enabled: boolean) => ({
  flag_key,
  value,
  enabled,
  reason: 'STATIC' as const,
})

describe('the values of a past moment', () => {
  test('those that are the same now have no value of now', () => {
    const set = createFlagSet([aFlag({ key: 'a' }), aFlag({ key: 'b', is_enabled: false })])
    const rows = compareWithNow(
      [item('a', true, true), item('b', true, true), item('c', true, true)],
      set,
      ANNA,
    )

    expect(rows.map(({ now }) => now && describeNow(now))).toEqual([
      null,
      'false (off)',
      'SDKs do not have the flag.',
    ])
    expect(rows.filter((row) => passes(row, 'different')).map(({ item }) => item.flag_key)).toEqual([
      'b',
      'c',
    ])
    expect(rows.filter((row) => passes(row, 'on'))).toHaveLength(3)
    expect(rows.filter((row) => passes(row, 'off'))).toHaveLength(0)
  })

  test('every reason has a sentence', () => {
    for (const reason of REASONS) expect(describeReason({ reason })).toMatch(/^[A-Z].*\.$/)
    expect(describeReason({ reason: 'ERROR', message: 'takes too many steps' })).toBe(
      'The flag takes too many steps.',
    )
    expect(describeReason({ reason: 'PREREQUISITE_FAILED', prerequisite_key: 'base' })).toBe(
      'The prerequisite base was not met.',
    )
  })

  test('the steps are described without the flag of then', () => {
    const flag = aFlag({
      flag_type: 'string',
      default_value: 'a',
      disabled_value: 'off',
      variants: [
        { weight: 1, value: 'b' },
        { weight: 1, value: 'c' },
      ],
    })
    const { evaluation, trace } = evaluateQuestion({ set: createFlagSet([flag]), flag, subject: ANNA })
    const { summary } = explainSteps({ evaluation, trace, subject: ANNA, flag: null })
    expect(summary).toMatch(/^Variant [12], chosen by the hash of the user key\.$/)
  })

  test('a time goes through the field of dates and back', () => {
    const at = '2026-11-17T14:02:11.000Z'
    expect(fromFieldText(toFieldText(at))).toBe(at)
    expect(fromFieldText('')).toBeNull()
  })

  test('users without a key have names', () => {
    expect([null, '', 'anna'].map(nameSubject)).toEqual([
      'an anonymous user',
      'the user with the empty key',
      'anna',
    ])
  })
})
