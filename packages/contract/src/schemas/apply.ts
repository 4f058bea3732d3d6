import { type Static, Type } from 'typebox'
import { APPLY_FLAGS_MAX, APPLY_SEGMENTS_MAX, IMPACT_USERS_MAX } from '../limits.ts'
import { ChangePreview } from './change-preview.ts'
import { ChangeRequest } from './change-request.ts'
import { Commented } from './comment.ts'
import { key } from './common.ts'
import { FlagInput, FlagPatch } from './flag.ts'
import { flagExtensions } from './flag-extensions.ts'
import { Impact, ImpactUser } from './impact.ts'
import { SegmentPatch } from './segment.ts'
import { Warning } from './warning.ts'

const { key: _key, ...flagFields } = FlagPatch.properties

export const AppliedFlag = Type.Object(
  {
    key: FlagInput.properties.key,
    ...flagFields,
    create: Type.Optional(
      Type.Object(flagFields, {
        description: 'Fields for the creation of the flag only; an existing flag keeps its own',
      }),
    ),
  },
  {
    description:
      'A flag. A field that is missing is not changed; a given one is replaced as a whole, also a list or an object',
  },
)
export type AppliedFlag = Static<typeof AppliedFlag>

const { key: _segmentKey, ...segmentFields } = SegmentPatch.properties
export const AppliedSegment = Type.Object(
  { key: key({ description: 'The key of the segment' }), ...segmentFields },
  { description: 'A segment. A field that is missing is not changed; a new segment needs a `name`' },
)
export type AppliedSegment = Static<typeof AppliedSegment>

const revisions = Type.Record(Type.String(), Type.Integer({ minimum: 0 }), {
  description: 'The expected revision for each key; 0 where nothing may exist',
})

const listed = {
  name: Type.Optional(flagExtensions.managed_by),
  segments: Type.Optional(Type.Array(AppliedSegment, { maxItems: APPLY_SEGMENTS_MAX })),
  flags: Type.Optional(Type.Array(AppliedFlag, { maxItems: APPLY_FLAGS_MAX })),
}

const example = {
  name: 'checkout-team',
  flags: [{ key: 'new-checkout', rollout_percentage: 25, create: { is_enabled: false } }],
}

/** The wanted state of flags and segments of one environment. */
export const ApplyInput = Commented(
  Type.Object(
    {
      ...listed,
      prune: Type.Optional(
        Type.Boolean({ description: 'Archives flags that `name` manages and that are not listed' }),
      ),
      dry_run: Type.Optional(
        Type.Boolean({ description: 'Does the whole write, responds, and rolls it back' }),
      ),
      users: Type.Optional(
        Type.Array(ImpactUser, {
          maxItems: IMPACT_USERS_MAX,
          description:
            'With `dry_run`: the users of the impact, instead of those that were seen. They are not stored',
        }),
      ),
      take_over: Type.Optional(
        Type.Boolean({ description: 'Also changes flags that another name manages, and manages them' }),
      ),
      if_revisions: Type.Optional(
        Type.Object({ flags: Type.Optional(revisions), segments: Type.Optional(revisions) }),
      ),
    },
    { examples: [{ ...example, dry_run: true }] },
  ),
)
export type ApplyInput = Static<typeof ApplyInput>

const AppliedChange = Type.Object({
  resource: Type.Enum(['segment', 'flag'], { description: 'The kind of thing' }),
  key: Type.String({ description: 'Its key' }),
  action: Type.Enum(['create', 'update', 'archive', 'unarchive'], { description: 'The change' }),
  base_revision: Type.Integer({
    description: 'The revision before the change, 0 where nothing existed; send it in `if_revisions`',
  }),
  changes: Type.Array(ChangePreview.properties.changes.items, {
    description: 'The differences by field, as a preview of the flag lists them',
  }),
  is_cut: Type.Optional(
    Type.Boolean({
      description: 'True when differences are left out, because the response would be too large',
    }),
  ),
  needs_approval: Type.Optional(
    Type.Boolean({ description: 'True when the change waits for approval instead of being made' }),
  ),
  warnings: Type.Array(Warning, { description: 'Warnings about probable mistakes; empty without any' }),
})
export type AppliedChange = Static<typeof AppliedChange>

/** The changes that an apply has made, or would make. */
export const ApplyResult = Type.Object(
  {
    revision: Type.Integer({ description: "The environment's revision afterwards" }),
    dry_run: Type.Boolean({ description: 'True when nothing was stored' }),
    changes: Type.Array(AppliedChange, { description: 'One for each thing that changes; empty without any' }),
    impact: Type.Optional(
      Type.Intersect([Impact], {
        description:
          'Of a dry run: the users who would get another result (docs/trust.md#who-a-change-affects); approvals are not asked for',
      }),
    ),
    warnings: Type.Optional(
      Type.Array(Warning, { description: 'Warnings about the whole; absent without any' }),
    ),
    change_requests: Type.Optional(
      Type.Array(Type.Object({ id: ChangeRequest.properties.id, flag_key: Type.String() }), {
        description: 'The change requests that were opened; absent without any, and in a dry run',
      }),
    ),
  },
  { examples: [{ revision: 42, dry_run: true, changes: [] }] },
)
export type ApplyResult = Static<typeof ApplyResult>
