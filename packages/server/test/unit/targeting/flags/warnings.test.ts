import { type Flag, findUnknownFields, type TargetingRule, type Warning } from '@burgee/contract'
import { describe, expect, it } from 'vitest'
import { limitWarnings, withWarnings } from '../../../../src/kernel/with-warnings.ts'
import { toFlagContent } from '../../../../src/targeting/flag-model/flag.ts'
import { findPrerequisiteWarnings } from '../../../../src/targeting/flag-model/prerequisite-warnings.ts'
import {
  findValueWarnings,
  findVariantWarnings,
} from '../../../../src/targeting/flag-model/value-warnings.ts'
import { findRuleWarnings } from '../../../../src/targeting/rules/find-rule-warnings.ts'
import type { Segments } from '../../../../src/targeting/rules/segment-members.ts'

const test = (
  attribute: string,
  operator: TargetingRule['operator'],
  ...values: string[]
): TargetingRule => ({
  attribute,
  ...(operator !== undefined && { operator }),
  values,
})
const segmentsOf = (segments: Record<string, TargetingRule[]>): Segments =>
  new Map(Object.entries(segments).map(([key, rules]) => [key, { rules }]))
const codes = async (rules: TargetingRule[], segments: Record<string, TargetingRule[]> = {}) =>
  (await findRuleWarnings(rules, segmentsOf(segments))).map(({ code, path }) => `${code} ${path}`)

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
      'a complement without values, which covers no other rule',
      [test('a', 'not_in'), test('a', 'not_in', 'x')],
      ['rule_unreachable /rules/0'],
    ],
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
      'anything after a rule that matches every user',
      [test('a', 'not_equals', 'x', 'y'), test('b', 'equals', 'z')],
      ['not_equals_many /rules/0/values', 'rule_unreachable /rules/1'],
    ],
  ] as [string, TargetingRule[], string[]][])('rules get a warning: %s', async (_name, rules, expected) => {
    expect(await codes(rules, { s: [test('a', 'equals', 'x')] })).toEqual(expected)
  })

  it.each([
    [
      'an attribute without a name',
      [test('', 'equals', 'x'), test(' ', 'equals', 'x')],
      ['empty_attribute /rules/0/attribute', 'empty_attribute /rules/1/attribute'],
    ],
    [
      'a number compared with what is none',
      [test('age', 'greater_than', '18', 'adult'), test('age', 'less_than', '0x10')],
      ['not_a_number /rules/0/values/1', 'not_a_number /rules/1/values/0'],
    ],
    [
      'the same in a condition',
      [
        {
          ...test('a', 'equals', 'x'),
          conditions: [
            { attribute: 'b', operator: 'less_than_or_equal', values: ['1', ''] },
            { attribute: '', operator: 'equals', values: ['y'] },
          ],
        },
      ],
      ['not_a_number /rules/0/conditions/0/values/1', 'empty_attribute /rules/0/conditions/1/attribute'],
    ],
    [
      'nothing in the own test of a rule that names a segment',
      [{ ...test('', 'greater_than', 'x'), segment_key: 's' }],
      [],
    ],
    ['nothing where numbers are written as JSON writes them', [test('a', 'less_than', ' 1e3 ', '-0.5')], []],
  ] as [string, TargetingRule[], string[]][])('%s', async (_name, rules, expected) => {
    expect(await codes(rules, { s: [test('a', 'equals', 'x')] })).toEqual(expected)
  })

  it('with the number of the other values that are no numbers', async () => {
    const [warning] = await findRuleWarnings([test('age', 'less_than', 'a', 'b', 'c')], new Map())
    expect(warning?.message).toContain('"a" is not a number')
    expect(warning?.message).toContain('2 more values')
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
  ] as [string, TargetingRule[]][])('rules get no warning: %s', async (_name, rules) => {
    expect(await codes(rules)).toEqual([])
  })
})

const flag = (key: string, more: Partial<Flag> = {}): Flag => ({
  ...toFlagContent({ key, is_enabled: true }),
  archived_at: null,
  revision: 1,
  ...more,
})

describe('values are warned of', () => {
  const warningsOf = (subject: Flag, segments: Record<string, TargetingRule[]> = {}) =>
    findValueWarnings(subject, segmentsOf(segments)).map(({ code, path }) => `${code} ${path}`)
  const served = { ...test('a', 'equals', 'x'), variant: 'gold' }
  const ignored = { ...test('a', 'equals', 'x'), variant: false }

  it.each([
    [
      'false on a rule of a boolean flag',
      flag('f', { rules: [ignored] }),
      ['boolean_rule_variant /rules/0/variant'],
    ],
    ['nothing: true on a rule of a boolean flag', flag('f', { rules: [{ ...ignored, variant: true }] }), []],
    [
      'true while the flag is off',
      flag('f', { is_enabled: false, disabled_value: true }),
      ['enabled_when_off /disabled_value'],
    ],
    ['nothing: true as disabled value of a flag that is on', flag('f', { disabled_value: true }), []],
    [
      'nothing: any disabled value of a string flag',
      flag('f', { flag_type: 'string', is_enabled: false, disabled_value: 'true' }),
      [],
    ],
  ] as [string, Flag, string[]][])('%s', (_name, subject, expected) => {
    expect(warningsOf(subject)).toEqual(expected)
  })

  it('a segment whose rule has a variant of another type, also behind another segment', () => {
    const segments = {
      direct: [test('a', 'equals', 'x'), served],
      behind: [test('b', 'equals', 'y'), { segment_key: 'direct' }],
      circle: [{ segment_key: 'circle' }, { segment_key: 'behind' }],
      fine: [test('c', 'equals', 'z')],
    }
    const rules = ['direct', 'behind', 'circle', 'fine', 'gone'].map((segment_key) => ({ segment_key }))
    expect(warningsOf(flag('f', { flag_type: 'integer', rules }), segments)).toEqual([
      'segment_variant_type /rules/0/segment_key',
      'segment_variant_type /rules/1/segment_key',
      'segment_variant_type /rules/2/segment_key',
    ])
    expect(warningsOf(flag('f', { flag_type: 'string', rules }), segments)).toEqual([])
  })

  it('a segment whose rule has the variant false, which a boolean flag ignores', () => {
    const subject = flag('f', { rules: [{ segment_key: 's' }] })
    expect(warningsOf(subject, { s: [ignored] })).toEqual(['boolean_rule_variant /rules/0/segment_key'])
  })

  it('the variants of a segment, once for each type of the flags that it does not fit', () => {
    const flags = [
      flag('on'),
      flag('size', { flag_type: 'integer' }),
      flag('other', { flag_type: 'integer' }),
    ]
    const found = findVariantWarnings([served, test('b', 'equals', 'y')], flags)
    expect(found.map(({ code, path }) => `${code} ${path}`)).toEqual(
      Array.from({ length: 2 }, () => 'segment_variant_type /rules/0/variant'),
    )
    expect(found.map(({ message }) => message).join()).toMatch(/"on".*"size"|"size".*"on"/)
  })
})

const limited = (warnings: Warning[]) => limitWarnings(withWarnings({}, warnings))

describe('a response', () => {
  it('lists at most 50 warnings, the last of which gives the number of the others', async () => {
    const many = Array.from({ length: 60 }, (_, at) => test(`a${at}`, 'less_than', 'x'))
    const { warnings = [] } = limited(await findRuleWarnings(many, new Map()))
    expect(warnings).toHaveLength(50)
    expect(warnings.at(-1)).toMatchObject({ code: 'more_warnings', path: '' })
    expect(warnings.at(-1)?.message).toContain('11 more')
    expect(limited(await findRuleWarnings(many.slice(0, 50), new Map())).warnings).toHaveLength(50)
    expect(limited([])).toEqual({})
  })

  it('counts unknown fields that it does not list', () => {
    const body = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`field${at}`, at]))
    const { warnings = [] } = limited(findUnknownFields(body, []))
    expect(warnings).toHaveLength(50)
    expect(warnings.at(-1)?.message).toContain('951 more')
  })
})

describe('prerequisites are warned of', () => {
  const warningsOf = async (subject: Flag, ...others: Flag[]) => {
    const flags = new Map([subject, ...others].map((each) => [each.key, each]))
    const found = await findPrerequisiteWarnings(subject, flags, new Map())
    return found.map(({ code, path }) => `${code} ${path}`)
  }
  const needing = (flag_key: string, required_value?: never) =>
    flag('f', { prerequisites: [{ flag_key, ...(required_value !== undefined && { required_value }) }] })

  it('a missing flag as prerequisite gets a warning', async () => {
    expect(await warningsOf(needing('gone'))).toEqual(['unknown_prerequisite /prerequisites/0/flag_key'])
  })

  it('an archived flag as prerequisite gets a warning', async () => {
    const archived = flag('p', { archived_at: '2026-01-01T00:00:00.000Z' })
    expect(await warningsOf(needing('p'), archived)).toEqual([
      'prerequisite_archived /prerequisites/0/flag_key',
    ])
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
    async (_name, subject, others) => {
      expect(await warningsOf(subject, ...others)).toEqual(['prerequisite_cycle /prerequisites/0/flag_key'])
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
  ])('an impossible required value gets a warning: %s', async (_name, key, value, expected) => {
    const colour = flag('s', {
      flag_type: 'string',
      default_value: 'plain',
      rules: [{ ...test('a', 'equals', 'x'), variant: 'gold' }],
      variants: [
        { weight: 1, value: 'red' },
        { weight: 0, value: 'blue' },
      ],
    })
    expect(await warningsOf(needing(key, value as never), flag('p'), colour)).toEqual(expected)
  })
})

it('the flags of prerequisites are expanded together within the steps of one flag', async () => {
  const wide = Array.from({ length: 4_000 }, (_, at) => test('a', 'equals', `${at}`))
  const others = Array.from({ length: 300 }, (_, at) =>
    flag(`needed-${at}`, {
      flag_type: 'string',
      default_value: 'x',
      rules: [{ segment_key: 'wide', conditions: [{ attribute: 'b', operator: 'equals', values: ['1'] }] }],
    }),
  )
  const prerequisites = others.map(({ key }) => ({ flag_key: key, required_value: 'never' }))
  const subject = flag('f', { prerequisites })
  const flags = new Map([subject, ...others].map((each) => [each.key, each]))
  const found = await findPrerequisiteWarnings(subject, flags, new Map([['wide', { rules: wide }]]))
  expect(found.length).toBeGreaterThan(10)
  expect(found.length).toBeLessThan(200)
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
      links: [{ title: 't', url: 'https://a.example', label: 'l' }],
      'a/b': 1,
    }
    expect(
      findUnknownFields(body, ['key', 'is_enabled', 'rules', 'variants', 'prerequisites', 'links']),
    ).toMatchObject([
      { code: 'unknown_field', path: '/enabled' },
      { path: '/a~1b' },
      { path: '/rules/0/op' },
      { path: '/rules/0/conditions/0/value' },
      { path: '/variants/0/wieght' },
      { path: '/prerequisites/0/key' },
      { path: '/links/0/label' },
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
