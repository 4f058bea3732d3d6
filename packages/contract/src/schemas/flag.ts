import { FLAG_TYPES, type JsonValue, OPERATORS } from '@burgee/evaluation'
import { type Static, Type } from 'typebox'
import { OWNER_EMAIL_MAX_LENGTH, ROLLOUT_PERCENTAGE_MAX } from '../limits.ts'
import { AnyJson, Key, Nullable, Timestamp } from './common.ts'
import { Warning } from './warning.ts'

const Operator = Type.Enum([...OPERATORS])
const FlagType = Type.Enum([...FLAG_TYPES])

/** One further test that must hold for its rule to match (contract, section 5, AND). */
export const Condition = Type.Object({
  attribute: Type.String(),
  operator: Operator,
  values: Type.Array(Type.String()),
})

/** A targeting rule: a test of its own, or a reference to a segment. */
export const TargetingRule = Type.Object({
  attribute: Type.Optional(Type.String()),
  operator: Type.Optional(Type.Union([Operator, Type.Literal('')])),
  values: Type.Optional(Type.Array(Type.String())),
  segment_key: Type.Optional(Key),
  variant: Type.Optional(AnyJson),
  conditions: Type.Optional(Type.Array(Condition)),
})
export type TargetingRule = Static<typeof TargetingRule>

/**
 * A targeting rule as a write takes it. With a segment_key the test's own fields are ignored, whatever they hold; without
 * one they are needed, and `flags/validate-rules` on the server says so.
 */
export const TargetingRuleInput = Type.Object({
  attribute: Type.Optional(ignorable({ type: 'string' })),
  operator: Type.Optional(ignorable({ enum: [...OPERATORS] })),
  values: Type.Optional(ignorable({ type: 'array', items: { type: 'string' } })),
  segment_key: Type.Optional(Nullable(Key)),
  variant: Type.Optional(AnyJson),
  conditions: Type.Optional(Nullable(Type.Array(Condition))),
})
export type TargetingRuleInput = Static<typeof TargetingRuleInput>

/** Anything goes; the schema that holds without a segment_key stands in the description. */
function ignorable(schema: object) {
  const description = `Without segment_key: ${JSON.stringify(schema)}. With one it is ignored.`
  return Type.Unsafe<JsonValue>({ description })
}

export const WeightedVariant = Type.Object({ weight: Type.Integer({ minimum: 0 }), value: AnyJson })
export const Prerequisite = Type.Object({ flag_key: Key, required_value: Type.Optional(AnyJson) })

/** A flag as the control plane answers it: segment references unexpanded. */
export const Flag = Type.Object({
  key: Key,
  is_enabled: Type.Boolean(),
  rollout_percentage: Nullable(Type.Integer({ minimum: 0, maximum: ROLLOUT_PERCENTAGE_MAX })),
  description: Nullable(Type.String()),
  rules: Type.Array(TargetingRule),
  flag_type: FlagType,
  default_value: AnyJson,
  disabled_value: AnyJson,
  variants: Type.Array(WeightedVariant),
  prerequisites: Type.Array(Prerequisite),
  tags: Type.Array(Type.String()),
  owner_email: Nullable(Type.String()),
  archived_at: Nullable(Timestamp),
  revision: Type.Integer({ description: 'Grows with each change of the flag; send it as If-Match' }),
})
export type Flag = Static<typeof Flag>

/** A flag as a write answers it. */
export const WrittenFlag = Type.Intersect([
  Flag,
  Type.Object({ warnings: Type.Optional(Type.Array(Warning)) }),
])

const writable = {
  is_enabled: Type.Boolean(),
  rollout_percentage: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: ROLLOUT_PERCENTAGE_MAX }))),
  description: Type.Optional(Nullable(Type.String())),
  rules: Type.Optional(Nullable(Type.Array(TargetingRuleInput))),
  flag_type: Type.Optional(FlagType),
  default_value: Type.Optional(AnyJson),
  disabled_value: Type.Optional(AnyJson),
  variants: Type.Optional(Nullable(Type.Array(WeightedVariant))),
  prerequisites: Type.Optional(Nullable(Type.Array(Prerequisite))),
  tags: Type.Optional(Nullable(Type.Array(Type.String()))),
  owner_email: Type.Optional(Nullable(Type.String({ maxLength: OWNER_EMAIL_MAX_LENGTH }))),
  archived_at: Type.Optional(Nullable(Timestamp)),
}

/** Body of POST: creates the flag or replaces it whole. */
export const FlagInput = Type.Object({ key: Key, ...writable })
export type FlagInput = Static<typeof FlagInput>

/** Body of PATCH: a merge patch (RFC 7386). The patched flag is validated as a whole. */
export const FlagPatch = Type.Object({
  key: Type.Optional(Key),
  ...writable,
  is_enabled: Type.Optional(Type.Boolean()),
})
export type FlagPatch = Static<typeof FlagPatch>
