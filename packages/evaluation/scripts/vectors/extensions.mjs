import { HASHES } from '../../dist/index.js'
import { evaluated, flag, keys, rule, text, weighted } from './builders.mjs'

const companies = ['acme', 'globex', 'initech', 'umbrella', 'hooli']
const each = (title, flags, attributes = {}) => keys.map((user) => evaluated(title, flags, user, attributes))
const shared = { rollout_salt: 'shop:', variant_salt: 'shop:' }
const on = (stated = {}) => rule({ operator: 'is_set', values: [], ...stated })
const onUserKey = (stated = {}) => rule({ attribute: '$user_key', ...stated })
const hashed = HASHES.filter((name) => name !== 'murmur3')

export const extensions = {
  about: 'whole evaluations of flags that require an extension',
  vectors: [
  ...[1, 500, 12_345, 57_000, 99_999].flatMap((rollout_thousandths) =>
    each(`a rollout of ${rollout_thousandths} thousandths`, [
      text({ rollout_percentage: Math.floor(rollout_thousandths / 1000), rollout_thousandths }),
    ]),
  ),
  evaluated('a fine rollout of 0', [text({ rollout_percentage: 0, rollout_thousandths: 0 })]),
  evaluated('a full fine rollout', [text({ rollout_thousandths: 100_000 })], null),
  ...companies.map((company) =>
    evaluated(
      'users of one company have the same variant',
      [text({ rollout_percentage: 60, bucket_by: 'company', variants: weighted(1, 1, 1) })],
      'ann',
      { company },
    ),
  ),
  ...[42, true, ['acme'], null, { a: 1 }, ''].map((company) =>
    evaluated(
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
  evaluated('a rule that is off', [text({ rules: [rule({ off: true })] })], 'ann', { it: 'a' }),
  evaluated('a boolean rule that is off', [flag({ rules: [rule({ off: true })] })], 'ann', { it: 'a' }),
  evaluated(
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
  evaluated(
    'a rule with a rollout does not match without a user key',
    [text({ rules: [on({ rollout_percentage: 99, variant: 'x' })] })],
    null,
    { it: 'a' },
  ),
  evaluated(
    'a rule with a full rollout does not match without a user key',
    [text({ rules: [on({ rollout_percentage: 100, variant: 'x' })] })],
    null,
    { it: 'a' },
  ),
  evaluated(
      'a rule with a full rollout matches with a user key',
      [text({ rules: [on({ rollout_percentage: 100, variant: 'x' })] })],
      '',
      { it: 'a' },
    ),
    evaluated(
      'a rule with a full fine rollout does not match without a user key',
      [text({ rules: [on({ rollout_thousandths: 100_000, variant: 'x' })] })],
      null,
      { it: 'a' },
    ),
    evaluated(
      'a rule with a full rollout does not match without the attribute that divides users',
      [text({ rules: [on({ rollout_percentage: 100, bucket_by: 'company', variant: 'x' })] })],
      'ann',
      { it: 'a' },
    ),
    ...[{ rollout_salt: 'own:' }, { hash: 'launchdarkly' }].flatMap((own) =>
      each(
        `a rule with ${Object.keys(own)[0]} of its own`,
        [
          text({
            rollout_percentage: 0,
            rollout_salt: 'shop:',
            rules: [on({ rollout_percentage: 50, variant: 'x', ...own })],
          }),
        ],
        { it: 'a' },
      ),
    ),
    evaluated('metadata decides nothing', [text({ metadata: { team: 'web', tier: 2, beta: true } })]),
    ...each(
    'a rule with variants',
    [text({ rules: [rule(), on({ variants: weighted(1, 0, 1), variant_salt: 'v' })] })],
    {
      it: 'q',
    },
  ),
  evaluated(
    'a rule with variants gives default_value without a user key',
    [text({ rules: [on({ variants: weighted(1, 1) })] })],
    null,
    { it: 'a' },
  ),
  ...['a', 'ann', null].flatMap((user) => [
    evaluated('the user key as an attribute', [text({ rollout_percentage: 0, rules: [onUserKey()] })], user),
    evaluated(
      'its complement',
      [text({ rollout_percentage: 0, rules: [onUserKey({ operator: 'not_in' })] })],
      user,
    ),
  ]),
  evaluated('an attribute of that name', [text({ rollout_percentage: 0, rules: [onUserKey()] })], 'ann', {
    $user_key: 'a',
  }),
  evaluated(
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
  evaluated(
    'attributes with a dollar elsewhere',
    [text({ rollout_percentage: 0, rules: [rule({ attribute: '$it' })] })],
    'ann',
    {
      $it: 'a',
    },
  ),
  evaluated('an extension that does not exist', [text({ requires: ['telepathy', 'off'] })]),
  ...['on', 'off', 'a', 'b', 1, { deep: [1, null] }, null].map((default_value) =>
    evaluated('a name of a value', [
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
  evaluated('no name for a long text', [text({ default_value: 'x'.repeat(101) })]),
  evaluated(
    'no name for the object of a rule',
    [flag({ flag_type: 'json', rules: [rule({ variant: {} })] })],
    'ann',
    {
      it: 'a',
    },
  ),
  evaluated('no name for an object chosen by weight', [
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
  ].map((stated) => evaluated(`malformed: ${JSON.stringify(stated)}`, [text(stated)])),
],
}
