import type { FlagInput } from '@burgee/contract'
import { describe, expect, it } from 'vitest'
import { createCheckBudget } from '../../../../src/kernel/check-budget.ts'
import { toFlagContent } from '../../../../src/targeting/flag-model/flag.ts'
import { validateFlag } from '../../../../src/targeting/flag-model/validate-flag.ts'

const problemsOf = (input: Partial<FlagInput>) =>
  validateFlag(
    toFlagContent({ key: 'f', is_enabled: true, ...input }),
    null,
    createCheckBudget(() => 0),
  ).map(({ path }) => path)

describe("the defaults of a flag's fields", () => {
  it('default_value and disabled_value default to true and false on boolean flags, null on others', () => {
    const values = (['boolean', 'string', 'integer', 'json'] as const).map((flag_type) => {
      const { default_value, disabled_value } = toFlagContent({ key: 'f', is_enabled: true, flag_type })
      return [default_value, disabled_value]
    })
    expect(values).toEqual([
      [true, false],
      [null, null],
      [null, null],
      [null, null],
    ])
  })

  it('missing and null fields default to empty lists and null', () => {
    const nothing = {
      rules: null,
      variants: null,
      prerequisites: null,
      tags: null,
      owner_email: null,
      description: null,
    }
    expect(toFlagContent({ key: 'f', is_enabled: false, ...nothing, rollout_percentage: null })).toEqual({
      key: 'f',
      is_enabled: false,
      rollout_percentage: null,
      description: null,
      rules: [],
      flag_type: 'boolean',
      default_value: true,
      disabled_value: false,
      variants: [],
      prerequisites: [],
      tags: [],
      owner_email: null,
    })
  })

  it('null for segment_key, variant and required_value means absent', () => {
    const rules = [
      { attribute: 'a', operator: 'equals' as const, values: ['b'], segment_key: null, variant: null },
    ]
    const prerequisites = [{ flag_key: 'p', required_value: null }]
    const content = toFlagContent({ key: 'f', is_enabled: true, rules, prerequisites })
    expect(content.rules).toEqual([{ attribute: 'a', operator: 'equals', values: ['b'] }])
    expect(content.prerequisites).toEqual([{ flag_key: 'p' }])
  })
})

describe('validating a flag as a whole', () => {
  const rule = (variant: unknown) => [
    { attribute: 'a', operator: 'equals' as const, values: ['b'], variant: variant as never },
  ]

  it.each([
    ['boolean', { flag_type: 'boolean', default_value: false, disabled_value: true, rules: rule(false) }],
    ['string', { flag_type: 'string', default_value: '', disabled_value: 'x', rules: rule('y') }],
    ['integer', { flag_type: 'integer', default_value: -3, disabled_value: 2 ** 53 - 1, rules: rule(0) }],
    ['json', { flag_type: 'json', default_value: { a: [1] }, disabled_value: 'x', rules: rule([1.5]) }],
    ['unset values', { flag_type: 'string', default_value: null, disabled_value: null, rules: rule(null) }],
    [
      'weights',
      {
        flag_type: 'string',
        variants: [
          { weight: 0, value: 'a' },
          { weight: 1, value: null },
        ],
      },
    ],
    ['a segment rule without a test', { rules: [{ segment_key: 's' }] }],
    [
      'a segment rule with empty fields',
      { rules: [{ segment_key: 's', attribute: '', operator: '', values: [] }] },
    ],
    ['a rule with empty values', { rules: [{ attribute: 'a', operator: 'equals', values: [] }] }],
  ] as [string, Partial<FlagInput>][])(
    'a flag is valid when its values match its type: %s',
    (_name, input) => {
      expect(problemsOf(input)).toEqual([])
    },
  )

  it.each([
    ['a text on a boolean flag', { default_value: 'true' }, ['/default_value']],
    ['a number on a string flag', { flag_type: 'string', disabled_value: 1 }, ['/disabled_value']],
    ['a fraction on an integer flag', { flag_type: 'integer', default_value: 1.5 }, ['/default_value']],
    ['an integer beyond 2^53 - 1', { flag_type: 'integer', default_value: 2 ** 53 }, ['/default_value']],
    ['a rule variant of another type', { flag_type: 'integer', rules: rule('1') }, ['/rules/0/variant']],
    ['a variant on a boolean flag', { variants: [{ weight: 1, value: true }] }, ['/variants']],
    [
      'a weighted value of another type',
      { flag_type: 'string', variants: [{ weight: 1, value: 1 }] },
      ['/variants/0/value'],
    ],
    [
      'weights that add up to 0',
      { flag_type: 'string', variants: [{ weight: 0, value: 'a' }] },
      ['/variants'],
    ],
    ['a rule with nothing', { rules: [{}] }, ['/rules/0/attribute', '/rules/0/operator', '/rules/0/values']],
    [
      'a rule with an empty operator',
      { rules: [{ attribute: 'a', operator: '', values: ['b'] }] },
      ['/rules/0/operator'],
    ],
    [
      'a rule whose segment_key is null',
      { rules: [{ segment_key: null, attribute: 'a' }] },
      ['/rules/0/operator', '/rules/0/values'],
    ],
  ] as [string, Partial<FlagInput>, string[]][])('a flag is invalid with %s', (_name, input, paths) => {
    expect(problemsOf(input)).toEqual(paths)
  })

  it('all problems of a flag are returned at once', () => {
    expect(problemsOf({ default_value: 1, disabled_value: 2, rules: [{}] })).toHaveLength(5)
  })
})
