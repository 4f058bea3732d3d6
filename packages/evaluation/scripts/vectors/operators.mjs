import { createFlagSet, OPERATORS, operatorKind, SPECIFIED_OPERATORS } from '../../dist/index.js'
import { flag, rule } from './builders.mjs'

/** @type {unknown[]} */
const attributeValues = [
  'a',
  'A',
  'abc',
  '',
  '10',
  '9.5',
  ' 10 ',
  '1e1',
  '0x10',
  '1e999',
  10,
  9.5,
  -0,
  1e21,
  true,
  false,
  null,
]
attributeValues.push([], ['a', 'b'], ['b', ['a']], [1, 10], [null])
const valueLists = [
  [],
  ['a'],
  ['b', 'a'],
  ['a', 'b', 'c', 'd', 'e'],
  ['10'],
  ['10', 'x', '-3'],
  ['true'],
  [''],
]
const matches = (operator, values, attributes) =>
  createFlagSet([flag({ rollout_percentage: 0, rules: [rule({ operator, values })] })]).isEnabled(
    'flag',
    'ann',
    attributes,
  )
/**
 * The values and attributes of each kind of operator beyond the first nine.
 *
 * @type {Record<string, [string[][], unknown[]]>}
 */
const samples = {
  text: [
    [[], ['a'], ['b', 'a'], ['10'], ['']],
    ['a', 'A', 'abc', 'cba', '', 10, true, null, [], ['a', 'b'], ['b', ['a']], [null]],
  ],
  presence: [
    [[], ['a']],
    ['a', '', 0, false, null, [], [null], [[]], [['a']], {}],
  ],
  number: [
    [[], ['10'], ['x'], ['10', '20']],
    ['9', 10, '11', 15, '25', '1e1', '', 'x', null, [], [5, 15]],
  ],
  version: [
    [[], ['2.4.0'], ['v1.0.0-rc.1'], ['1.2', '3'], ['x'], ['1.0.0-alpha.beta'], ['90071992547409931.0.0']],
    [
      '2.4.0',
      'V2.4.0+build.7',
      '2.4',
      2,
      2.4,
      '2.10.0',
      '2.3.99',
      '1.0.0',
      '1.0.0-rc.1',
      '1.0.0-rc.1.1',
      '1.0.0-rc.11',
      '1.0.0-alpha',
      '1.0.0-alpha.1',
      '1.0.0-alpha.beta',
      '1.0.0-1',
      '1.0.0-A',
      '1.2-beta',
      '01.2.3',
      '1.2.3.4',
      ' 1.2.3',
      '1.0.0-01',
      '1.0.0-a..b',
      '1.0.0+',
      '90071992547409930.0.0',
      '90071992547409932.0.0',
      '',
      null,
      ['0.1.0', '3.0.0'],
    ],
  ],
  time: [
    [[], ['2026-03-01T12:00:00Z'], ['1772366400000'], ['2016-12-31T23:59:60Z'], ['2026-03-01'], ['0']],
    [
      '2026-03-01T12:00:00Z',
      '2026-03-01t12:00:00.0009z',
      '2026-03-01 13:00:00+01:00',
      '2026-03-01T12:00:00.001Z',
      '2026-03-01T11:59:59.999Z',
      '2026-03-01T12:00:00',
      '2026-02-30T12:00:00Z',
      '2024-02-29T00:00:00Z',
      '2026-03-01T24:00:00Z',
      '2016-12-31T23:59:59.999Z',
      '2017-01-01T00:00:00Z',
      '0000-01-01T00:00:00Z',
      1772366400000,
      '1772366400001',
      -1,
      '1e3',
      'yesterday',
      '',
      null,
      ['2020-01-01T00:00:00Z', '2030-01-01T00:00:00Z'],
    ],
  ],
  pattern: [
    [
      [],
      ['^a.c$'],
      ['@example\\.(com|org)$', '^\\d{3}$'],
      ['(?i)straße|k'],
      ['\\bpro\\b'],
      ['[^\\w\\s]'],
      ['^(?:a|bc)*?$'],
      [''],
    ],
    [
      'abc',
      'a😀c',
      'a\nc',
      'ann@example.org',
      123,
      'STRAẞE',
      '\u212a',
      'a pro!',
      'prone',
      'abcbc',
      '',
      true,
      null,
      ['x', 'abc'],
      'a'.repeat(512),
      `pro ${'a'.repeat(509)}`,
    ],
  ],
}
const operatorVectors = (operator, lists, attributes) =>
  lists.flatMap((values) =>
    [{}, ...attributes.map((it) => ({ it }))].map((attributes) => ({
      operator,
      values,
      attributes,
      matches: matches(operator, values, attributes),
    })),
  )

const others = Array.from({ length: 100 }, (_, at) => `x${at}`)
/** Patterns search the first 100 different elements, those of nested arrays after those around them. */
const arrays = [
  [...others.slice(1), 'abc'],
  [...others, 'abc'],
  [...others.slice(1), ...others.slice(1), 'abc'],
  [[...others.slice(2), 'abc'], 'x'],
  [[...others.slice(1), 'abc'], 'x'],
]

export const operators = {
  about: 'whether a rule {attribute: "it", operator, values} matches a user with these attributes',
  vectors: [
    ...OPERATORS.flatMap((operator) =>
    SPECIFIED_OPERATORS.some((name) => name === operator)
      ? operatorVectors(operator, valueLists, attributeValues)
      : operatorVectors(operator, ...samples[operatorKind(operator)]),
  ),
    ...['matches', 'not_matches'].flatMap((operator) => operatorVectors(operator, [['^a.c$']], arrays)),
  ],
}
