import { type Static, Type } from 'typebox'
import { EXAMPLE_SHOP } from '../examples/example-shop.ts'
import { BULK_KEYS_MAX } from '../limits.ts'
import { OpenedChangeRequest } from './change-request.ts'
import { Commented } from './comment.ts'
import { Nullable } from './common.ts'
import { WrittenFlag } from './flag.ts'
import { Violation } from './violation.ts'

export const BULK_ACTIONS = [
  'enable',
  'disable',
  'archive',
  'unarchive',
  'delete',
  'add_tags',
  'remove_tags',
] as const

/** One action over several flags (docs/reference/flags.md). `tags` goes with `add_tags` and `remove_tags`. */
export const BulkInput = Commented(
  Type.Object(
    {
      keys: Type.Array(Type.String(), {
        minItems: 1,
        maxItems: BULK_KEYS_MAX,
        description: 'The flags, in the order of processing',
      }),
      action: Type.Enum([...BULK_ACTIONS], { description: 'The action on each flag' }),
      tags: Type.Optional(
        Nullable(
          Type.Array(Type.String(), {
            description: 'At least one for `add_tags` and `remove_tags`; otherwise ignored',
          }),
        ),
      ),
    },
    { examples: [{ keys: ['new-checkout', 'old-banner'], action: 'add_tags', tags: ['checkout'] }] },
  ),
)
export type BulkInput = Static<typeof BulkInput>

const BulkItem = Type.Object({
  key: Type.String({ description: 'The flag, as the request names it' }),
  status: Type.Integer({ description: 'The HTTP status of the equivalent single call' }),
  flag: Type.Optional(WrittenFlag),
  change_request: Type.Optional(OpenedChangeRequest),
  error: Type.Optional(Type.String({ description: 'The reason of a refusal' })),
  violations: Type.Optional(
    Type.Array(Violation, { description: 'The first invariants that block the change' }),
  ),
})

/** The result for one flag. `status` is that of the equivalent single call. */
export const BulkResult = Type.Object(
  { results: Type.Array(BulkItem, { description: 'One for each key, in the order of the request' }) },
  {
    examples: [
      {
        results: [
          { key: 'new-checkout', status: 200, flag: EXAMPLE_SHOP.listedFlag },
          { key: 'old-banner', status: 404, error: 'No such flag.' },
        ],
      },
    ],
  },
)
export type BulkResult = Static<typeof BulkResult>
