import { type Static, Type } from 'typebox'
import { EXAMPLE_SHOP } from '../examples/example-shop.ts'
import { CreatedAt, key, Nullable, name, uuid } from './common.ts'
import { TargetingRule, TargetingRuleInput } from './flag.ts'
import { Warning } from './warning.ts'

const segmentKey = key({ description: 'The key that rules have as `segment_key`; unique in the environment' })
const text = Type.String({ description: 'The users in it, in words' })
const rules = {
  description: 'Users that any of these matches are in the segment. A rule may name another segment',
}

export const Segment = Type.Object(
  {
    id: uuid({ description: 'Stays when the key changes', readOnly: true }),
    environment_id: uuid({ description: 'The environment it belongs to', readOnly: true }),
    name: Type.String(),
    key: segmentKey,
    description: Nullable(text),
    rules: Type.Array(TargetingRule, rules),
    created_at: CreatedAt,
  },
  { examples: [EXAMPLE_SHOP.segment] },
)
export type Segment = Static<typeof Segment>

export const WrittenSegment = Type.Intersect([
  Segment,
  Type.Object({
    warnings: Type.Optional(
      Type.Array(Warning, { description: 'Warnings about probable mistakes; absent when there are none' }),
    ),
  }),
])

const fields = {
  name: name({ description: 'The display name; not blank' }),
  key: segmentKey,
  description: Type.Optional(Nullable(text)),
  rules: Type.Optional(Nullable(Type.Array(TargetingRuleInput, rules))),
}

export const SegmentInput = Type.Object(fields, { examples: [EXAMPLE_SHOP.segmentInput] })
export type SegmentInput = Static<typeof SegmentInput>

/** The body of PATCH, a merge patch. `name` and `key` cannot be null. */
export const SegmentPatch = Type.Partial(Type.Object(fields), {
  description:
    'A merge patch: missing fields do not change. A new `key` is written into every rule that names the old one',
  examples: [{ rules: [{ attribute: 'plan', operator: 'equals', values: ['beta', 'partner'] }] }],
})
export type SegmentPatch = Static<typeof SegmentPatch>
