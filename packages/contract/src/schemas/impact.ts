import { type Static, Type } from 'typebox'
import { IMPACT_CHANGES_MAX, IMPACT_EXAMPLES_MAX, IMPACT_USERS_MAX, SEEN_USERS_DAYS_MAX } from '../limits.ts'
import { AnyJson, anyJson, integerId, key, Nullable, timestamp, uuid } from './common.ts'
import { FlagInput, FlagPatch } from './flag.ts'
import { SegmentPatch } from './segment.ts'
import { Violation } from './violation.ts'
import { Warning } from './warning.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })
const estimated = (description: string) =>
  Type.Object(
    {
      estimate: count(description),
      low: count('The lower end of the 95% interval'),
      high: count('Its upper end'),
    },
    { description },
  )

/** An operation on a flag that is not made. */
const ImpactFlagChange = Type.Object({
  flag_key: key({ description: 'The flag' }),
  operation: Type.Enum(['patch', 'replace', 'archive', 'unarchive', 'delete'], {
    description: 'What would be done; `patch` needs `patch`, and `replace` needs `flag`',
  }),
  patch: Type.Optional(FlagPatch),
  flag: Type.Optional(FlagInput),
})

/** A write of a segment that is not made. */
const ImpactSegmentChange = Type.Object({
  segment_key: key({ description: 'The segment' }),
  patch: Nullable(SegmentPatch),
})

/** A promotion into the environment that is not made. */
const ImpactPromotion = Type.Object({
  promote: Type.Object({
    source_env_id: uuid({ description: 'The environment that has the flag: another one of the project' }),
    flag_key: key({ description: 'The flag' }),
    copy_segments: Type.Optional(
      Type.Boolean({
        description: 'Whether the segments that are missing would be copied; false by default',
      }),
    ),
  }),
})

/** The change of a pending change request of the environment. */
const ImpactRequest = Type.Object({
  change_request_id: integerId({ description: 'The request' }),
})

export const ImpactChange = Type.Union([
  ImpactFlagChange,
  ImpactSegmentChange,
  ImpactPromotion,
  ImpactRequest,
])
export type ImpactChange = Static<typeof ImpactChange>

/** A user for whom changes are computed. */
export const ImpactUser = Type.Object({
  user_key: Nullable(Type.String({ description: 'The key; null for an anonymous user' })),
  attributes: Type.Optional(
    Type.Record(Type.String(), AnyJson, {
      description: 'All attributes; absent where they are not known',
    }),
  ),
})
export type ImpactUser = Static<typeof ImpactUser>

/** Changes, and for whom to compute them. */
export const ImpactInput = Type.Object(
  {
    changes: Type.Array(ImpactChange, {
      minItems: 1,
      maxItems: IMPACT_CHANGES_MAX,
      description: 'Applied one after another. Nothing is stored',
    }),
    users: Type.Optional(
      Type.Array(ImpactUser, {
        maxItems: IMPACT_USERS_MAX,
        description: 'The users, instead of those that were seen. They are not stored',
      }),
    ),
    days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: SEEN_USERS_DAYS_MAX,
        description: 'The days of seen users; all that are kept by default',
      }),
    ),
    examples: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: IMPACT_EXAMPLES_MAX,
        description: 'The example users of each flip; 5 by default',
      }),
    ),
  },
  {
    examples: [
      { changes: [{ flag_key: 'new-checkout', operation: 'patch', patch: { rollout_percentage: 50 } }] },
    ],
  },
)
export type ImpactInput = Static<typeof ImpactInput>

const Flip = Type.Object({
  from: anyJson({ description: 'The value before' }),
  to: anyJson({ description: 'The value after' }),
  from_enabled: Type.Boolean({ description: 'Whether the flag was enabled' }),
  to_enabled: Type.Boolean({ description: 'Whether the flag is enabled afterwards' }),
  certain: count('The users who surely get it'),
  possible: count('The users who get it or not, by attributes that are not known'),
  examples: Type.Array(Nullable(Type.String()), { description: 'Keys of such users; null is anonymous' }),
})

const ImpactOfFlag = Type.Object({
  flag_key: Type.String({ description: 'The flag' }),
  cause: Type.Enum(['changed', 'segment', 'prerequisite'], {
    description: 'Why it moves: it is changed, a segment of it is, or a flag that it needs',
  }),
  changed: count('The users who surely get another result'),
  hash_share: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 100,
      description:
        'The exact share of all possible user keys that get another result, in percent; absent where attributes decide, or it cannot be computed',
    }),
  ),
  flips: Type.Array(Flip, { description: 'The most frequent first' }),
})

/** The users who get another result by changes (docs/trust.md#who-a-change-affects). */
export const Impact = Type.Object(
  {
    revision: Type.Integer({ description: 'The revision that was compared' }),
    users: Type.Object(
      {
        known: count('The users who were evaluated'),
        with_attributes: count('Those whose attributes were known'),
        all: Type.Union([estimated('All users of these days'), Type.Null()], {
          description: 'The users who were seen; null for given users and where none are kept',
        }),
      },
      { description: 'The users who were looked at' },
    ),
    exact: Type.Boolean({ description: 'True when the numbers hold for all users who were seen or given' }),
    changed: Type.Object(
      {
        certain: count('The users for whom a flag surely changes'),
        possible: count('Those for whom one may change'),
        all: Type.Optional(
          estimated('All users of these days who get another result; absent when all were evaluated'),
        ),
      },
      { description: 'The users who get another result' },
    ),
    flags: Type.Array(ImpactOfFlag, { description: 'The flags that move, changed ones first' }),
    warnings: Type.Array(Warning, {
      description:
        'The warnings of the writes; the first part of each `path` is the key of the flag. Empty without any',
    }),
    violations: Type.Array(Violation, {
      description:
        'The invariants that the changes would violate, or that cannot be decided; empty without any',
    }),
    took_ms: Type.Integer({ description: 'The milliseconds of the computation' }),
  },
  {
    examples: [
      {
        revision: 42,
        users: { known: 1204, with_attributes: 1180, all: { estimate: 1204, low: 1204, high: 1204 } },
        exact: false,
        changed: { certain: 30, possible: 2 },
        flags: [
          {
            flag_key: 'new-checkout',
            cause: 'changed',
            changed: 30,
            hash_share: 25,
            flips: [
              {
                from: false,
                to: true,
                from_enabled: false,
                to_enabled: true,
                certain: 30,
                possible: 2,
                examples: ['user-1'],
              },
            ],
          },
        ],
        warnings: [],
        violations: [],
        took_ms: 18,
      },
    ],
  },
)
export type Impact = Static<typeof Impact>

/** An impact at the time of a change, cut to 16 KiB: first its examples, then the flags that move least. */
export const StoredImpact = Type.Intersect([
  Impact,
  Type.Object({ computed_at: timestamp({ description: 'The time of the computation, UTC' }) }),
])
export type StoredImpact = Static<typeof StoredImpact>
