import { type JsonValue, OPERATORS } from '@burgee/evaluation'
import { type Static, Type } from 'typebox'
import { EXAMPLE_SHOP } from '../examples/example-shop.ts'
import { RULE_DESCRIPTION_MAX_LENGTH } from '../limits.ts'
import { bucketing, rolloutPercentage, rolloutThousandths } from './bucketing.ts'
import { anyJson, key, Nullable } from './common.ts'

const attribute = { description: 'The attribute of the user that is tested' }
const operator = {
  description:
    'The comparison (docs/reference/operators.md); with `segment_key`, `not_in_segment` turns the reference around',
}
const values = {
  description:
    'The test holds when it holds for one of these; an empty list matches nothing. `is_set` and `is_not_set` need none',
}
const segment_key = key({ description: 'The key of a segment, whose rules replace this one' })
const variant = anyJson({
  description:
    'The value for matching users of a flag that is not boolean; the `default_value` when absent or null. Rules of a segment without a variant get it',
})
const conditions = { description: 'Further tests that must all hold as well' }

/** The operators of a rule or condition that refers to a segment. */
export const SEGMENT_OPERATORS = ['in_segment', 'not_in_segment'] as const
const SegmentOperator = Type.Enum([...SEGMENT_OPERATORS], {
  description: 'Whether the user must be in the segment or must not',
})
const Operator = Type.Enum([...OPERATORS], operator)
const AnyOperator = Type.Enum([...OPERATORS, ...SEGMENT_OPERATORS], operator)

/** A further test of a rule, which must also hold (docs/reference/flags.md#rules). */
export const Condition = Type.Object(
  {
    attribute: Type.String(attribute),
    operator: Operator,
    values: Type.Array(Type.String(), values),
  },
  { examples: [EXAMPLE_SHOP.condition] },
)
export type Condition = Static<typeof Condition>

/** A test of an attribute in a write, where `is_set` and `is_not_set` need no values. */
export const AttributeTest = Type.Object(
  {
    attribute: Type.String(attribute),
    operator: Operator,
    values: Type.Optional(Type.Array(Type.String(), values)),
  },
  { examples: [EXAMPLE_SHOP.condition, { attribute: 'plan', operator: 'is_set' }] },
)
export type AttributeTest = Static<typeof AttributeTest>

/** A condition that the user is, or is not, in a segment. SDKs receive the segment's rules instead. */
export const SegmentCondition = Type.Object(
  { segment_key, operator: SegmentOperator },
  { examples: [{ segment_key: 'staff', operator: 'not_in_segment' }] },
)
export type SegmentCondition = Static<typeof SegmentCondition>

/** A condition in a write. `values` may be left out where the operator ignores them. */
export const ConditionInput = Type.Object(
  {
    attribute: Type.Optional(Nullable(Type.String(attribute))),
    operator: AnyOperator,
    values: Type.Optional(Nullable(Type.Array(Type.String(), values))),
    segment_key: Type.Optional(Nullable(segment_key)),
  },
  {
    description:
      'A test of an attribute, with `attribute`, `operator` and `values`, or a reference to a segment, with `segment_key` and `in_segment` or `not_in_segment`',
    examples: [EXAMPLE_SHOP.condition, { segment_key: 'staff', operator: 'not_in_segment' }],
  },
)
export type ConditionInput = Static<typeof ConditionInput>

export const WeightedVariant = Type.Object(
  {
    weight: Type.Integer({
      minimum: 0,
      description: 'Its share, in proportion to the sum of all weights; at least one must be above 0',
    }),
    value: anyJson({ description: "The value, of the flag's type" }),
  },
  { examples: [...EXAMPLE_SHOP.flags[1].variants] },
)
export type WeightedVariant = Static<typeof WeightedVariant>

const off = Type.Boolean({
  description: 'When true, users that match get the `disabled_value`, with `enabled` false',
})
const description = Type.String({
  maxLength: RULE_DESCRIPTION_MAX_LENGTH,
  description: 'A note for colleagues. Client keys do not receive it',
})
const variants = {
  description:
    'Values among which the users that match are divided; never beside `variant`, and not on boolean flags',
}

const share = {
  rollout_percentage: rolloutPercentage(
    'The rule counts only for this share of the users that match; for the others the next rule is tried',
  ),
  rollout_thousandths: rolloutThousandths('The same share in thousandths of a percent'),
}

/** A targeting rule: a test of its own, or a reference to a segment. */
export const TargetingRule = Type.Object(
  {
    attribute: Type.Optional(Type.String(attribute)),
    operator: Type.Optional(Type.Union([AnyOperator, Type.Literal('')])),
    values: Type.Optional(Type.Array(Type.String(), values)),
    segment_key: Type.Optional(segment_key),
    variant: Type.Optional(variant),
    conditions: Type.Optional(Type.Array(Type.Union([Condition, SegmentCondition]), conditions)),
    off: Type.Optional(off),
    rollout_percentage: Type.Optional(share.rollout_percentage),
    rollout_thousandths: Type.Optional(share.rollout_thousandths),
    variants: Type.Optional(Type.Array(WeightedVariant, variants)),
    description: Type.Optional(description),
    bucket_by: Type.Optional(bucketing.bucket_by),
    rollout_salt: Type.Optional(bucketing.rollout_salt),
    variant_salt: Type.Optional(bucketing.variant_salt),
    hash: Type.Optional(bucketing.hash),
  },
  {
    description:
      'A test of an attribute, or, with `segment_key`, a reference to a segment. The first rule that matches wins',
    examples: [...EXAMPLE_SHOP.rules],
  },
)
export type TargetingRule = Static<typeof TargetingRule>

/**
 * A targeting rule in a write. With a segment_key, the other fields of the test are ignored, whatever their
 * values; only the operator `not_in_segment` counts. Without one they are required, and
 * `rules/validate-rules` on the server checks them.
 */
export const TargetingRuleInput = Type.Object(
  {
    attribute: Type.Optional(ignorable({ type: 'string' }, attribute)),
    operator: Type.Optional(ignorable({ enum: [...OPERATORS] }, operator)),
    values: Type.Optional(ignorable({ type: 'array', items: { type: 'string' } }, values)),
    segment_key: Type.Optional(Nullable(segment_key)),
    variant: Type.Optional(variant),
    conditions: Type.Optional(Nullable(Type.Array(ConditionInput, conditions))),
    off: Type.Optional(Nullable(off)),
    rollout_percentage: Type.Optional(Nullable(share.rollout_percentage)),
    rollout_thousandths: Type.Optional(Nullable(share.rollout_thousandths)),
    variants: Type.Optional(Nullable(Type.Array(WeightedVariant, variants))),
    description: Type.Optional(Nullable(description)),
    bucket_by: Type.Optional(Nullable(bucketing.bucket_by)),
    rollout_salt: Type.Optional(Nullable(bucketing.rollout_salt)),
    variant_salt: Type.Optional(Nullable(bucketing.variant_salt)),
    hash: Type.Optional(Nullable(bucketing.hashInput)),
  },
  {
    description: 'Needs `segment_key`, or all of `attribute`, `operator` and `values`',
    examples: [...EXAMPLE_SHOP.rules],
  },
)
export type TargetingRuleInput = Static<typeof TargetingRuleInput>

/** Accepts any value. The description contains the schema that applies without a segment_key. */
function ignorable(schema: object, { description }: { readonly description: string }) {
  const without = `Without segment_key: ${JSON.stringify(schema)}. With one it is ignored.`
  return Type.Unsafe<JsonValue>({ description: `${description}. ${without}` })
}
