import { type Static, Type } from 'typebox'
import { EXAMPLE_SHOP } from '../examples/example-shop.ts'
import { INCIDENT_IMPACTS_MAX } from '../limits.ts'
import { Nullable, timestamp, uuid } from './common.ts'
import { Impact } from './impact.ts'

const { changed, exact, flags, users } = Impact.properties

/** The users who get another result by a write of the past (docs/trust.md#who-a-change-affects). */
export const PastImpact = Type.Object(
  { users, exact, changed, flags },
  {
    description:
      'Who got another result by it, counted for the users who are known now: not for those of that time',
    examples: [
      {
        users: { known: 1204, with_attributes: 1204, all: { estimate: 1204, low: 1204, high: 1204 } },
        exact: true,
        changed: { certain: 30, possible: 0 },
        flags: [],
      },
    ],
  },
)
export type PastImpact = Static<typeof PastImpact>

/** A write of flags or of a segment in a window of time, and its undo. */
export const IncidentEntry = Type.Object(
  {
    audit_id: Type.Integer({ description: 'The entry of the audit log' }),
    at: timestamp({ description: 'When' }),
    project_id: uuid({ description: 'The project' }),
    environment_id: uuid({ description: 'The environment' }),
    revisions: Type.Array(Type.Integer(), {
      description: 'At most 100 revisions that SDKs received of it; empty where they noticed nothing',
    }),
    actor_email: Type.String({ description: 'Who made it' }),
    action: Type.String({ description: 'What was done' }),
    origin: Type.String({ description: 'How it came about, as `metadata.origin` of the entry' }),
    flag_keys: Type.Array(Type.String(), {
      description: 'The flag, or at most 100 flags that SDKs received again because of a segment',
    }),
    segment_key: Type.Optional(Type.String({ description: 'The segment that was changed' })),
    summary: Type.String({ description: 'The changed fields' }),
    comment: Nullable(Type.String({ description: 'The comment of the write' })),
    undone_by: Nullable(Type.Integer({ description: 'The latest entry that undid it' })),
    impact: Type.Optional(
      Type.Union([PastImpact, Type.Null()], {
        description: `With \`impact=true\`, of the first ${INCIDENT_IMPACTS_MAX}: who got another result by it, counted for the users who are known now. Null where SDKs noticed nothing, where the history is not kept, and when the time for the list was over`,
      }),
    ),
  },
  {
    examples: [
      {
        audit_id: 4812,
        at: EXAMPLE_SHOP.changedAt,
        project_id: EXAMPLE_SHOP.placeNames.project.id,
        environment_id: EXAMPLE_SHOP.productionId,
        revisions: [42],
        actor_email: 'ada@example.com',
        action: 'update',
        origin: 'direct',
        flag_keys: ['new-checkout'],
        summary: 'rollout_percentage',
        comment: null,
        undone_by: null,
      },
    ],
  },
)
export type IncidentEntry = Static<typeof IncidentEntry>
