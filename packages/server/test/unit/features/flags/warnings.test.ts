import type { Flag, TargetingRule } from '@burgee/contract'
import { describe, expect, it } from 'vitest'
import { toFlagContent } from '../../../../src/features/flags/flag.ts'
import { findPrerequisiteWarnings } from '../../../../src/features/flags/prerequisite-warnings.ts'
import { findRuleWarnings } from '../../../../src/features/rules/find-rule-warnings.ts'
import { findUnknownFields } from '../../../../src/features/rules/find-unknown-fields.ts'

const test = (
  attribute: string,
  operator: TargetingRule['operator'],
  ...values: string[]
): TargetingRule => ({
  attribute,
  ...(operator !== undefined && { operator }),
  values,
})
const codes = (rules: TargetingRule[], segments: Record<string, TargetingRule[]> = {}) =>
  findRuleWarnings(rules, new Map(Object.entries(segments))).map(({ code, path }) => `${code} ${path}`)

describe('warnings about rules', () => {
  it.each([
    ['a segment that is not there', [{ segment_key: 'gone' }], ['unknown_segment /rules/0/segment_key']],
    ['not_equals with two values', [test('a', 'not_equals', 'x', 'y')], ['not_equals_many /rules/0/values']],
    [
      'not_equals with two values in a condition',
      [
        {
          ...test('a', 'equals', 'x'),
          conditions: [{ attribute: 'b', operator: 'not_equals', values: ['x', 'y'] }],
        },
      ],
      ['not_equals_many /rules/0/conditions/0/values'],
    ],
    ['a test without values', [test('a', 'equals')], ['rule_unreachable /rules/0']],
    [
      'the same rule again',
      [test('a', 'equals', 'x'), test('a', 'equals', 'x')],
      ['rule_unreachable /rules/1'],
    ],
    [
      'a rule within an earlier one',
      [test('a', 'equals', 'x', 'y'), test('a', 'equals', 'y')],
      ['rule_unreachable /rules/1'],
    ],
    ['the same segment again', [{ segment_key: 's' }, { segment_key: 's' }], ['rule_unreachable /rules/1']],
    [
      'anything behind a rule that matches everybody',
      [test('a', 'not_equals', 'x', 'y'), test('b', 'equals', 'z')],
      ['not_equals_many /rules/0/values', 'rule_unreachable /rules/1'],
    ],
  ] as [string, TargetingRule[], string[]][])('rules get a warning: %s', (_name, rules, expected) => {
    expect(codes(rules, { s: [test('a', 'equals', 'x')] })).toEqual(expected)
  })

  it.each([
    ['a wider rule after a narrower one', [test('a', 'equals', 'x'), test('a', 'equals', 'x', 'y')]],
    ['another operator', [test('a', 'equals', 'x'), test('a', 'contains', 'x')]],
    [
      'a rule after one with a further condition',
      [
        { ...test('a', 'equals', 'x'), conditions: [{ attribute: 'b', operator: 'equals', values: ['y'] }] },
        test('a', 'equals', 'x'),
      ],
    ],
    ['not_equals with the same value twice', [test('a', 'not_equals', 'x', 'x')]],
  ] as [string, TargetingRule[]][])('rules get no warning: %s', (_name, rules) => {
    expect(codes(rules)).toEqual([])
  })
})

describe('warnings about prerequisites', () => {
  const flag = (key: string, more: Partial<Flag> = {}): Flag => ({
    ...toFlagContent({ key, is_enabled: true }),
    archived_at: null,
    revision: 1,
    ...more,
  })
  const warningsOf = (subject: Flag, ...others: Flag[]) =>
    findPrerequisiteWarnings(
      subject,
      new Map([subject, ...others].map((each) => [each.key, each])),
      new Map(),
    ).map(({ code, path }) => `${code} ${path}`)
  const needing = (flag_key: string, required_value?: never) =>
    flag('f', { prerequisites: [{ flag_key, ...(required_value !== undefined && { required_value }) }] })

  it('a missing flag as prerequisite gets a warning', () => {
    expect(warningsOf(needing('gone'))).toEqual(['unknown_prerequisite /prerequisites/0/flag_key'])
  })

  it('an archived flag as prerequisite gets a warning', () => {
    const archived = flag('p', { archived_at: '2026-01-01T00:00:00.000Z' })
    expect(warningsOf(needing('p'), archived)).toEqual(['prerequisite_archived /prerequisites/0/flag_key'])
  })

  it.each([
    ['itself', needing('f'), []],
    ['a flag that needs it', needing('p'), [flag('p', { prerequisites: [{ flag_key: 'f' }] })]],
    [
      'a longer way round',
      needing('p'),
      [flag('p', { prerequisites: [{ flag_key: 'q' }] }), flag('q', { prerequisites: [{ flag_key: 'f' }] })],
    ],
  ] as [string, Flag, Flag[]][])(
    'a cycle of prerequisites through %s gets a warning',
    (_name, subject, others) => {
      expect(warningsOf(subject, ...others)).toEqual(['prerequisite_cycle /prerequisites/0/flag_key'])
    },
  )

  it.each([
    ['true of a boolean flag', 'p', true, []],
    [
      'false of a boolean flag that is true when on',
      'p',
      false,
      ['required_value_unreachable /prerequisites/0/required_value'],
    ],
    ['a weighted value', 's', 'red', []],
    ['a value of weight 0', 's', 'blue', ['required_value_unreachable /prerequisites/0/required_value']],
    ["a rule's value", 's', 'gold', []],
    ['a default behind weights, which a user without a key gets', 's', 'plain', []],
  ])('an impossible required value gets a warning: %s', (_name, key, value, expected) => {
    const colour = flag('s', {
      flag_type: 'string',
      default_value: 'plain',
      rules: [{ ...test('a', 'equals', 'x'), variant: 'gold' }],
      variants: [
        { weight: 1, value: 'red' },
        { weight: 0, value: 'blue' },
      ],
    })
    expect(warningsOf(needing(key, value as never), flag('p'), colour)).toEqual(expected)
  })
})

describe('warnings about unknown fields', () => {
  it('unknown fields get warnings with their paths, in the flag and in its parts', () => {
    const body = {
      key: 'f',
      is_enabled: true,
      enabled: true,
      rules: [{ attribute: 'a', op: 'equals', conditions: [{ attribute: 'a', value: 'b' }] }],
      variants: [{ weight: 1, wieght: 2 }],
      prerequisites: [{ flag_key: 'p', key: 'p' }],
      'a/b': 1,
    }
    expect(
      findUnknownFields(body, ['key', 'is_enabled', 'rules', 'variants', 'prerequisites']),
    ).toMatchObject([
      { code: 'unknown_field', path: '/enabled' },
      { path: '/a~1b' },
      { path: '/rules/0/op' },
      { path: '/rules/0/conditions/0/value' },
      { path: '/variants/0/wieght' },
      { path: '/prerequisites/0/key' },
    ])
  })

  it('read-only fields of a response get no warnings when they are sent back', () => {
    const body = {
      revision: 3,
      archived_at: null,
      created_at: 'x',
      id: 'x',
      environment_id: 'x',
      warnings: [],
    }
    expect(findUnknownFields(body, [])).toEqual([])
  })
})
