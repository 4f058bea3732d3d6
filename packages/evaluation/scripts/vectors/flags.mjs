import { answered, flag, rule, ruled, text } from './builders.mjs'

export const flags = {
  about: 'whole evaluations: order, defaults, reasons, archived and malformed flags, users without a key',
  vectors: [
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
}
