import { describe, expect, test } from 'vitest'
import {
  type AttributeValue,
  createFlagSet,
  isOperator,
  OPERATORS,
  type Operator,
  operatorKind,
} from '../../src/index.ts'
import { MAX_ATTRIBUTE_ELEMENTS } from '../../src/list.ts'
import { isSpecifiedOperator } from '../../src/specified-operators.ts'
import { aFlag, aRule } from './builders.ts'

/**
 * Returns whether a rule with this operator and these values matches a user with this attribute; undefined is
 * a user without it.
 */
function matches(operator: Operator, values: string[], attribute: AttributeValue): boolean {
  const set = createFlagSet([
    aFlag({ rollout_percentage: 0, rules: [aRule({ attribute: 'it', operator, values })] }),
  ])
  const { reason } = set.resolve('flag', 'ann', attribute === undefined ? {} : { it: attribute })
  expect(['TARGETING_MATCH', 'DEFAULT']).toContain(reason)
  return reason === 'TARGETING_MATCH'
}

const NUMERIC: Operator[] = ['greater_than', 'greater_than_or_equal', 'less_than', 'less_than_or_equal']
const five = ['a', 'b', 'c', 'd', 'e']

describe('each operator, on each type of attribute', () => {
  test.each<[Operator, string[], AttributeValue, boolean]>([
    ['equals', ['pro'], 'pro', true],
    ['equals', ['pro'], 'Pro', false],
    ['equals', ['pro'], 'pro ', false],
    ['equals', [''], '', true],
    ['equals', ['é'], 'e\u0301', false],
    ['equals', ['free', 'pro'], 'pro', true],
    ['equals', five, 'e', true],
    ['equals', five, 'f', false],
    ['equals', ['42'], 42, true],
    ['equals', ['42.0'], 42, false],
    ['equals', ['0'], -0, true],
    ['equals', ['1e+21'], 1e21, true],
    ['equals', ['0.1'], 0.1, true],
    ['equals', ['true'], true, true],
    ['equals', ['false'], false, true],
    ['equals', ['True'], true, false],
    ['equals', ['null'], null, false],
    ['equals', ['undefined'], undefined, false],
    ['equals', ['NaN'], Number.NaN, false],
    ['equals', ['Infinity'], Number.POSITIVE_INFINITY, false],
    ['equals', ['b'], ['a', 'b'], true],
    ['equals', ['c'], ['a', 'b'], false],
    ['equals', ['a,b'], ['a', 'b'], false],
    ['equals', ['2'], [1, 2], true],
    ['equals', ['true'], [false, true], true],
    ['equals', ['null'], [null, undefined], false],
    ['equals', ['deep'], ['a', [['deep']]], true],
    ['equals', [''], [], false],
    ['not_equals', ['pro'], 'free', true],
    ['not_equals', ['pro'], 'pro', false],
    ['not_equals', ['pro', 'pro'], 'pro', false],
    ['not_equals', ['pro', 'free'], 'pro', true],
    ['not_equals', ['42'], 42, false],
    ['not_equals', ['42'], 43, true],
    ['not_equals', ['true'], true, false],
    ['not_equals', ['pro'], undefined, true],
    ['not_equals', ['pro'], null, true],
    ['not_equals', ['NaN'], Number.NaN, true],
    ['not_equals', ['a'], ['a', 'b'], false],
    ['not_equals', ['a', 'b'], ['b', 'a'], false],
    ['not_equals', ['a', 'c'], ['a', 'b'], true],
    ['not_equals', ['c'], ['a', 'b'], true],
    ['not_equals', ['1'], [1], false],
    ['not_equals', ['a'], ['b', ['a']], false],
    ['not_equals', ['a'], [], true],
    ['contains', ['bc'], 'abcd', true],
    ['contains', ['BC'], 'abcd', false],
    ['contains', ['x', 'cd'], 'abcd', true],
    ['contains', [''], '', true],
    ['contains', ['2'], 123, true],
    ['contains', ['ru'], true, true],
    ['contains', ['b'], ['xa', 'xb'], true],
    ['contains', ['a'], undefined, false],
    ['contains', [''], undefined, false],
    ['contains', ['字'], '漢字', true],
    ['starts_with', ['ab'], 'abcd', true],
    ['starts_with', ['cd'], 'abcd', false],
    ['starts_with', ['x', 'a'], 'abcd', true],
    ['starts_with', ['12'], 123, true],
    ['starts_with', ['f'], false, true],
    ['starts_with', ['x'], ['a', 'xb'], true],
    ['starts_with', [''], null, false],
    ['ends_with', ['@example.com'], 'ann@example.com', true],
    ['ends_with', ['@example.com'], 'ann@example.com.evil', false],
    ['ends_with', ['x', 'd'], 'abcd', true],
    ['ends_with', ['23'], 123, true],
    ['ends_with', ['se'], false, true],
    ['ends_with', ['b'], ['ba', 'ab'], true],
    ['ends_with', [''], undefined, false],
    ['greater_than', ['10'], 11, true],
    ['greater_than', ['10'], 10, false],
    ['greater_than', ['10'], '9', false],
    ['greater_than', ['9'], '10', true],
    ['greater_than', ['100', '10'], 11, true],
    ['greater_than', ['x', '10'], 11, true],
    ['greater_than', ['-1.5'], -1.25, true],
    ['greater_than', ['0'], true, false],
    ['greater_than', ['0'], ['-1', '1'], true],
    ['greater_than', ['0'], undefined, false],
    ['greater_than', ['0'], Number.POSITIVE_INFINITY, false],
    ['greater_than', ['0'], Number.MAX_VALUE, true],
    ['greater_than_or_equal', ['10'], 10, true],
    ['greater_than_or_equal', ['10'], 9.999, false],
    ['greater_than_or_equal', ['1e2'], '100.0', true],
    ['greater_than_or_equal', ['20', '10'], '10', true],
    ['greater_than_or_equal', ['0'], -0, true],
    ['greater_than_or_equal', ['0'], '-0', true],
    ['less_than', ['10'], 9, true],
    ['less_than', ['10'], 10, false],
    ['less_than', ['1', '10'], 5, true],
    ['less_than', ['10'], [20, 5], true],
    ['less_than', ['0'], Number.NEGATIVE_INFINITY, false],
    ['less_than', ['10'], null, false],
    ['less_than_or_equal', ['10'], 10, true],
    ['less_than_or_equal', ['10'], 10.001, false],
    ['less_than_or_equal', [' 10 '], '\t10\n', true],
    ['less_than_or_equal', ['1E1'], 1e1, true],
  ])('%s %j on %j is %j', (operator, values, attribute, expected) => {
    expect(matches(operator, values, attribute)).toBe(expected)
  })

  test.each(OPERATORS.filter((operator) => operatorKind(operator) !== 'presence'))(
    '%s without values matches no attribute',
    (operator) => {
      for (const attribute of ['', 'a', 0, true, undefined, null, [], ['a']]) {
        expect(matches(operator, [], attribute)).toBe(false)
      }
    },
  )

  const positive = OPERATORS.filter((operator) => !/^not_|^is_not/.test(operator))
  test.each(positive)('a user without the attribute does not match %s', (operator) => {
    for (const values of [[''], ['0'], ['undefined'], ['null']]) {
      expect(matches(operator, values, undefined)).toBe(false)
      expect(matches(operator, values, null)).toBe(false)
    }
  })

  test.each(NUMERIC)('%s never matches texts that are not JSON numbers', (operator) => {
    const odd = [
      '',
      ' ',
      '0x10',
      'Infinity',
      '-Infinity',
      '1e999',
      '+1',
      '01',
      '.5',
      '5.',
      '1_000',
      'NaN',
      '1,5',
      '١',
      '1 2',
      '1e',
      '--1',
      'ten',
    ]
    for (const text of odd) {
      expect(matches(operator, ['0'], text), `attribute ${JSON.stringify(text)}`).toBe(false)
      expect(matches(operator, [text], 0), `value ${JSON.stringify(text)}`).toBe(false)
    }
  })
})

describe('attributes', () => {
  const matchesOn = (attributes: unknown, name: string, operator: Operator = 'equals', values = ['x']) =>
    createFlagSet([
      aFlag({ rollout_percentage: 0, rules: [aRule({ attribute: name, operator, values })] }),
    ]).resolve('flag', 'ann', attributes as Record<string, string>).enabled

  test('only own properties of the object are attributes', () => {
    const inheriting = Object.create({ plan: 'x' }) as object
    expect(matchesOn(inheriting, 'plan')).toBe(false)
    expect(matchesOn(inheriting, 'plan', 'not_equals')).toBe(true)
    expect(matchesOn({}, 'toString', 'contains', [''])).toBe(false)
    expect(matchesOn({}, 'constructor', 'not_equals')).toBe(true)
    expect(matchesOn('text', 'length', 'equals', ['4'])).toBe(false)
  })

  test('attributes may be called __proto__, constructor or hasOwnProperty', () => {
    const attributes: unknown = JSON.parse('{"__proto__": "x", "constructor": "x", "hasOwnProperty": "x"}')
    for (const name of ['__proto__', 'constructor', 'hasOwnProperty']) {
      expect(matchesOn(attributes, name)).toBe(true)
      expect(matchesOn({}, name)).toBe(false)
    }
  })

  test('attributes may be in an object without a prototype', () => {
    expect(matchesOn(Object.assign(Object.create(null) as object, { plan: 'x' }), 'plan')).toBe(true)
  })

  test('attributes that are objects, functions or symbols count as absent', () => {
    for (const odd of [{}, { x: 'x' }, () => 'x', Symbol('x'), new Date(0), new Map(), 1n]) {
      expect(matchesOn({ plan: odd }, 'plan', 'contains', [''])).toBe(false)
      expect(matchesOn({ plan: [odd] }, 'plan', 'contains', [''])).toBe(false)
      expect(matchesOn({ plan: odd }, 'plan', 'not_equals')).toBe(true)
      expect(matchesOn({ plan: [odd] }, 'plan', 'not_equals')).toBe(true)
    }
  })

  test('attributes may be arrays that contain themselves', () => {
    const cyclic: unknown[] = ['a']
    cyclic.push(cyclic, [cyclic, 'x'])
    expect(matchesOn({ plan: cyclic }, 'plan')).toBe(true)
    expect(matchesOn({ plan: cyclic }, 'plan', 'equals', ['y'])).toBe(false)
    expect(matchesOn({ plan: cyclic }, 'plan', 'not_equals')).toBe(false)
  })

  test('nested arrays that attributes share are read once', () => {
    let nested: unknown[] = ['x']
    for (let level = 0; level < 60; level++) nested = [nested, nested]
    expect(matchesOn({ plan: nested }, 'plan')).toBe(true)
  })

  test('an attribute with too many elements is an error and ends quickly', () => {
    const flag = aFlag({ rules: [aRule({ attribute: 'plan', values: ['last'] })] })
    const set = createFlagSet([flag])
    const most = Array.from({ length: MAX_ATTRIBUTE_ELEMENTS }, (_, index) =>
      index === MAX_ATTRIBUTE_ELEMENTS - 1 ? 'last' : 'x',
    )
    expect(set.resolve('flag', 'ann', { plan: most }).reason).toBe('TARGETING_MATCH')
    expect(set.resolve('flag', 'ann', { plan: ['x', ...most] })).toEqual({
      value: null,
      enabled: false,
      reason: 'ERROR',
      message: expect.stringContaining('100000 elements'),
    })
    expect(set.resolve('flag', 'ann', { plan: new Array(2 ** 32 - 1) as string[] }).reason).toBe('ERROR')
  })
})

describe('isOperator', () => {
  test('accepts the name of an operator alone: no list of one, and nothing that cannot become a text', () => {
    const others = [
      ['equals'],
      { toString: 0, valueOf: 1 },
      [{ toString: 0, valueOf: 1 }],
      null,
      7,
      'toString',
    ]
    for (const is of [isOperator, isSpecifiedOperator]) {
      expect(is('equals')).toBe(true)
      for (const name of others) expect(is(name)).toBe(false)
    }
  })
})
