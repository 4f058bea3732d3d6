import { type Static, Type } from 'typebox'
import { EXAMPLE_SHOP } from '../examples/example-shop.ts'
import { BYPASS_REASON_MAX_LENGTH, COMMENT_MAX_LENGTH } from '../limits.ts'
import { ChangePreview, Difference } from './change-preview.ts'
import { Commented, storedComment } from './comment.ts'
import { AnyJson, anyJson, CreatedAt, integerId, key, Nullable, timestamp, uuid } from './common.ts'
import { Flag } from './flag.ts'
import { StoredImpact } from './impact.ts'
import { Warning } from './warning.ts'

const WARNINGS_NOTE = 'Warnings about valid input that is probably a mistake; absent when there are none'

export const CHANGE_REQUEST_STATUSES = ['pending', 'approved', 'rejected', 'cancelled'] as const
export const ChangeRequestStatus = Type.Enum([...CHANGE_REQUEST_STATUSES], {
  description: '`pending` waits for a reviewer; the others are final',
})

/** The operations that a change request can hold. Each has the effect of the same direct call. */
export const FLAG_OPERATIONS = [
  'create',
  'patch',
  'replace',
  'promote',
  'restore',
  'archive',
  'unarchive',
  'add_tags',
  'remove_tags',
  'unschedule',
  'delete',
] as const

/** The change that was decided on, as it was at that time. */
export const DecidedChange = Type.Object(
  {
    before: Type.Union([Flag, Type.Null()], {
      description: 'The flag before; null when it was to be created',
    }),
    after: Type.Union([Flag, Type.Null()], {
      description:
        'The flag after the approval, or at its scheduled time; for another decision as it would have been; null when it is deleted',
    }),
    changes: Type.Array(Difference, { description: 'The differences by field' }),
  },
  { examples: [EXAMPLE_SHOP.decidedChange] },
)
export type DecidedChange = Static<typeof DecidedChange>

/** Why an approval does not count. */
export const NOT_COUNTED = [
  'flag_changed',
  'reviewer_disabled',
  'reviewer_gone',
  'no_permission',
  'not_an_approver',
] as const
export type NotCounted = (typeof NOT_COUNTED)[number]

const Approval = Type.Object({
  approved_by: Type.String({ description: "The reviewer's e-mail" }),
  comment: storedComment('What the reviewer wrote'),
  flag_revision: Nullable(
    Type.Integer({ description: 'The revision of the flag that was approved; null for a new flag' }),
  ),
  approved_at: timestamp({ description: 'The time of the approval, UTC' }),
  not_counted: Nullable(
    Type.Enum([...NOT_COUNTED], {
      description:
        'Why it does not count: the flag has changed since, or the reviewer may not review any more; null where it counts',
    }),
  ),
})

const RequestComment = Type.Object({
  author: Type.String({ description: "The author's e-mail" }),
  text: Type.String({ description: 'What the author wrote' }),
  created_at: timestamp({ description: 'When it was written, UTC' }),
})

/** The credential that requested a change, as it was at that time. */
const RequestedWith = Type.Object(
  {
    kind: Type.Enum(['session', 'access_token', 'sdk_key'], { description: 'The kind of the credential' }),
    name: Nullable(Type.String({ description: 'The name of the token or key; null for a session' })),
    created_by: Type.Array(Type.String(), {
      description:
        'Who created the key, or owns the token, with those who made the service account; empty for a session, and where it is unknown',
    }),
  },
  { examples: [EXAMPLE_SHOP.requestedWith] },
)
export type RequestedWith = Static<typeof RequestedWith>

export const ChangeRequest = Type.Object(
  {
    id: integerId({ description: 'Names the change request in paths', readOnly: true }),
    environment_id: uuid({ description: 'The environment whose flag would change' }),
    flag_key: key({ description: 'The flag that would change' }),
    operation: Type.Enum([...FLAG_OPERATIONS], {
      description: 'The requested operation; `create` where there is no flag yet',
    }),
    patch: Type.Record(Type.String(), AnyJson, {
      description: 'The change as a JSON merge patch of the flag',
    }),
    body: anyJson({ description: 'The operation with its input, as it is applied after approval' }),
    scheduled_at: Nullable(
      timestamp({ description: 'The time of the change after approval; null for immediately' }),
    ),
    requested_by: Type.String({ description: "The requester's e-mail; `sdk-key:<name>` for an SDK key" }),
    requested_with: Type.Union([RequestedWith, Type.Null()], {
      description:
        'The credential that asked, which others may know too; null for requests of an earlier version, and for changes that were planned before approval was required',
    }),
    status: ChangeRequestStatus,
    reviewed_by: Nullable(
      Type.String({ description: "The reviewer's e-mail; null while the request is pending" }),
    ),
    comment: storedComment('Why the requester wants it'),
    review_comment: storedComment('What the reviewer wrote about the decision'),
    reason: Nullable(Type.String({ description: "The reviewer's reason for a rejection" })),
    approvals: Type.Array(Approval, {
      description:
        'The approvals so far, with the reason of each that does not count: now, or at the decision of a decided request',
    }),
    bypass_reason: Nullable(
      Type.String({ description: 'Why a workspace admin applied it without the approval of others' }),
    ),
    created_at: CreatedAt,
    reviewed_at: Nullable(
      timestamp({ description: 'The time of the decision, UTC; null while it is pending' }),
    ),
    preview: Type.Union([ChangePreview, Type.Null()], {
      description:
        'The effect of approving it now; null after the decision, and in a list without `preview=true`',
    }),
    comments: Type.Union([Type.Array(RequestComment), Type.Null()], {
      description: 'The discussion, oldest first; null in a list',
    }),
    impact: Type.Optional(
      Type.Intersect([StoredImpact], {
        description:
          'The users whom the change affected when the request was opened (docs/trust.md#who-a-change-affects); only in the response for one request, once it is computed',
      }),
    ),
    decided_change: Type.Union([DecidedChange, Type.Null()], {
      description:
        'The change as it was at the decision; null while the request is pending, in a list without `preview=true`, where the change did not fit the flag, and for requests that an earlier version decided',
    }),
  },
  { examples: [EXAMPLE_SHOP.change_request] },
)
export type ChangeRequest = Static<typeof ChangeRequest>

export const ApproveInput = Commented(
  Type.Object(
    {
      revision: Type.Optional(
        Type.Integer({
          minimum: 0,
          description: 'The revision of the flag that the reviewer saw; 409 when the flag has changed since',
        }),
      ),
      bypass_reason: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: BYPASS_REASON_MAX_LENGTH,
          pattern: '\\S',
          description:
            'Workspace admins only: apply the change without the approval of others, for this reason. It is recorded in the request, the audit log and events',
        }),
      ),
    },
    { examples: [{ revision: 42 }] },
  ),
)

export const RejectInput = Commented(
  Type.Object(
    { reason: Type.Optional(Nullable(Type.String({ description: 'Shown to the requester' }))) },
    { examples: [{ reason: 'Not before the weekend' }] },
  ),
)

export const RequestCommentInput = Type.Object(
  {
    text: Type.String({
      minLength: 1,
      maxLength: COMMENT_MAX_LENGTH,
      pattern: '\\S',
      description: 'Not blank',
    }),
  },
  { examples: [{ text: 'Is the fallback tested?' }] },
)

/** A change request with its place, for lists over several environments. */
export const PlacedChangeRequest = Type.Intersect([
  ChangeRequest,
  Type.Object(
    {
      project: Type.Object(
        { id: uuid({}), name: Type.String() },
        { description: 'The project of the environment' },
      ),
      environment: Type.Object({ id: uuid({}), name: Type.String() }),
    },
    { examples: [EXAMPLE_SHOP.placeNames] },
  ),
])
export type PlacedChangeRequest = Static<typeof PlacedChangeRequest>

/** A change request in the response to the write that opened it. */
export const OpenedChangeRequest = Type.Intersect([
  ChangeRequest,
  Type.Object({ warnings: Type.Optional(Type.Array(Warning, { description: WARNINGS_NOTE })) }),
])
export type OpenedChangeRequest = Static<typeof OpenedChangeRequest>
