import { createFlagSet } from '../../dist/index.js'
import { flag, rule } from './builders.mjs'

/** The texts of a part of a list or of values: one text, or `count` texts of a prefix and a number. */
const expand = (parts) =>
  parts.flatMap(({ count = 1, from = 0, prefix = '', text = '', times = 1 }) =>
    Array.from({ length: count }, (_, at) => (prefix === '' ? text.repeat(times) : `${prefix}${from + at}`)),
  )
/** The attributes of a vector: a list of such parts, or one text. */
const expandAttributes = (attributes) =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, parts]) => [
      name,
      Array.isArray(parts) ? expand(parts) : expand([parts])[0],
    ]),
  )
const expandRule = ({ conditions = [], values, ...rule }) => ({
  ...rule,
  values: expand(values),
  conditions: conditions.map(expandRule),
})
const expandFlag = ({ rules = [], ...flag }) => ({ ...flag, rules: rules.map(expandRule) })

/** A vector: the flags and attributes in parts, the steps of the evaluation, and whether it is an error. */
function bounded(title, flags, attributes, user_key = { text: 'ann' }) {
  const set = createFlagSet(flags.map(expandFlag))
  const { reason } = set.resolve('flag', expand([user_key])[0], expandAttributes(attributes))
  const isError = reason === 'ERROR'
  return { title, flags, user_key, attributes, reason, ...(!isError && { steps: set.steps }) }
}

const one = (text, times = 1) => ({ text, times })
const many = (prefix, from, count) => ({ prefix, from, count })
const tested = (operator, values) =>
  flag({ rollout_percentage: 0, rules: [rule({ operator, values })] })
const pattern = (text) => tested('matches', [one(text)])
const uuids = [{ prefix: '6d0b26a1-4c3f-4f0e-9d57-0f7b6a1', from: 10_000, count: 500 }]

export const bounds = {
  about:
    'the steps of evaluations with large attributes, and those that take too many (docs/reference/operators.md#cost)',
  vectors: [
    bounded('tests of equality have no steps', [tested('equals', [many('v', 0, 1000)])], {
      it: [many('item-', 0, 5000)],
    }),
    bounded('comparisons of numbers have no steps', [tested('greater_than', [many('9', 0, 500)])], {
      it: [many('1', 0, 5000)],
    }),
    bounded('a text of 64 characters has no steps', [tested('contains', [many('v', 0, 900)])], {
      it: one('a', 64),
    }),
    bounded('a text of 65 characters is a list of one', [tested('contains', [one('b')])], {
      it: one('a', 65),
    }),
    bounded('characters are UTF-16 code units', [tested('contains', [one('b')])], { it: one('😀', 40) }),
    bounded('numbers and booleans of a list count by their text', [tested('contains', [one('b')])], {
      it: [many('1', 0, 3), one('true')],
    }),
    bounded('an empty list has no steps', [tested('contains', [one('b')])], { it: [] }),
    bounded('short, usual and long values', [
      tested('contains', [one('a', 6), one('a', 7), one('a', 255), one('a', 256), one('a', 512)]),
    ], { it: [one('b', 10), one('c', 20)] }),
    bounded('values that are listed twice count once', [tested('contains', [one('b'), one('b')])], {
      it: one('a', 65),
    }),
    bounded('many values of few lengths are looked up', [tested('contains', [many('value-', 1000, 1000)])], {
      it: uuids,
    }),
    bounded('values of many lengths are searched', [
      tested(
        'contains',
        Array.from({ length: 40 }, (_, at) => one('v', at + 1)),
      ),
    ], { it: [many('item-', 0, 40)] }),
    ...['starts_with', 'not_ends_with'].flatMap((operator) => [
      bounded(`${operator} with few values`, [tested(operator, [one('ab'), one('abcd')])], {
        it: [many('item-', 0, 10)],
      }),
      bounded(`${operator} with many values`, [tested(operator, [many('v', 10, 90)])], {
        it: [many('item-', 0, 10)],
      }),
    ]),
    bounded('a pattern of characters', [pattern('ab')], { it: one('b', 65) }),
    bounded('a pattern of classes', [pattern('[ab]\\d.x')], { it: one('b', 65) }),
    bounded('a pattern without case', [pattern('(?i)ab1')], { it: one('b', 65) }),
    bounded('a pattern that repeats', [pattern('(?:a|[bc]){3}d*e?f+$')], { it: one('b', 65) }),
    bounded('patterns search 100 different elements', [pattern('ab')], {
      it: [many('x', 0, 50), many('x', 0, 50), many('y', 0, 200)],
    }),
    bounded('patterns search no text of more than 1,024 units', [pattern('ab')], { it: one('b', 1025) }),
    bounded('versions are read once for all tests', [
      flag({
        rollout_percentage: 0,
        rules: [
          rule({ operator: 'semver_equal', values: [one('1.0.0')] }),
          rule({ operator: 'not_semver_less_than', values: [one('9.0.0')] }),
        ],
      }),
    ], { it: [many('0.1.', 0, 10)] }),
    bounded('times are read once for all tests', [
      flag({
        rollout_percentage: 0,
        rules: [
          rule({ operator: 'before', values: [one('5')] }),
          rule({ operator: 'after', values: [one('999999')] }),
        ],
      }),
    ], { it: [many('10', 0, 10)] }),
    bounded('a long user key', [flag({ rollout_percentage: 50 })], {}, one('k', 65)),
    bounded(
      'a long attribute that places users',
      [flag({ rollout_percentage: 50, bucket_by: 'it' })],
      { it: one('k', 65) },
      one('k', 65),
    ),
    bounded(
      'every division that hashes the user key',
      [
        flag({
          hash: 'launchdarkly',
          rules: [
            rule({ values: [one('a')], rollout_percentage: 50, hash: 'murmur3' }),
            rule({ values: [one('b')], rollout_percentage: 50 }),
            rule({ values: [one('c')] }),
          ],
        }),
      ],
      {},
      one('k', 65),
    ),
    bounded('the conditions of all rules count, also behind the rule that matches', [
      flag({
        rules: [
          rule({ attribute: 'plan', values: [one('pro')] }),
          rule({
            attribute: 'plan',
            values: [one('x')],
            conditions: [rule({ operator: 'contains', values: [one('b')] })],
          }),
        ],
      }),
    ], { plan: one('pro'), it: one('a', 65) }),
    bounded('nothing is counted behind a prerequisite that fails', [
      flag({ prerequisites: [{ flag_key: 'none' }], rules: [rule({ operator: 'contains', values: [one('b')] })] }),
    ], { it: one('a', 65) }),
    bounded('a prerequisite counts once, however often it is visited', [
      flag({ prerequisites: [{ flag_key: 'left' }, { flag_key: 'right' }] }),
      flag({ key: 'left', prerequisites: [{ flag_key: 'deep' }] }),
      flag({ key: 'right', prerequisites: [{ flag_key: 'deep' }] }),
      flag({ key: 'deep', rules: [rule({ operator: 'contains', values: [one('b')] })] }),
    ], { it: one('a', 65) }),
    bounded(
      'exactly as many steps as an evaluation may take',
      [tested('contains', [many('abcdef', 100, 99), one('a')])],
      { it: one('b', 98_035) },
      one('k', 66),
    ),
    bounded(
      'eight steps more',
      [tested('contains', [many('abcdef', 100, 99), one('a')])],
      { it: one('b', 98_035) },
      one('k', 67),
    ),
    bounded('too many steps are an error, not a value that is missing', [
      tested('not_contains', [many('abcdef', 100, 99)]),
    ], { it: one('b', 200_000) }),
    bounded('too many steps, although an earlier rule would match', [
      flag({
        rules: [
          rule({ attribute: 'plan', values: [one('pro')] }),
          rule({ operator: 'contains', values: [many('abcdef', 100, 99)] }),
        ],
      }),
    ], { plan: one('pro'), it: one('b', 200_000) }),
    bounded('too many steps of a prerequisite', [
      flag({ prerequisites: [{ flag_key: 'deep' }] }),
      flag({ key: 'deep', rules: [rule({ operator: 'contains', values: [many('abcdef', 100, 99)] })] }),
    ], { it: one('b', 200_000) }),
    bounded('too many steps of a flag and its prerequisite together', [
      flag({
        prerequisites: [{ flag_key: 'deep' }],
        rules: [rule({ operator: 'contains', values: [many('abcdef', 100, 99)] })],
      }),
      flag({ key: 'deep', rules: [rule({ operator: 'contains', values: [many('abcdef', 100, 99)] })] }),
    ], { it: one('b', 60_000) }),
    bounded('too many steps that a prerequisite which fails does not reach', [
      flag({
        prerequisites: [{ flag_key: 'none' }],
        rules: [rule({ operator: 'contains', values: [many('abcdef', 100, 99)] })],
      }),
    ], { it: one('b', 200_000) }),
  ],
}
