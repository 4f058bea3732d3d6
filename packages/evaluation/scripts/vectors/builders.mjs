/** The parts of vectors that several files share. */
import { createFlagSet } from '../../dist/index.js'
import { MURMUR3_START, murmur3 } from '../../dist/murmur3.js'

export const hash = (text) => murmur3(text, MURMUR3_START) >>> 0
export const flag = (stated = {}) => ({ key: 'flag', is_enabled: true, ...stated })
export const text = (stated = {}) =>
  flag({ flag_type: 'string', default_value: 'on', disabled_value: 'off', ...stated })
export const rule = (stated = {}) => ({ attribute: 'it', operator: 'equals', values: ['a'], ...stated })
export const weighted = (...weights) => weights.map((weight, index) => ({ weight, value: 'abcdef'[index] }))

/** A vector: a set of flags, the arguments of an evaluation, and the result of this package. */
export const evaluated = (title, flags, user_key = 'ann', attributes = {}, flag_key = 'flag') => ({
  title,
  flags,
  flag_key,
  user_key,
  attributes,
  expected: createFlagSet(flags).resolve(flag_key, user_key, attributes),
})

export const keys = [
  'ann',
  'ben',
  '',
  'user-1',
  'user-2',
  'user-3',
  '42',
  'a:b',
  'ann@example.com',
  'é',
  'ユーザー',
  'пользователь',
  '😀',
  ' ann ',
]

export const ruled = [
  rule({ values: ['x'], variant: 'first' }),
  rule({ variant: 'second' }),
  rule({
    operator: 'not_equals',
    values: ['z'],
    conditions: [{ attribute: 'age', operator: 'greater_than', values: ['17'] }],
  }),
]
