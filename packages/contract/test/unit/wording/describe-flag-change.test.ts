import { describe, expect, test, vi } from 'vitest'
import type { Flag } from '../../../src/schemas/flag.ts'
import { describeFlagChange } from '../../../src/wording/describe-flag-change.ts'

const flag = (changes: Partial<Flag> = {}): Flag => ({
  key: 'new-checkout',
  is_enabled: true,
  rollout_percentage: 10,
  description: null,
  rules: [],
  flag_type: 'boolean',
  default_value: true,
  disabled_value: false,
  variants: [],
  prerequisites: [],
  tags: [],
  owner_email: null,
  archived_at: null,
  revision: 1,
  ...changes,
})

const country = (...values: string[]) => ({ attribute: 'country', operator: 'equals' as const, values })
const described = (before: Partial<Flag>, after: Partial<Flag>) =>
  describeFlagChange(flag(before), flag(after))
const rules = (before: Flag['rules'], after: Flag['rules']) => described({ rules: before }, { rules: after })

describe('a change of one field', () => {
  const cases: [Partial<Flag>, Partial<Flag>, string[]][] = [
    [{ is_enabled: false }, { is_enabled: true }, ['switched on']],
    [{ is_enabled: true }, { is_enabled: false }, ['switched off']],
    [{ rollout_percentage: 10 }, { rollout_percentage: 25 }, ['rollout 10% -> 25%']],
    [{ rollout_percentage: 0 }, { rollout_percentage: null }, ['rollout 0% -> 100%']],
    [{ rollout_percentage: null }, { rollout_percentage: 100 }, []],
    [{ flag_type: 'string' }, { flag_type: 'json' }, ['type string -> json']],
    [{ default_value: null }, { default_value: 'a' }, ['default value null -> "a"']],
    [{ disabled_value: { a: 1, b: [] } }, { disabled_value: 0 }, ['disabled value {"a":1,"b":[]} -> 0']],
    [{ disabled_value: { a: 1, b: 2 } }, { disabled_value: { b: 2, a: 1 } }, []],
    [{ tags: ['a'] }, { tags: ['b', 'c'] }, ['tag a removed', 'tag b added', 'tag c added']],
    [{ tags: ['a', 'b'] }, { tags: ['b', 'a'] }, ['tags reordered']],
    [{ tags: ['a'] }, { tags: ['a', 'a'] }, ['tag a added']],
    [{ owner_email: null }, { owner_email: 'ada@example.com' }, ['owner none -> ada@example.com']],
    [{ owner_email: 'ada' }, { owner_email: null }, ['owner ada -> none']],
    [{ description: 'One' }, { description: 'Two' }, ['description "One" -> "Two"']],
    [{ description: 'One' }, { description: null }, ['description "One" -> none']],
    [{ archived_at: null }, { archived_at: '2026-01-01T00:00:00.000Z' }, ['archived']],
    [{ archived_at: '2026-01-01T00:00:00.000Z' }, { archived_at: null }, ['unarchived']],
    [{ archived_at: '2026-01-01T00:00:00.000Z' }, { archived_at: '2026-01-02T00:00:00.000Z' }, []],
    [{ revision: 1 }, { revision: 2 }, []],
    [{}, { rollout_thousandths: 12_500, rollout_percentage: 12 }, ['rollout 10% -> 12.5%']],
    [{ bucket_by: 'company' }, {}, ['bucketing attribute "company" -> none']],
    [{}, { hash: 'configcat' }, ['hash none -> "configcat"']],
    [{}, { metadata: { team: 'web' } }, ['metadata none -> {"team":"web"}']],
    [{}, { lifetime: 'permanent' }, ['lifetime none -> "permanent"']],
    [{}, { client_visible: false }, ['visible to client keys none -> false']],
    [{}, {}, []],
  ]
  test.each(cases)('describeFlagChange: %j -> %j is %j', (before, after, phrases) => {
    expect(described(before, after)).toEqual(phrases)
  })
})

describe('describeFlagChange for rules', () => {
  test.each<[Flag['rules'][number], string]>([
    [{ ...country('NO'), off: true }, 'country is NO gives off'],
    [{ ...country('NO'), rollout_percentage: 5, bucket_by: 'company' }, 'country is NO for 5% by company'],
    [{ ...country('NO'), variants: [{ weight: 1, value: 'a' }] }, 'country is NO divides among "a" (1)'],
    [{ segment_key: 'staff', operator: 'not_in_segment' }, 'not segment staff'],
    [
      { ...country('NO'), conditions: [{ segment_key: 'staff', operator: 'in_segment' }] },
      'country is NO and segment staff',
    ],
    [{ attribute: 'plan', operator: 'is_set', values: [] }, 'plan is set'],
  ])('describes %j', (rule, sentence) => {
    expect(rules([], [rule])).toEqual([`rule 1 added: ${sentence}`])
  })

  test('an added rule is described by its tests', () => {
    expect(rules([country('FI')], [country('FI'), country('NO', 'SE')])).toEqual([
      'rule 2 added: country is one of NO, SE',
    ])
  })

  test('a rule added before the others moves none of them', () => {
    expect(rules([country('A'), country('B')], [country('C'), country('A'), country('B')])).toEqual([
      'rule 1 added: country is C',
    ])
  })

  test('a removed rule has its old position', () => {
    expect(rules([country('A'), country('B'), country('C')], [country('A'), country('C')])).toEqual([
      'rule 2 removed: country is B',
    ])
  })

  test('a rule that differs in the same position is described as changed', () => {
    expect(rules([country('A'), country('B')], [country('A'), country('B', 'C')])).toEqual([
      'rule 2 changed: country is B -> country is one of B, C',
    ])
  })

  test('a rule in another position is described as moved', () => {
    expect(
      rules([country('A'), country('B'), country('C')], [country('C'), country('A'), country('B')]),
    ).toEqual(['rule 3 moved to 1'])
    expect(rules([country('A'), country('B')], [country('B'), country('A')])).toHaveLength(1)
  })

  test('equal rules are distinguished by their number only', () => {
    expect(rules([country('A'), country('A')], [country('A')])).toEqual(['rule 2 removed: country is A'])
  })

  test('segments, conditions, variants and operators are described in words', () => {
    const rich = {
      attribute: 'app_version',
      operator: 'greater_than_or_equal' as const,
      values: ['3'],
      variant: 'green',
      conditions: [{ attribute: 'plan', operator: 'not_equals' as const, values: ['free'] }],
    }
    expect(rules([], [{ segment_key: 'beta-testers' }, rich, { ...country(), variant: null }])).toEqual([
      'rule 1 added: segment beta-testers',
      'rule 2 added: app_version is at least 3 and plan is not free gives "green"',
      'rule 3 added: country is … (incomplete)',
    ])
  })

  test('many values are described by their number', () => {
    expect(rules([], [country('1', '2', '3', '4', '5', '6', '7')])).toEqual([
      'rule 1 added: country is one of 1, 2, 3, 4, 5 and 2 more',
    ])
  })

  test('a change that the short form does not show is still described', () => {
    const long = (end: string) => [country('1', '2', '3', '4', '5', end)]
    expect(rules(long('6'), long('7'))).toEqual([
      'rule 1 changed: country is one of 1, 2, 3, 4, 5 and 1 more',
    ])
  })

  test('many changes are counted, and thousands are not compared one by one', () => {
    const many = (count: number, prefix: string) =>
      Array.from({ length: count }, (_, at) => country(prefix + at))
    const phrases = rules([], many(30, 'x'))
    expect(phrases).toHaveLength(11)
    expect(phrases.at(-1)).toBe('20 more rule changes')
    expect(rules(many(3_000, 'x'), many(2_999, 'y'))).toEqual(['rules rewritten (3000 -> 2999)'])
    expect(rules(many(3_000, 'x'), [...many(3_000, 'x'), country('NO')])).toEqual([
      'rule 3001 added: country is NO',
    ])
  })

  test('every combination of rules before and after is described, and equal ones give no phrase', () => {
    const letters = ['A', 'B', 'C']
    const lists = [[], ...letters.map((a) => [a]), ...letters.flatMap((a) => letters.map((b) => [a, b]))]
    const triples = lists
      .flatMap((list) => letters.map((c) => [...list, c]))
      .filter((list) => list.length === 3)
    for (const before of [...lists, ...triples]) {
      for (const after of [...lists, ...triples]) {
        const phrases = rules(
          before.map((value) => country(value)),
          after.map((value) => country(value)),
        )
        expect(phrases.length === 0).toBe(before.join() === after.join())
        const grown = (word: string) => phrases.filter((phrase) => phrase.includes(word)).length
        expect(after.length - before.length).toBe(grown(' added') - grown(' removed'))
      }
    }
  })
})

describe('describeFlagChange for variants and prerequisites', () => {
  const blue = { weight: 50, value: 'blue' }
  const green = { weight: 50, value: 'green' }

  test('changed weights are described by value', () => {
    const after = [
      { ...blue, weight: 70 },
      { ...green, weight: 30 },
    ]
    expect(described({ variants: [blue, green] }, { variants: after })).toEqual([
      'variant "blue" weight 50 -> 70',
      'variant "green" weight 50 -> 30',
    ])
  })

  test('added, removed and moved variants are described', () => {
    expect(described({ variants: [blue] }, { variants: [green] })).toEqual([
      'variant "blue" removed',
      'variant "green" (weight 50) added',
    ])
    expect(described({ variants: [blue, green] }, { variants: [green, blue] })).toEqual([
      'variants reordered',
    ])
  })

  test('variants with equal beginnings are distinguished', () => {
    const long = (end: string) => [{ weight: 1, value: 'x'.repeat(500) + end }]
    expect(described({ variants: long('a') }, { variants: long('b') })).toHaveLength(2)
  })

  test('prerequisites are described with their required value', () => {
    const before = [{ flag_key: 'payments' }, { flag_key: 'gone' }]
    const after = [{ flag_key: 'payments', required_value: 'v2' }, { flag_key: 'login' }]
    expect(described({ prerequisites: before }, { prerequisites: after })).toEqual([
      'prerequisite gone removed',
      'prerequisite payments must be on -> "v2"',
      'prerequisite login (must be on) added',
    ])
  })
})

describe('describeFlagChange for a whole flag', () => {
  test('creating or deleting a flag is described', () => {
    expect(describeFlagChange(null, flag({ rules: [country('NO')] }))).toEqual([
      'created',
      'switched on',
      'rollout 10%',
      '1 rule',
    ])
    expect(describeFlagChange(null, flag({ is_enabled: false, rollout_percentage: null }))).toEqual([
      'created',
      'switched off',
    ])
    expect(describeFlagChange(flag(), null)).toEqual(['deleted'])
    expect(describeFlagChange(null, null)).toEqual([])
  })

  test('a change of every field is described with the most important first', () => {
    const after = {
      is_enabled: false,
      rollout_percentage: 25,
      rules: [country('NO')],
      flag_type: 'string' as const,
      variants: [{ weight: 1, value: 'a' }],
      default_value: 'a',
      disabled_value: 'b',
      prerequisites: [{ flag_key: 'login' }],
      tags: ['q1'],
      owner_email: 'ada',
      description: 'Why',
      archived_at: '2026-01-01T00:00:00.000Z',
    }
    const heads = described({}, after).map((phrase) => phrase.split(' ')[0])
    expect(heads.join(' ')).toBe(
      'switched rollout rule variant type default disabled prerequisite tag owner description archived',
    )
  })
})

test('every phrase is one short line of whole characters, whatever the flag contains', () => {
  const hostile = [
    '👋'.repeat(400),
    'a\nb\r\n\u{0}\u{202e}c'.repeat(99),
    '<!channel> & *x*',
    ' '.repeat(999),
    '"',
  ]
  for (const text of hostile) {
    const odd = {
      rules: [{ attribute: text, operator: 'equals' as const, values: [text, text], variant: text }],
      default_value: { [text]: text },
      disabled_value: text,
      variants: [{ weight: 1, value: text }],
      tags: [text],
      owner_email: text,
      description: text,
    }
    for (const phrase of [...described({}, odd), ...described(odd, {})]) {
      expect(phrase.length).toBeLessThan(400)
      expect(phrase.isWellFormed()).toBe(true)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there
      expect(phrase).not.toMatch(/[\u0000-\u001f\u202e]/)
    }
  }
})

describe('describeFlagChange for repeated list items', () => {
  test('repeated list items are paired in order', () => {
    expect(described({ tags: ['a', 'a', 'b'] }, { tags: ['b', 'a', 'b'] })).toEqual([
      'tag a removed',
      'tag b added',
    ])
  })

  test('repeated list items are compared without moving arrays', () => {
    const tags = Array.from({ length: 60_000 }, () => 'a')
    let moved = 0
    const shift = vi.spyOn(Array.prototype, 'shift').mockImplementation(function (this: unknown[]) {
      moved += this.length
      return this.splice(0, 1)[0]
    })
    try {
      // A list of many items must take a few steps for each; removing items from the front of an array would
      // move all others.
      expect(described({ tags: tags.slice(0, 300) }, { tags: [...tags.slice(0, 300), 'b'] })).toEqual([
        'tag b added',
      ])
    } finally {
      shift.mockRestore()
    }
    expect(moved).toBeLessThan(300 * 10)
    expect(described({ tags }, { tags: [...tags, 'b'] })).toEqual(['tag b added'])
  })
})

test('values that the flag names are shown with their names, the new name first', () => {
  const before = { flag_type: 'string' as const, variant_names: { green: '#0a0', blue: '#00a' } }
  const named = { ...before, variant_names: { meadow: '#0a0', blue: '#00a', azure: '#00a' } }
  expect(described({ ...before, default_value: '#0a0' }, { ...before, default_value: '#00a' })).toEqual([
    'default value green ("#0a0") -> blue ("#00a")',
  ])
  const gives = { ...country('NO'), variant: '#00a' }
  expect(described({ ...before, rules: [] }, { ...named, rules: [gives] })).toContain(
    'rule 1 added: country is NO gives azure ("#00a")',
  )
  const variants = [{ value: '#0a0', weight: 50 }]
  expect(described({ ...named, variants: [] }, { ...named, variants })).toEqual([
    'variant meadow ("#0a0") (weight 50) added',
  ])
})
