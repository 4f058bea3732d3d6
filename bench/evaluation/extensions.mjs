// Measures nanoseconds for each evaluation of flags with extensions, of Burgee alone: no other SDK has all of
// them. The last row is the slowest match of a pattern that is known, in microseconds of one match.
import { figure, markdownTable } from '../harness/result-table.mjs'
import { measure } from './measure.mjs'
import { users } from './scenarios.mjs'

// After run.mjs has built it.
const { compilePattern, createFlagSet } = await import('../../packages/evaluation/dist/index.js')

const NS_PER_US = 1000
const SUBJECT_MAX_LENGTH = 512

const attributes = { country: 'NZ', email: 'ann@example.com', app: '2.4.1', since: '2026-03-01T12:00:00Z' }
const inputs = users.map(({ key }) => ({ key, attributes }))
const test = (attribute, operator, ...values) => ({ rules: [{ attribute, operator, values }] })
const hashed = (hash) => ({ hash, rollout_salt: 'salt.', rollout_thousandths: 30_000 })

const rows = {
  'Rule with not_in': test('country', 'not_in', 'NO', 'SE'),
  'Rule with is_set': test('country', 'is_set'),
  'Rule with a version': test('app', 'semver_greater_than_or_equal', '2.4.0'),
  'Rule with a time': test('since', 'before', '2027-01-01T00:00:00Z'),
  'Rule with a pattern': test('email', 'matches', '@example\\.(com|org)$'),
  'Rule with a list of 1,000 user keys': test(
    '$user_key',
    'equals',
    ...users.slice(0, 1000).map(({ key }) => key),
  ),
  'Fine rollout': { rollout_thousandths: 12_345 },
  'Rollout by an attribute': { rollout_percentage: 30, bucket_by: 'country' },
  'Rule with a rollout': { rules: [{ ...test('country', 'is_set').rules[0], rollout_percentage: 30 }] },
  'Rollout by the hash launchdarkly (SHA-1)': hashed('launchdarkly'),
  'Rollout by the hash growthbook_2 (FNV-1a)': hashed('growthbook_2'),
}

/** The goals of rows, in nanoseconds. */
const GOALS = {
  'Rule with a version': 150,
  'Rule with a time': 150,
  'Rollout by the hash launchdarkly (SHA-1)': 1_000,
}

const flags = Object.entries(rows).map(([key, stated]) => ({ key, is_enabled: true, ...stated }))
const set = createFlagSet(flags)
const questions = flags.map(({ key }) => ({
  ask: (user) => set.resolve(key, user.key, user.attributes).value,
  inputs,
}))
// Their states differ from character to character, so that no step is one that was taken before.
const subjectOf = (characters) => {
  let seed = 7
  return Array.from({ length: SUBJECT_MAX_LENGTH }, () => {
    seed = (seed * 48_271) % 2_147_483_647
    return characters[(seed >> 8) % characters.length]
  }).join('')
}
const slow = [
  ['([éß]?){470}c|é.{20}x', subjectOf('éß')],
  ['(?:a?){300}a{300}c', subjectOf('ab')],
  ['(?:\\w{1,50}\\s){9}$', subjectOf('ab ')],
  ['(?:(?:[ab]+|[ab]+|[ab]+)?){80}c|a.{15}x', subjectOf('ab')],
  ['(?:(?:(?:ab?|bc?|.d?)+)+){55}x|a.{14}x', subjectOf('abcd')],
]
const medians = await measure(questions)
const worst = Math.max(
  ...(await measure(slow.map(([pattern, text]) => ({ ask: compilePattern(pattern), inputs: [text] })))),
)
console.log(
  markdownTable({
    columns: ['Scenario', 'Burgee'],
    rows: [
      ...flags.map(({ key }, index) => [
        key,
        figure(medians[index], 'ns', GOALS[key] && { atMost: GOALS[key] }),
      ]),
      ['The slowest match of a pattern', `${(worst / NS_PER_US).toFixed(0)} µs`],
    ],
  }),
)
