import { type Static, Type } from 'typebox'
import { EXAMPLE_SHOP } from '../examples/example-shop.ts'
import {
  NAME_MAX_LENGTH,
  SEGMENT_KEY_MAX_LENGTH,
  SEGMENT_KEYS_MAX,
  SEGMENT_PREVIEW_FLAGS_MAX,
} from '../limits.ts'
import { ChangePreview } from './change-preview.ts'
import { Commented } from './comment.ts'
import { CreatedAt, key, Nullable, uuid } from './common.ts'
import { TargetingRule, TargetingRuleInput } from './rule.ts'
import { Warning } from './warning.ts'

const segmentKey = key({ description: 'The key that rules have as `segment_key`; unique in the environment' })
const text = Type.String({ description: 'A description of its users' })
const rules = {
  description: 'Users that any of these matches are in the segment. A rule may name another segment',
}

const userKeys = (description: string) =>
  Type.Array(Type.String({ maxLength: SEGMENT_KEY_MAX_LENGTH }), { maxItems: SEGMENT_KEYS_MAX, description })
const included_keys = userKeys('User keys that are in the segment, whatever its rules are; absent when empty')
const excluded_keys = userKeys(
  'User keys that are not in the segment, unless they are included; absent when empty',
)
const keyLists = {
  included_keys: Type.Optional(included_keys),
  excluded_keys: Type.Optional(excluded_keys),
}

export const Segment = Type.Object(
  {
    id: uuid({ description: 'Stays when the key changes', readOnly: true }),
    environment_id: uuid({ description: 'The environment it belongs to', readOnly: true }),
    name: Type.String(),
    key: segmentKey,
    description: Nullable(text),
    rules: Type.Array(TargetingRule, rules),
    revision: Type.Integer({
      description: 'Grows with each change of the segment; send it as If-Match',
      readOnly: true,
    }),
    created_at: CreatedAt,
    ...keyLists,
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
  // A file may repeat a stored name that is older than the rule for names, so the server compares the two.
  name: Type.String({
    minLength: 1,
    maxLength: NAME_MAX_LENGTH,
    pattern: '\\S',
    description: 'The display name; not blank',
  }),
  key: segmentKey,
  description: Type.Optional(Nullable(text)),
  rules: Type.Optional(Nullable(Type.Array(TargetingRuleInput, rules))),
  included_keys: Type.Optional(Nullable(included_keys)),
  excluded_keys: Type.Optional(Nullable(excluded_keys)),
}

export const SegmentInput = Commented(Type.Object(fields, { examples: [EXAMPLE_SHOP.segmentInput] }))
export type SegmentInput = Static<typeof SegmentInput>

/** The body of PATCH, a merge patch. `name` and `key` cannot be null. */
export const SegmentPatch = Type.Partial(Type.Object(fields), {
  description:
    'A merge patch: missing fields do not change. A new `key` is written into every rule that names the old one',
  examples: [{ rules: [{ attribute: 'plan', operator: 'equals', values: ['beta', 'partner'] }] }],
})
export type SegmentPatch = Static<typeof SegmentPatch>

/**
 * The input of a preview: the write of a segment. `patch` is the body of the PATCH request; null for a
 * deletion.
 */
export const SegmentPreviewInput = Type.Object(
  { key: segmentKey, patch: Nullable(SegmentPatch) },
  {
    description: 'The current key of a segment, or the key of a new one, and the change',
    examples: [
      {
        key: EXAMPLE_SHOP.segmentInput.key,
        patch: { rules: [{ attribute: 'plan', operator: 'equals', values: ['beta', 'partner'] }] },
      },
    ],
  },
)
export type SegmentPreviewInput = Static<typeof SegmentPreviewInput>

const Content = Type.Object({
  name: Type.String(),
  key: segmentKey,
  description: Nullable(text),
  rules: Type.Array(TargetingRule, rules),
  ...keyLists,
})

const { changes } = EXAMPLE_SHOP.change_request.preview

/** The effects that a write of a segment would have. */
export const SegmentPreview = Type.Object(
  {
    before: Type.Union([Content, Type.Null()], { description: 'Null when the segment would be created' }),
    after: Type.Union([Content, Type.Null()], { description: 'Null when the segment would be deleted' }),
    flag_count: Type.Integer({ description: 'The number of flags that SDKs would receive again' }),
    flags: Type.Array(
      Type.Object({
        flag_key: segmentKey,
        changes: Type.Array(ChangePreview.properties.changes.items, {
          description: 'The differences in the rules that SDKs receive; empty when there are none',
        }),
        is_cut: Type.Boolean({ description: 'True when there are more differences than these' }),
      }),
      { description: `The first ${SEGMENT_PREVIEW_FLAGS_MAX} of them, by key` },
    ),
    warnings: Type.Array(Warning, {
      description: 'Warnings about probable mistakes; empty when there are none',
    }),
    problem: Type.Optional(
      Type.String({
        description: 'The reason why the caller cannot make this change: it affects flags that need approval',
      }),
    ),
  },
  {
    examples: [
      {
        before: EXAMPLE_SHOP.segmentInput,
        after: EXAMPLE_SHOP.segmentInput,
        flag_count: 1,
        flags: [{ flag_key: 'new-checkout', changes, is_cut: false }],
        warnings: [],
      },
    ],
  },
)
export type SegmentPreview = Static<typeof SegmentPreview>
