import { type Static, Type } from 'typebox'
import { EXAMPLE_SHOP } from '../examples/example-shop.ts'
import { Commented, storedComment } from './comment.ts'
import { timestamp } from './common.ts'
import { Flag } from './flag.ts'

/** The flag after one change. */
export const FlagHistoryEntry = Type.Object(
  {
    revision: Type.Integer({ description: "The flag's revision after the change; what `restore` takes" }),
    action: Type.String({ description: 'The action as in the audit log, such as `update`' }),
    actor_email: Type.String({ description: 'The actor; `sdk-key:<name>` for an SDK key' }),
    created_at: timestamp({ description: 'The time, UTC' }),
    comment: storedComment('Why it was done'),
    flag: Flag,
  },
  {
    examples: [
      {
        revision: EXAMPLE_SHOP.flags[0].revision,
        action: 'update',
        actor_email: EXAMPLE_SHOP.current_user.email,
        created_at: EXAMPLE_SHOP.changedAt,
        comment: EXAMPLE_SHOP.comment,
        flag: EXAMPLE_SHOP.flags[0],
      },
    ],
  },
)
export type FlagHistoryEntry = Static<typeof FlagHistoryEntry>

export const RestoreInput = Commented(
  Type.Object(
    {
      revision: Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'One of the history',
      }),
    },
    { examples: [{ revision: EXAMPLE_SHOP.flags[0].revision }] },
  ),
)
export type RestoreInput = Static<typeof RestoreInput>
