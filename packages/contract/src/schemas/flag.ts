import { EXTENSIONS, FLAG_TYPES } from '@burgee/evaluation'
import { type Static, Type } from 'typebox'
import { EXAMPLE_SHOP } from '../examples/example-shop.ts'
import { OWNER_EMAIL_MAX_LENGTH } from '../limits.ts'
import { rolloutPercentage } from './bucketing.ts'
import { Commented } from './comment.ts'
import { anyJson, CreatedAt, key, Nullable, timestamp, uuid } from './common.ts'
import { optionalExtensions, writableExtensions } from './flag-extensions.ts'
import { TargetingRule, TargetingRuleInput, WeightedVariant } from './rule.ts'
import { Warned, Warning } from './warning.ts'

export const Prerequisite = Type.Object(
  {
    flag_key: key({ description: 'A flag of the same environment that must be on for the user' }),
    required_value: Type.Optional(
      anyJson({
        description: 'The value that the flag must have; absent or null when being enabled is enough',
      }),
    ),
  },
  { examples: [...EXAMPLE_SHOP.flags[0].prerequisites] },
)

const FlagType = Type.Enum([...FLAG_TYPES], {
  description: 'The type of its values; `boolean` by default. `json` accepts any JSON',
})
const flagKey = key({ description: 'The name in code; unique in the environment and never changed' })
const is_enabled = Type.Boolean({
  description: 'The main switch: while it is off, every user gets `disabled_value`',
})
const rollout = rolloutPercentage('Percentage of users who get the flag when no rule matches; null means 100')
const text = Type.String({ description: 'The purpose of the flag' })
const rules = { description: 'Tried in order before the rollout; the first that matches wins' }
const default_value = anyJson({
  description:
    'The value inside the rollout when no rule matches and there are no variants. By default true for boolean flags, otherwise null, which means the fallback in the code',
})
const disabled_value = anyJson({
  description:
    'The value when the flag is off, outside the rollout, or when a prerequisite fails. By default false for boolean flags, otherwise null',
})
const variants = {
  description: 'Values among which users inside the rollout are divided; none for boolean flags',
}
const prerequisites = { description: 'Flags that must all be enabled' }
const tags = { description: 'Labels for finding flags' }
const owner = { description: 'The owner of the flag: an e-mail address, or any text' }
const archived_at = timestamp({
  description: 'When it was archived; null while it is active. SDKs do not receive archived flags',
})

const fields = {
  key: flagKey,
  is_enabled,
  rollout_percentage: Nullable(rollout),
  description: Nullable(text),
  rules: Type.Array(TargetingRule, rules),
  flag_type: FlagType,
  default_value,
  disabled_value,
  variants: Type.Array(WeightedVariant, variants),
  prerequisites: Type.Array(Prerequisite, prerequisites),
  tags: Type.Array(Type.String(), tags),
  owner_email: Nullable(Type.String(owner)),
  archived_at: Nullable(archived_at),
  revision: Type.Integer({
    description: 'Grows with each change of the flag; send it as If-Match',
    readOnly: true,
  }),
  ...optionalExtensions,
}

/** A flag in responses of the control plane, with unexpanded references to segments. */
export const Flag = Type.Object(fields, { examples: [...EXAMPLE_SHOP.flags] })
export type Flag = Static<typeof Flag>

/** Fields that people and pipelines need, and that no evaluation reads. SDKs do not receive them. */
export const CONTROL_PLANE_FIELDS = [
  'value_schema',
  'lifetime',
  'expires_at',
  'managed_by',
  'links',
  'client_visible',
] as const

/** A flag as SDKs receive it, with expanded segments. Client keys do not receive every field. */
export const ExpandedFlag = Type.Partial(
  Type.Object({
    ...Type.Omit(Flag, [...CONTROL_PLANE_FIELDS]).properties,
    requires: Type.Array(Type.Enum([...EXTENSIONS]), {
      description:
        'What an evaluator must know to evaluate the flag; absent when the specified model is enough. An evaluator that lacks one returns `ERROR`',
    }),
  }),
  {
    description:
      'A flag with segments replaced by their rules. A client key receives it without `description`, `owner_email` and `tags`, and no hidden flags that no visible flag needs',
    examples: [EXAMPLE_SHOP.expandedFlag],
  },
)

const times = {
  created_at: CreatedAt,
  updated_at: timestamp({ description: 'When it was changed last, UTC', readOnly: true }),
  updated_by: Type.Union([Type.String(), Type.Null()], {
    description:
      'Who changed it last: an e-mail address, or `sdk-key:<name>`; null where that was not stored yet',
    readOnly: true,
  }),
}

/** A flag as it is now, with the time of its last change. States in history, audit and events have none. */
export const ListedFlag = Type.Intersect([Flag, Type.Object(times)], { examples: [EXAMPLE_SHOP.listedFlag] })
export type ListedFlag = Static<typeof ListedFlag>
export type FlagTimes = Pick<ListedFlag, keyof typeof times>

/** One flag as it is read by itself. */
export const ReadFlag = Warned(ListedFlag)

/** A flag in the response to a write. */
export const WrittenFlag = Type.Intersect([
  ListedFlag,
  Type.Object({
    warnings: Type.Optional(
      Type.Array(Warning, { description: 'Warnings about probable mistakes; absent when there are none' }),
    ),
  }),
])
export type WrittenFlag = Static<typeof WrittenFlag>

const writable = {
  is_enabled,
  rollout_percentage: Type.Optional(Nullable(rollout)),
  description: Type.Optional(Nullable(text)),
  rules: Type.Optional(Nullable(Type.Array(TargetingRuleInput, rules))),
  flag_type: Type.Optional(FlagType),
  default_value: Type.Optional(default_value),
  disabled_value: Type.Optional(disabled_value),
  variants: Type.Optional(Nullable(Type.Array(WeightedVariant, variants))),
  prerequisites: Type.Optional(Nullable(Type.Array(Prerequisite, prerequisites))),
  tags: Type.Optional(Nullable(Type.Array(Type.String(), tags))),
  owner_email: Type.Optional(Nullable(Type.String({ maxLength: OWNER_EMAIL_MAX_LENGTH, ...owner }))),
  archived_at: Type.Optional(Nullable(archived_at)),
  ...writableExtensions,
}

/** The body of POST: creates the flag or replaces all of it. */
export const FlagInput = Type.Object(
  { key: flagKey, ...writable },
  {
    description:
      'A whole flag: missing fields have their defaults. Null means an empty list, or the default of a value',
    examples: [...EXAMPLE_SHOP.flagInputs],
  },
)
export type FlagInput = Static<typeof FlagInput>

/** The body of PATCH: a merge patch (RFC 7386). The patched flag is validated as a whole. */
export const FlagPatch = Type.Object(
  {
    key: Type.Optional(flagKey),
    ...writable,
    is_enabled: Type.Optional(is_enabled),
  },
  {
    description:
      'A merge patch: missing fields do not change. Null resets a field to its default; `key` cannot change',
    examples: [{ is_enabled: true, rollout_percentage: 50 }, { owner_email: null }],
  },
)
export type FlagPatch = Static<typeof FlagPatch>

export const PromoteInput = Commented(
  Type.Object(
    {
      target_env_id: uuid({ description: 'Another environment of the same project' }),
      copy_segments: Type.Optional(
        Type.Boolean({
          description:
            'Copies the segments that the flag names and the target lacks; false where it is left out',
        }),
      ),
    },
    { examples: [{ target_env_id: EXAMPLE_SHOP.stagingId, copy_segments: true }] },
  ),
)
export type PromoteInput = Static<typeof PromoteInput>
