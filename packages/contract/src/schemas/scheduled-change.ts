import { type Static, Type } from 'typebox'
import { EXAMPLE_SHOP } from '../examples/example-shop.ts'
import { Commented, storedComment } from './comment.ts'
import { AnyJson, CreatedAt, key, Nullable, timestamp, uuid } from './common.ts'
import { FlagPatch } from './flag.ts'
import { StoredImpact } from './impact.ts'
import { Warning } from './warning.ts'

/** A patch that is applied at a later time (docs/reference/governance.md#scheduled-changes). */
export const ScheduledChange = Type.Object(
  {
    id: uuid({ description: 'Names the scheduled change in paths', readOnly: true }),
    environment_id: uuid({ description: 'The environment whose flag will change' }),
    flag_key: key({ description: 'The flag that will change' }),
    scheduled_at: timestamp({ description: 'The time at which it is due, UTC' }),
    patch: Type.Record(Type.String(), AnyJson, { description: 'A JSON merge patch of the flag' }),
    scheduled_by: Type.String({
      description: 'The e-mail of the requester; `sdk-key:<name>` for an SDK key',
    }),
    comment: storedComment('Why it was scheduled'),
    executed_at: Nullable(
      timestamp({ description: 'The time of its execution, UTC; null while it is pending' }),
    ),
    error: Nullable(
      Type.String({
        description:
          'The reason why the flag was not changed; null when it was changed. While the change is pending: the reason why the last attempt failed; null before the first one',
      }),
    ),
    impact: Type.Optional(
      Type.Union([StoredImpact, Type.Null()], {
        description:
          'The users whom the change affected when it was scheduled (docs/trust.md#who-a-change-affects); null until it is computed. Only lists with `impact=true` have it',
        readOnly: true,
      }),
    ),
    created_at: CreatedAt,
  },
  { examples: [EXAMPLE_SHOP.scheduled_change] },
)
export type ScheduledChange = Static<typeof ScheduledChange>

/** A scheduled change in the response to the write that created it. */
export const CreatedScheduledChange = Type.Intersect([
  ScheduledChange,
  Type.Object({
    warnings: Type.Optional(
      Type.Array(Warning, {
        description: 'Warnings about valid input that is probably a mistake; absent when there are none',
      }),
    ),
  }),
])
export type CreatedScheduledChange = Static<typeof CreatedScheduledChange>

export const ScheduledChangeInput = Commented(
  Type.Object(
    {
      scheduled_at: timestamp({ description: 'RFC 3339; a past time means immediately' }),
      patch: FlagPatch,
    },
    {
      examples: [
        {
          scheduled_at: EXAMPLE_SHOP.scheduled_change.scheduled_at,
          patch: EXAMPLE_SHOP.scheduled_change.patch,
        },
      ],
    },
  ),
)
export type ScheduledChangeInput = Static<typeof ScheduledChangeInput>
