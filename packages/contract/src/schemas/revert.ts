import { type Static, Type } from 'typebox'
import { REVERTED_ENTRIES_MAX } from '../limits.ts'
import { ChangePreview } from './change-preview.ts'
import { ChangeRequest } from './change-request.ts'
import { Commented } from './comment.ts'
import { integerId } from './common.ts'
import { Impact } from './impact.ts'
import { Warning } from './warning.ts'

/** The entries of the audit log whose changes are undone together. */
export const RevertInput = Commented(
  Type.Object(
    {
      audit_ids: Type.Array(integerId({ description: 'An entry of the audit log of this environment' }), {
        minItems: 1,
        maxItems: REVERTED_ENTRIES_MAX,
        description: 'In any order; the newest is undone first',
      }),
      dry_run: Type.Optional(
        Type.Boolean({ description: 'Does the whole write, responds, and rolls it back' }),
      ),
      impact: Type.Optional(
        Type.Boolean({
          description: 'With `dry_run`: whether to compute the `impact`, which takes longer; true by default',
        }),
      ),
    },
    { examples: [{ audit_ids: [4812], dry_run: true }] },
  ),
)
export type RevertInput = Static<typeof RevertInput>

const RevertedChange = Type.Object({
  resource: Type.Enum(['segment', 'flag'], { description: 'The kind of thing' }),
  key: Type.String({ description: 'Its key' }),
  action: Type.Enum(['create', 'update', 'archive', 'unarchive', 'delete'], { description: 'The change' }),
  audit_ids: Type.Array(Type.Integer(), { description: 'The entries that are undone' }),
  changes: Type.Array(ChangePreview.properties.changes.items, { description: 'The differences by field' }),
  needs_approval: Type.Optional(
    Type.Boolean({ description: 'True when the change waits for approval instead of being made' }),
  ),
  warnings: Type.Array(Warning, { description: 'Warnings about probable mistakes; empty without any' }),
})
export type RevertedChange = Static<typeof RevertedChange>

/** The changes that an undo has made, or would make. */
export const RevertResult = Type.Object(
  {
    revision: Type.Integer({ description: "The environment's revision afterwards" }),
    dry_run: Type.Boolean({ description: 'True when nothing was stored' }),
    changes: Type.Array(RevertedChange, {
      description: 'One for each thing that changes; empty without any',
    }),
    impact: Type.Optional(
      Type.Intersect([Impact], {
        description:
          'Of a dry run: the users who would get another result (docs/trust.md#who-a-change-affects); absent where it could not be computed',
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
  { examples: [{ revision: 43, dry_run: true, changes: [] }] },
)
export type RevertResult = Static<typeof RevertResult>
