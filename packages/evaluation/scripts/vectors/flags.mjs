import { evaluated, flag, rule, ruled, text } from './builders.mjs'

export const flags = {
  about: 'whole evaluations: order, defaults, reasons, archived and malformed flags, users without a key',
  vectors: [
    evaluated('an unknown flag', [], 'ann'),
    evaluated('an archived flag', [flag({ archived_at: '2030-01-01T00:00:00Z' })]),
    evaluated('the defaults of a boolean flag', [flag()]),
    evaluated('the defaults of a disabled boolean flag', [flag({ is_enabled: false })]),
    ...['string', 'integer', 'json'].flatMap((flag_type) => [
      evaluated(`the defaults of a flag of type ${flag_type}`, [flag({ flag_type })]),
      evaluated(`the defaults of a disabled flag of type ${flag_type}`, [
        flag({ flag_type, is_enabled: false }),
      ]),
    ]),
    evaluated('a disabled flag ignores rules', [text({ is_enabled: false, rules: ruled })], 'ann', {
      it: 'a',
    }),
    ...[0, 1, 50, 100, null].flatMap((rollout_percentage) => [
      evaluated(`a rollout of ${rollout_percentage}`, [text({ rollout_percentage })]),
      evaluated(`a rollout of ${rollout_percentage}, no user key`, [text({ rollout_percentage })], null),
      evaluated(`a rollout of ${rollout_percentage}, an empty user key`, [text({ rollout_percentage })], ''),
      evaluated(
        `a rule matches at a rollout of ${rollout_percentage}`,
        [text({ rollout_percentage, rules: ruled })],
        null,
        { it: 'a' },
      ),
      evaluated(
        `no rule matches at a rollout of ${rollout_percentage}`,
        [text({ rollout_percentage, rules: ruled })],
        'ben',
        { it: 'q' },
      ),
    ]),
    evaluated('a condition holds with the test', [text({ rules: ruled })], 'ann', { it: 'q', age: 18 }),
    evaluated('an absent attribute differs', [text({ rules: ruled })], 'ann', { age: '18' }),
    evaluated(
      'a boolean rule gives true whatever its variant',
      [flag({ default_value: false, rules: [rule({ variant: false })] })],
      'ann',
      { it: 'a' },
    ),
    evaluated('a boolean flag may be enabled with the value false', [flag({ default_value: false })]),
    evaluated('a flag with an unknown operator is malformed', [
      flag({ rules: [rule({ operator: 'resembles' })] }),
    ]),
    evaluated('a flag with a percentage out of range is malformed', [flag({ rollout_percentage: 101 })]),
    evaluated('a flag whose value is of another type is malformed', [flag({ default_value: 'true' })]),
  ],
}
