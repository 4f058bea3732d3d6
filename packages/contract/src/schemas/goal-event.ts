import { type Static, Type } from 'typebox'
import { EXAMPLE_SHOP } from '../examples/example-shop.ts'
import { AnyJson, Nullable, timestamp } from './common.ts'

/** An action of a user (docs/reference/reports.md#goal-events). */
export const GoalEventInput = Type.Object(
  {
    event_key: Type.Optional(
      Nullable(Type.String({ description: 'Empty, missing or over 100 characters: the event is skipped' })),
    ),
    user_id: Type.Optional(Nullable(Type.String({ description: 'Null for anonymous' }))),
    value: Type.Optional(Nullable(Type.Number({ description: 'Revenue, count, duration' }))),
    context: Type.Optional(
      Nullable(Type.Record(Type.String(), AnyJson, { description: 'More than 8 KiB of JSON become null' })),
    ),
    occurred_at: Type.Optional(
      Nullable(timestamp({ description: 'The time; at most that of arrival, which is the default' })),
    ),
  },
  { examples: [EXAMPLE_SHOP.goal_event] },
)
export type GoalEventInput = Static<typeof GoalEventInput>

export const GoalEventSummary = Type.Object(
  {
    event_key: Type.String({ description: 'The goal' }),
    total: Type.Integer({ description: 'Events' }),
    unique_users: Type.Integer({ description: 'Users among them, without anonymous ones' }),
    last_seen: timestamp({ description: 'The time of the latest, UTC' }),
  },
  { examples: [EXAMPLE_SHOP.goalSummary] },
)
export type GoalEventSummary = Static<typeof GoalEventSummary>
