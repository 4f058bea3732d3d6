import { type Static, Type } from 'typebox'
import { ACK_APPLIED_MAX, ACK_COUNT_MAX, ACK_UNKNOWN_MAX, KEY_MAX_LENGTH } from '../limits.ts'
import { Nullable, timestamp } from './common.ts'

/** The text that a program gave as a flag key. It may be one that no flag can have. */
const unknownKey = Type.String({
  minLength: 1,
  maxLength: KEY_MAX_LENGTH,
  description: 'The key as the program gave it, cut to 100 characters',
})

/** A message of an SDK about the flags that it has. */
export const AckInput = Type.Object(
  {
    unknown: Type.Optional(
      Type.Array(
        Type.Tuple([
          unknownKey,
          Type.Integer({ minimum: 1, maximum: ACK_COUNT_MAX, description: 'The number of evaluations' }),
        ]),
        {
          maxItems: ACK_UNKNOWN_MAX,
          description:
            'Flags that the program evaluated since the last message and that the SDK does not have',
        },
      ),
    ),
    client: Type.Optional(
      Type.String({
        maxLength: KEY_MAX_LENGTH,
        description: 'The id that the client sent in `X-Burgee-Client`',
      }),
    ),
    applied: Type.Optional(
      Type.Array(
        Type.Tuple([
          Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'A revision' }),
          Type.Number({ minimum: 0, description: 'Milliseconds since it was applied' }),
        ]),
        {
          maxItems: ACK_APPLIED_MAX,
          description: 'Revisions that the client has applied since its last message, and for how long',
        },
      ),
    ),
  },
  { examples: [{ unknown: [['new-checkot', 12]] }] },
)
export type AckInput = Static<typeof AckInput>

const at = timestamp({ description: 'When, UTC' })
const by = Nullable(Type.String({ description: 'Who; null where it is not known' }))

const reasonOf = <const Reason extends string>(reason: Reason) =>
  Type.Literal(reason, { description: 'The kind of reason' })

/** The likely reason why programs evaluate a flag that does not exist. */
export const UnknownFlagReason = Type.Union(
  [
    Type.Object({ reason: reasonOf('archived'), at, by }),
    Type.Object({ reason: reasonOf('deleted'), at, by }),
    Type.Object({
      reason: reasonOf('other_environments'),
      environments: Type.Array(
        Type.Object({
          id: Type.String({ description: 'The id of the environment' }),
          name: Type.String({ description: 'Its name' }),
        }),
        { description: 'The first 10 environments of the project that have the flag' },
      ),
    }),
    Type.Object({
      reason: reasonOf('did_you_mean'),
      flag_key: Type.String({
        description: 'The flag whose key is the nearest, at an edit distance of at most 2',
      }),
    }),
  ],
  { description: 'The likely reason; null where none was found' },
)
export type UnknownFlagReason = Static<typeof UnknownFlagReason>

export const UnknownFlag = Type.Object(
  {
    flag_key: unknownKey,
    count: Type.Integer({ description: 'Evaluations that found no flag' }),
    first_seen: timestamp({ description: 'When it was reported first, UTC' }),
    last_seen: timestamp({ description: 'When it was reported last, UTC' }),
    app: Nullable(
      Type.String({
        description:
          'The program that reported it last, as it names itself in `X-Burgee-Client`; null where none did',
      }),
    ),
    sdk: Nullable(Type.String({ description: 'The SDK of that program, with its version' })),
    because: Nullable(UnknownFlagReason),
  },
  {
    examples: [
      {
        flag_key: 'new-checkot',
        count: 1204,
        first_seen: '2026-03-02T08:00:00.000Z',
        last_seen: '2026-03-02T09:30:00.000Z',
        app: 'checkout',
        sdk: 'js/1.4.0',
        because: { reason: 'did_you_mean', flag_key: 'new-checkout' },
      },
    ],
  },
)
export type UnknownFlag = Static<typeof UnknownFlag>
