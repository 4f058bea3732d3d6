import { REASONS } from '@burgee/evaluation'
import { type Static, type TProperties, Type } from 'typebox'
import { EXAMPLE_SHOP } from '../examples/example-shop.ts'
import { EVALUATED_FLAGS_MAX, NAME_MAX_LENGTH } from '../limits.ts'
import { AnyJson, anyJson, Nullable, timestamp, uuid } from './common.ts'

const texts = (description: string) => Type.Array(Type.String(), { description })
const count = (description: string) => Type.Optional(Type.Integer({ minimum: 1, description }))

/** A user, and which flags to evaluate when. */
export const EvaluateInput = Type.Object(
  {
    user_key: Type.Optional(
      Nullable(Type.String({ description: 'The key of the user; null or absent for an anonymous one' })),
    ),
    attributes: Type.Optional(
      Type.Record(Type.String(), AnyJson, { description: 'The attributes of the user, as SDKs take them' }),
    ),
    flag_keys: Type.Optional(
      Type.Array(Type.String({ maxLength: NAME_MAX_LENGTH }), {
        maxItems: EVALUATED_FLAGS_MAX,
        description: 'The flags to evaluate; absent for all of the environment',
      }),
    ),
    at: Type.Optional(timestamp({ description: 'A past moment; absent for now. Not beside `revision`' })),
    revision: Type.Optional(
      Type.Integer({ minimum: 0, description: 'A revision of the environment; absent for the present one' }),
    ),
    trace: Type.Optional(
      Type.Boolean({ description: 'Whether to add the steps; true by default for up to 10 named flags' }),
    ),
  },
  { examples: [{ user_key: 'user-1', attributes: { plan: 'pro' }, flag_keys: ['new-checkout'] }] },
)
export type EvaluateInput = Static<typeof EvaluateInput>

const rollout = {
  percentage: Type.Number({ description: 'The share of users' }),
  bucket: Nullable(
    Type.Integer({ description: 'The bucket of the user; null for one whom nothing places, who is outside' }),
  ),
  bucket_of: Type.Integer({ description: 'The number of buckets' }),
  bucket_by: Type.Optional(Type.String({ description: 'The attribute that is hashed for the user key' })),
  salt: Type.String({ description: 'Hashed before the key' }),
  inside: Type.Boolean({ description: 'Whether the user is in the share' }),
} satisfies TProperties

const TracedCondition = Type.Object({
  attribute: Type.String({ description: 'The attribute' }),
  operator: Type.String({ description: 'The operator' }),
  values: texts('At most 20 of its values'),
  omitted_values: count('The number of further values'),
  is_present: Type.Boolean({ description: 'Whether the user has a comparable value of the attribute' }),
  actual: anyJson({ description: 'The value of the attribute; a long one is cut to a text' }),
  holds: Type.Boolean({ description: 'Whether the condition holds' }),
})

const TracedRule = Type.Object({
  index: Type.Integer({ description: 'The place among the rules as SDKs have them' }),
  origin: Type.Object(
    {
      rule_index: Type.Integer({ description: 'The place among the written rules' }),
      segment_keys: texts('The segments on the way, each once'),
      segment_paths: Type.Optional(
        Type.Array(texts('A segment and those within it'), {
          description: 'The chains of segments, where there are several',
        }),
      ),
    },
    { description: 'The written rule that it comes from' },
  ),
  state: Type.Enum(['matched', 'no_match', 'not_evaluated'], { description: 'The outcome of the step' }),
  conditions: Type.Array(TracedCondition, { description: 'Empty for a rule that was not evaluated' }),
  omitted_conditions: count('The number of further conditions'),
  rollout: Type.Optional(Type.Object(rollout, { description: 'The share of a rule that has one' })),
})

const TracedPrerequisite = Type.Object({
  flag_key: Type.String({ description: 'The flag' }),
  required_value: anyJson({ description: 'The value that it has to give; null where it has to be enabled' }),
  state: Type.Enum(['met', 'failed', 'not_evaluated'], { description: 'The outcome of the step' }),
  value: Type.Optional(anyJson({ description: 'The value that it gives' })),
  enabled: Type.Optional(Type.Boolean({ description: 'Whether it is enabled' })),
  reason: Type.Optional(Type.Enum([...REASONS], { description: 'Its reason' })),
  trace: Type.Optional(anyJson({ description: 'Its steps, in the form of `trace`' })),
})

/** The steps to a result (docs/trust.md). */
export const EvaluationTrace = Type.Object(
  {
    flag_revision: Type.Optional(Type.Integer({ description: 'The revision of the flag' })),
    prerequisites: Type.Array(TracedPrerequisite, { description: 'At most 100, and the one that failed' }),
    omitted_prerequisites: count('The number of further prerequisites'),
    switch: Type.Enum(['on', 'off'], { description: 'The main switch' }),
    rules: Type.Array(TracedRule, { description: 'At most 100, and the one that matched' }),
    omitted_rules: count('The number of further rules'),
    rollout: Type.Object(rollout, { description: 'The rollout, whether or not it decided' }),
    value: Type.Object(
      {
        from: Type.Enum(['rule', 'variant', 'default', 'disabled'], { description: 'Where it stands' }),
        position: Type.Optional(Type.Number({ description: 'The place of the user, from 0 to 1' })),
        share: Type.Optional(Type.Number({ description: 'The share of the variant, from 0 to 1' })),
      },
      { description: 'The value of the result' },
    ),
    decided: Type.Enum(['prerequisites', 'switch', 'rules', 'rollout', 'value'], {
      description: 'The step that gave the result',
    }),
  },
  { description: 'The steps to the result; absent for a flag that is unknown or not valid' },
)

const PastChange = (description: string) =>
  Type.Object(
    {
      revision: Type.Integer({ description: 'The revision of the environment' }),
      at: timestamp({ description: 'When' }),
      audit_id: Nullable(
        Type.Integer({ description: 'The entry of the audit log; null where it is not known' }),
      ),
      actor_email: Nullable(Type.String({ description: 'Who made it' })),
      action: Nullable(Type.String({ description: 'What was done' })),
    },
    { description },
  )

const RecordedEvaluation = Type.Object({
  value: Type.String({ description: 'The reported value, as impressions have it' }),
  evaluated_at: timestamp({ description: 'When the SDK evaluated' }),
  context: anyJson({ description: 'The attributes that the SDK sent; null without any' }),
})

const EvaluatedItem = Type.Object({
  flag_key: Type.String({ description: 'The key of the flag' }),
  value: anyJson({ description: 'The value; null where the default in the code applies' }),
  enabled: Type.Boolean({ description: 'Whether the flag is enabled for the user' }),
  reason: Type.Enum([...REASONS], { description: 'What decided' }),
  variant: Type.Optional(Type.String({ description: 'The name of the value' })),
  rule_index: Type.Optional(Type.Integer({ description: 'The rule that matched, as SDKs count' })),
  variant_index: Type.Optional(Type.Integer({ description: 'The variant that was chosen by weight' })),
  prerequisite_key: Type.Optional(Type.String({ description: 'The prerequisite that failed' })),
  message: Type.Optional(Type.String({ description: 'The cause of an ERROR' })),
  trace: Type.Optional(EvaluationTrace),
  changed: Type.Optional(PastChange('With `at` or `revision`: the change since which the flag was so')),
  next_change: Type.Optional(PastChange('With `at` or `revision`: the next change of the flag')),
  recorded: Type.Optional(
    Type.Array(RecordedEvaluation, {
      description: 'With `at` and named flags: at most 3 reports of SDKs for the user within a day around it',
    }),
  ),
})

const EVALUATED = {
  flag_key: 'new-checkout',
  value: true,
  enabled: true,
  reason: 'SPLIT',
  variant: 'true',
  trace: {
    flag_revision: 7,
    prerequisites: [],
    switch: 'on',
    rules: [],
    rollout: { percentage: 25, bucket: 12, bucket_of: 100, salt: 'new-checkout:', inside: true },
    value: { from: 'default' },
    decided: 'value',
  },
}

/** The results for one user, in the order of the keys. */
export const EvaluateResult = Type.Object(
  {
    environment_id: uuid({ description: 'The environment' }),
    revision: Type.Integer({ description: 'The revision of the environment that was evaluated' }),
    at: timestamp({ description: 'The moment that was evaluated' }),
    notice: Type.Optional(
      Type.String({ description: 'Present up to 5 s after a change: clients were receiving it' }),
    ),
    flags: Type.Array(EvaluatedItem, { description: 'In the order of their keys' }),
  },
  {
    examples: [
      {
        environment_id: EXAMPLE_SHOP.productionId,
        revision: 42,
        at: '2026-02-20T20:01:38.123Z',
        flags: [EVALUATED],
      },
    ],
  },
)
export type EvaluateResult = Static<typeof EvaluateResult>

/** A user, and a window of time. */
export const EvaluateHistoryInput = Type.Object(
  {
    user_key: EvaluateInput.properties.user_key,
    attributes: EvaluateInput.properties.attributes,
    flag_keys: EvaluateInput.properties.flag_keys,
    from: timestamp({ description: 'The beginning of the window' }),
    to: Type.Optional(timestamp({ description: 'Its end; now without it' })),
  },
  { examples: [{ user_key: 'user-1', attributes: {}, from: '2026-03-02T08:00:00.000Z' }] },
)
export type EvaluateHistoryInput = Static<typeof EvaluateHistoryInput>

const PastValue = Type.Object({
  from: timestamp({ description: 'When the user began to get it; for the first value the beginning' }),
  revision: Type.Integer({ description: 'The revision of the environment' }),
  value: anyJson({ description: 'The value; null where the default in the code applies' }),
  enabled: Type.Boolean({ description: 'Whether the flag is enabled for the user' }),
  reason: Type.Enum([...REASONS], { description: 'What decided' }),
  audit_id: Nullable(Type.Integer({ description: 'The entry of the audit log; null where none is known' })),
  actor_email: Nullable(Type.String({ description: 'Who made the change' })),
  action: Nullable(Type.String({ description: 'What was done' })),
  cause: Nullable(
    Type.Enum(['own', 'segment', 'prerequisite'], {
      description:
        'What was changed: the flag, a segment or a flag that it requires; null for the first value',
    }),
  ),
})

/** The values that a user got in a window, of the flags whose value moved. */
export const EvaluateHistoryResult = Type.Object(
  {
    environment_id: uuid({ description: 'The environment' }),
    from_revision: Type.Integer({ description: 'The revision at the beginning' }),
    to_revision: Type.Integer({ description: 'The revision at the end' }),
    flags: Type.Array(
      Type.Object({
        flag_key: Type.String({ description: 'The key of the flag' }),
        values: Type.Array(PastValue, { description: 'The oldest first, at least two' }),
      }),
      { description: 'The flags whose value moved, in the order of their keys' },
    ),
  },
  {
    examples: [{ environment_id: EXAMPLE_SHOP.productionId, from_revision: 40, to_revision: 42, flags: [] }],
  },
)
export type EvaluateHistoryResult = Static<typeof EvaluateHistoryResult>
