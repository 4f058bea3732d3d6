import { type Static, Type } from 'typebox'
import { Key, Name, Nullable, Timestamp, Uuid } from './common.ts'
import { TargetingRule, TargetingRuleInput } from './flag.ts'
import { Warning } from './warning.ts'

export const Segment = Type.Object({
  id: Uuid,
  environment_id: Uuid,
  name: Type.String(),
  key: Key,
  description: Nullable(Type.String()),
  rules: Type.Array(TargetingRule),
  created_at: Timestamp,
})
export type Segment = Static<typeof Segment>

export const WrittenSegment = Type.Intersect([
  Segment,
  Type.Object({ warnings: Type.Optional(Type.Array(Warning)) }),
])

export const SegmentInput = Type.Object({
  name: Name,
  key: Key,
  description: Type.Optional(Nullable(Type.String())),
  rules: Type.Optional(Nullable(Type.Array(TargetingRuleInput))),
})
export type SegmentInput = Static<typeof SegmentInput>

/** Body of PATCH, a merge patch: `name` and `key` cannot be set to nothing. */
export const SegmentPatch = Type.Partial(SegmentInput)
export type SegmentPatch = Static<typeof SegmentPatch>
