// Writes vectors/*.json from the built package: `npx tsc -b packages/evaluation && node
// packages/evaluation/scripts/make-vectors.mjs`. The test test/unit/vectors.test.ts compares the files with
// an independent implementation of docs/reference/evaluation.md.
import { writeFileSync } from 'node:fs'
import { createFlagSet, HASHES, OPERATORS, operatorKind, SPECIFIED_OPERATORS } from '../dist/index.js'
import { MURMUR3_START, murmur3 } from '../dist/murmur3.js'

/** Grows when a runner of the version before would not understand a vector. */
const VERSION = 1

const hash = (text) => murmur3(text, MURMUR3_START) >>> 0
const write = (name, about, vectors) => {
  const lines = vectors.map((vector) => `    ${JSON.stringify(vector)}`).join(',\n')
  const text = `{\n  "version": ${VERSION},\n  "about": ${JSON.stringify(about)},\n  "vectors": [\n${lines}\n  ]\n}\n`
  writeFileSync(new URL(`../vectors/${name}.json`, import.meta.url), text)
}
const flag = (stated = {}) => ({ key: 'flag', is_enabled: true, ...stated })
const text = (stated = {}) =>
  flag({ flag_type: 'string', default_value: 'on', disabled_value: 'off', ...stated })
const rule = (stated = {}) => ({ attribute: 'it', operator: 'equals', values: ['a'], ...stated })
const weighted = (...weights) => weights.map((weight, index) => ({ weight, value: 'abcdef'[index] }))

/** A vector: a set of flags, the arguments of an evaluation, and the result of this package. */
const answered = (title, flags, user_key = 'ann', attributes = {}, flag_key = 'flag') => ({
  title,
  flags,
  flag_key,
  user_key,
  attributes,
  expected: createFlagSet(flags).resolve(flag_key, user_key, attributes),
})

const texts = ['', 'a', 'ab', 'abc', 'abcd', 'abcde', 'test', 'hello', 'hello, world', 'Hello, world!']
texts.push(
  'The quick brown fox jumps over the lazy dog',
  'é',
  'ß',
  'aé',
  'abé',
  'abcé',
  '字',
  '漢字',
  'ユーザー',
  'a字b',
)
texts.push(
  '😀',
  'a😀',
  'ab😀',
  'abc😀',
  '👩‍👩‍👧',
  'e\u0301',
  '\u0000',
  '\u007f\u0080',
  '\u07ff\u0800',
  '\uffff\u{10000}',
  '\u{10ffff}',
)
write(
  'hashes',
  'murmur3_x86_32, seed 0, over the UTF-8 bytes of text, as an unsigned integer',
  texts.map((entry) => ({ text: entry, hash: hash(entry) })),
)

const keys = [
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
write(
  'buckets',
  'bucket: murmur3_x86_32("<flag_key>:<user_key>") % 100; a user is inside a rollout above the bucket. variant_hash: murmur3_x86_32("variant:<flag_key>:<user_key>")',
  ['flag', 'new-checkout', 'dark_mode', 'F'].flatMap((flag_key) =>
    keys.map((user_key) => ({
      flag_key,
      user_key,
      bucket: hash(`${flag_key}:${user_key}`) % 100,
      variant_hash: hash(`variant:${flag_key}:${user_key}`),
    })),
  ),
)

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
write(
  'operators',
  'whether a rule {attribute: "it", operator, values} matches a user with these attributes',
  OPERATORS.flatMap((operator) =>
    SPECIFIED_OPERATORS.some((name) => name === operator)
      ? operatorVectors(operator, valueLists, attributeValues)
      : operatorVectors(operator, ...samples[operatorKind(operator)]),
  ),
)

const ruled = [
  rule({ values: ['x'], variant: 'first' }),
  rule({ variant: 'second' }),
  rule({
    operator: 'not_equals',
    values: ['z'],
    conditions: [{ attribute: 'age', operator: 'greater_than', values: ['17'] }],
  }),
]
write(
  'flags',
  'whole evaluations: order, defaults, reasons, archived and malformed flags, users without a key',
  [
    answered('an unknown flag', [], 'ann'),
    answered('an archived flag', [flag({ archived_at: '2030-01-01T00:00:00Z' })]),
    answered('the defaults of a boolean flag', [flag()]),
    answered('the defaults of a disabled boolean flag', [flag({ is_enabled: false })]),
    ...['string', 'integer', 'json'].flatMap((flag_type) => [
      answered(`the defaults of a flag of type ${flag_type}`, [flag({ flag_type })]),
      answered(`the defaults of a disabled flag of type ${flag_type}`, [
        flag({ flag_type, is_enabled: false }),
      ]),
    ]),
    answered('a disabled flag ignores rules', [text({ is_enabled: false, rules: ruled })], 'ann', {
      it: 'a',
    }),
    ...[0, 1, 50, 100, null].flatMap((rollout_percentage) => [
      answered(`a rollout of ${rollout_percentage}`, [text({ rollout_percentage })]),
      answered(`a rollout of ${rollout_percentage}, no user key`, [text({ rollout_percentage })], null),
      answered(`a rollout of ${rollout_percentage}, an empty user key`, [text({ rollout_percentage })], ''),
      answered(
        `a rule matches at a rollout of ${rollout_percentage}`,
        [text({ rollout_percentage, rules: ruled })],
        null,
        { it: 'a' },
      ),
      answered(
        `no rule matches at a rollout of ${rollout_percentage}`,
        [text({ rollout_percentage, rules: ruled })],
        'ben',
        { it: 'q' },
      ),
    ]),
    answered('a condition holds with the test', [text({ rules: ruled })], 'ann', { it: 'q', age: 18 }),
    answered('an absent attribute differs', [text({ rules: ruled })], 'ann', { age: '18' }),
    answered(
      'a boolean rule gives true whatever its variant',
      [flag({ default_value: false, rules: [rule({ variant: false })] })],
      'ann',
      { it: 'a' },
    ),
    answered('a boolean flag may be enabled with the value false', [flag({ default_value: false })]),
    answered('a flag with an unknown operator is malformed', [
      flag({ rules: [rule({ operator: 'resembles' })] }),
    ]),
    answered('a flag with a percentage out of range is malformed', [flag({ rollout_percentage: 101 })]),
    answered('a flag whose value is of another type is malformed', [flag({ default_value: 'true' })]),
  ],
)

const inSegment = (segment_key, stated = {}) => ({ segment_key, ...stated })
/**
 * Builds a vector of a flag that names segments: the rules that the server sends for it, one evaluation, and
 * the result of this package.
 */
const viaSegments = (title, segments, stated, expanded, attributes = { it: 'a' }) => {
  const named = text(stated)
  const { expected } = answered(title, [{ ...named, rules: expanded }], 'ann', attributes)
  return { title, segments, flag: named, expanded, user_key: 'ann', attributes, expected }
}
const fits = { variant: 'fits' }
const older = { conditions: [{ attribute: 'age', operator: 'greater_than', values: ['17'] }] }
write('segments', 'rules that name segments, and the rules that SDKs receive for them', [
  viaSegments('a segment becomes its rules', { s: [rule()] }, { rules: [inSegment('s')] }, [rule()]),
  viaSegments('the variant of the reference', { s: [rule()] }, { rules: [inSegment('s', fits)] }, [
    rule(fits),
  ]),
  viaSegments(
    'a variant of its own goes before that of the reference',
    { s: [rule({ variant: 'own' })] },
    { rules: [inSegment('s', fits)] },
    [rule({ variant: 'own' })],
  ),
  viaSegments('conditions are added', { s: [rule()] }, { rules: [inSegment('s', older)] }, [rule(older)]),
  viaSegments(
    'a variant of another type is left out',
    { s: [rule({ variant: true })] },
    { rules: [inSegment('s')] },
    [rule()],
  ),
  viaSegments(
    'and does not give way to the variant of the reference',
    { s: [rule({ variant: true })] },
    { rules: [inSegment('s', fits)] },
    [rule()],
  ),
  viaSegments(
    'the same for an integer flag',
    { s: [rule({ variant: 'a' }), rule({ values: ['b'], variant: 1.5 })] },
    { flag_type: 'integer', default_value: 1, disabled_value: 0, rules: [inSegment('s')] },
    [rule(), rule({ values: ['b'] })],
    { it: 'b' },
  ),
  viaSegments(
    'the same for a boolean flag',
    { s: [rule({ variant: 'a' })] },
    { flag_type: 'boolean', default_value: true, disabled_value: false, rules: [inSegment('s')] },
    [rule()],
  ),
  viaSegments(
    'a json flag takes every variant',
    { s: [rule({ variant: { a: [1] } })] },
    { flag_type: 'json', default_value: null, disabled_value: null, rules: [inSegment('s')] },
    [rule({ variant: { a: [1] } })],
  ),
  viaSegments('an unknown segment becomes nothing', {}, { rules: [inSegment('s'), rule(fits)] }, [
    rule(fits),
  ]),
  viaSegments(
    'segments in segments, and a cycle becomes nothing',
    { s: [inSegment('t', fits)], t: [inSegment('s'), rule()] },
    { rules: [inSegment('s')] },
    [rule(fits)],
  ),
])

const chain = (levels) =>
  Array.from({ length: levels + 1 }, (_, level) =>
    flag({ key: `f${level}`, prerequisites: level < levels ? [{ flag_key: `f${level + 1}` }] : [] }),
  )
const needing = (...prerequisites) => text({ prerequisites })
write('prerequisites', 'prerequisites: required values, depth, cycles', [
  answered('enabled', [needing({ flag_key: 'base' }), flag({ key: 'base' })]),
  answered('missing', [needing({ flag_key: 'base' })]),
  answered('archived', [
    needing({ flag_key: 'base' }),
    flag({ key: 'base', archived_at: '2030-01-01T00:00:00Z' }),
  ]),
  answered('malformed', [needing({ flag_key: 'base' }), flag({ key: 'base', rules: 'x' })]),
  answered('disabled', [
    needing({ flag_key: 'base' }),
    flag({ key: 'base', is_enabled: false, disabled_value: true }),
  ]),
  answered('checked before is_enabled', [{ ...needing({ flag_key: 'base' }), is_enabled: false }]),
  answered('the second fails', [needing({ flag_key: 'base' }, { flag_key: 'gone' }), flag({ key: 'base' })]),
  answered('enabled with the value false', [
    needing({ flag_key: 'base' }),
    flag({ key: 'base', default_value: false }),
  ]),
  answered('the required value', [
    needing({ flag_key: 'base', required_value: 'on' }),
    text({ key: 'base' }),
  ]),
  answered('another value', [needing({ flag_key: 'base', required_value: 'x' }), text({ key: 'base' })]),
  answered('the value of a disabled flag', [
    needing({ flag_key: 'base', required_value: 'off' }),
    text({ key: 'base', is_enabled: false }),
  ]),
  answered('json in another key order', [
    needing({ flag_key: 'base', required_value: { b: [1], a: null } }),
    flag({ key: 'base', flag_type: 'json', default_value: { a: null, b: [1] } }),
  ]),
  answered(
    'the variant of a rule',
    [needing({ flag_key: 'base', required_value: 'second' }), text({ key: 'base', rules: ruled })],
    'ann',
    { it: 'a' },
  ),
  answered('10 levels', chain(10), 'ann', {}, 'f0'),
  answered('11 levels', chain(11), 'ann', {}, 'f0'),
  answered('a flag that needs itself', [needing({ flag_key: 'flag' })]),
  answered('a cycle of two', [
    needing({ flag_key: 'base' }),
    flag({ key: 'base', prerequisites: [{ flag_key: 'flag' }] }),
  ]),
  answered('a deep way beside a short one', [needing({ flag_key: 'f6' }, { flag_key: 'f1' }), ...chain(11)]),
])

write('variants', 'variants chosen by weight', [
  ...[[6, 3, 1], [60, 30, 10], [0, 1, 0], [1, 1, 1, 1], [1]].flatMap((weights) =>
    keys.map((user) => answered(`weights ${weights}`, [text({ variants: weighted(...weights) })], user)),
  ),
  ...keys.map((user) =>
    answered('behind a rollout of 50', [text({ rollout_percentage: 50, variants: weighted(1, 1) })], user),
  ),
  answered('no user key gives default_value', [text({ variants: weighted(1, 1) })], null),
  answered('a rule goes before the weights', [text({ variants: weighted(1, 1), rules: ruled })], 'ann', {
    it: 'a',
  }),
  answered('weights that are all zero are malformed', [text({ variants: weighted(0, 0) })]),
  answered('variants on a boolean flag are malformed', [flag({ variants: [{ weight: 1, value: true }] })]),
])

const companies = ['acme', 'globex', 'initech', 'umbrella', 'hooli']
const each = (title, flags, attributes = {}) => keys.map((user) => answered(title, flags, user, attributes))
const shared = { rollout_salt: 'shop:', variant_salt: 'shop:' }
const on = (stated = {}) => rule({ operator: 'is_set', values: [], ...stated })
const onUserKey = (stated = {}) => rule({ attribute: '$user_key', ...stated })
const hashed = HASHES.filter((name) => name !== 'murmur3')
write('extensions', 'whole evaluations of flags that require an extension', [
  ...[1, 500, 12_345, 57_000, 99_999].flatMap((rollout_thousandths) =>
    each(`a rollout of ${rollout_thousandths} thousandths`, [
      text({ rollout_percentage: Math.floor(rollout_thousandths / 1000), rollout_thousandths }),
    ]),
  ),
  answered('a fine rollout of 0', [text({ rollout_percentage: 0, rollout_thousandths: 0 })]),
  answered('a full fine rollout', [text({ rollout_thousandths: 100_000 })], null),
  ...companies.map((company) =>
    answered(
      'users of one company have the same variant',
      [text({ rollout_percentage: 60, bucket_by: 'company', variants: weighted(1, 1, 1) })],
      'ann',
      { company },
    ),
  ),
  ...[42, true, ['acme'], null, { a: 1 }, ''].map((company) =>
    answered(
      'an attribute that is hashed by its text, or absent',
      [text({ rollout_percentage: 60, bucket_by: 'company', variants: weighted(1, 1, 1) })],
      'ann',
      { company },
    ),
  ),
  ...each('salts of their own', [text({ rollout_percentage: 40, variants: weighted(2, 1), ...shared })]),
  ...each('an empty salt', [text({ rollout_percentage: 40, rollout_salt: '' })]),
  ...hashed.flatMap((name) => [
    ...each(`a rollout by ${name}`, [text({ rollout_percentage: 40, hash: name, ...shared })]),
    ...each(`variants by ${name}`, [text({ variants: weighted(50, 30, 20), hash: name, ...shared })]),
  ]),
  answered('a rule that is off', [text({ rules: [rule({ off: true })] })], 'ann', { it: 'a' }),
  answered('a boolean rule that is off', [flag({ rules: [rule({ off: true })] })], 'ann', { it: 'a' }),
  answered(
    'a rule that is off fails the flags that need it',
    [text({ prerequisites: [{ flag_key: 'base' }] }), flag({ key: 'base', rules: [rule({ off: true })] })],
    'ann',
    { it: 'a' },
  ),
  ...each(
    'a rule with a rollout, and the next rule',
    [
      text({
        rollout_percentage: 0,
        rules: [on({ rollout_percentage: 50, variant: 'x' }), on({ variant: 'y' })],
      }),
    ],
    { it: 'a' },
  ),
  ...each(
    'a rule with a fine rollout and divisions of its own',
    [
      text({
        rollout_percentage: 0,
        bucket_by: 'company',
        rules: [
          on({ rollout_thousandths: 62_500, bucket_by: 'it', rollout_salt: 'r', hash: 'growthbook_2' }),
          on({ attribute: 'company', rollout_percentage: 30 }),
        ],
      }),
    ],
    { it: 'a', company: 'acme' },
  ),
  answered(
    'a rule with a rollout does not match without a user key',
    [text({ rules: [on({ rollout_percentage: 99, variant: 'x' })] })],
    null,
    { it: 'a' },
  ),
  answered(
    'a rule with a full rollout matches without a user key',
    [text({ rules: [on({ rollout_percentage: 100, variant: 'x' })] })],
    null,
    { it: 'a' },
  ),
  ...each(
    'a rule with variants',
    [text({ rules: [rule(), on({ variants: weighted(1, 0, 1), variant_salt: 'v' })] })],
    {
      it: 'q',
    },
  ),
  answered(
    'a rule with variants gives default_value without a user key',
    [text({ rules: [on({ variants: weighted(1, 1) })] })],
    null,
    { it: 'a' },
  ),
  ...['a', 'ann', null].flatMap((user) => [
    answered('the user key as an attribute', [text({ rollout_percentage: 0, rules: [onUserKey()] })], user),
    answered(
      'its complement',
      [text({ rollout_percentage: 0, rules: [onUserKey({ operator: 'not_in' })] })],
      user,
    ),
  ]),
  answered('an attribute of that name', [text({ rollout_percentage: 0, rules: [onUserKey()] })], 'ann', {
    $user_key: 'a',
  }),
  answered(
    'other attributes of the evaluator are absent',
    [
      text({
        rollout_percentage: 0,
        requires: ['user_key'],
        rules: [rule({ attribute: '$none', operator: 'is_not_set', values: [] })],
      }),
    ],
    'ann',
    { $none: 'a' },
  ),
  answered(
    'attributes with a dollar elsewhere',
    [text({ rollout_percentage: 0, rules: [rule({ attribute: '$it' })] })],
    'ann',
    {
      $it: 'a',
    },
  ),
  answered('an extension that does not exist', [text({ requires: ['telepathy', 'off'] })]),
  ...['on', 'off', 'a', 'b', 1, { deep: [1, null] }, null].map((default_value) =>
    answered('a name of a value', [
      flag({
        flag_type: 'json',
        default_value,
        variant_names: {
          treatment: 'on',
          control: 'off',
          b: 'a',
          again: 'on',
          object: { deep: [1, null] },
          none: null,
        },
      }),
    ]),
  ),
  answered('no name for a long text', [text({ default_value: 'x'.repeat(101) })]),
  answered(
    'no name for the object of a rule',
    [flag({ flag_type: 'json', rules: [rule({ variant: {} })] })],
    'ann',
    {
      it: 'a',
    },
  ),
  answered('no name for an object chosen by weight', [
    flag({
      flag_type: 'json',
      variants: [
        { weight: 0, value: [] },
        { weight: 1, value: [1] },
      ],
    }),
  ]),
  ...[
    { rollout_thousandths: 100_001 },
    { rollout_thousandths: '5' },
    { bucket_by: 7 },
    { rollout_salt: {} },
    { hash: 'md5' },
    { rules: [rule({ off: 'yes' })] },
    { rules: [rule({ rollout_percentage: 101 })] },
    { rules: [rule({ variants: [{ weight: 0, value: 'a' }] })] },
    { rules: [rule({ variant: 'a', variants: weighted(1) })] },
    { requires: 'off' },
    { variant_names: ['on'] },
  ].map((stated) => answered(`malformed: ${JSON.stringify(stated)}`, [text(stated)])),
])
