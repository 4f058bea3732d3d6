import { type Static, Type } from 'typebox'
import { EXAMPLE_SHOP } from '../examples/example-shop.ts'
import { AnyJson, Nullable, timestamp } from './common.ts'

const context = Type.Record(Type.String(), AnyJson, {
  description: 'The attributes of the evaluation; more than 8 KiB of JSON become null',
})

/** One evaluation that an SDK reports. Long texts are cut instead of refused (docs/reference/reports.md). */
export const ImpressionInput = Type.Object(
  {
    flag_key: Type.String({ minLength: 1, description: 'The flag; unknown keys are stored too' }),
    user_id: Type.Optional(Nullable(Type.String({ description: 'Null for anonymous' }))),
    value: Type.String({ description: 'The value of the flag as text' }),
    context: Type.Optional(Nullable(context)),
    evaluated_at: Type.Optional(Nullable(timestamp({ description: 'The time; by default that of arrival' }))),
  },
  { examples: [EXAMPLE_SHOP.impressionInput] },
)
export type ImpressionInput = Static<typeof ImpressionInput>

export const Impression = Type.Object(
  {
    id: Type.Integer({ description: 'Grows with each impression of the environment: safe to poll by' }),
    flag_key: Type.String({ description: 'The flag' }),
    user_id: Nullable(Type.String({ description: 'Null for anonymous' })),
    value: Type.String({ description: 'The value of the flag as text' }),
    context: Nullable(context),
    evaluated_at: timestamp({ description: 'When it was evaluated, UTC' }),
  },
  { examples: [EXAMPLE_SHOP.impression] },
)
export type Impression = Static<typeof Impression>

export const ImpressionPage = Type.Object({
  items: Type.Array(Impression, { description: 'Newest first; with `since_id` in the order of their ids' }),
  total: Type.Integer({
    description: 'The number of matching impressions; `since_id`, `limit` and `offset` do not matter',
    examples: [1],
  }),
})
export type ImpressionPage = Static<typeof ImpressionPage>

export const ImpressionStats = Type.Object(
  {
    flag_key: Type.String({ description: 'The flag' }),
    total: Type.Integer({ description: 'Impressions' }),
    true_count: Type.Integer({ description: 'Those with the value `true`' }),
    false_count: Type.Integer({ description: 'Those with the value `false`' }),
    unique_users: Type.Integer({ description: 'Users among them, without anonymous ones' }),
    last_seen: timestamp({ description: 'The latest evaluation, UTC' }),
  },
  { examples: [EXAMPLE_SHOP.impressionStats] },
)
export type ImpressionStats = Static<typeof ImpressionStats>

const day = Type.String({ description: 'A day, UTC: `2026-01-31`' })

export const Exposure = Type.Object(
  {
    flag_key: Type.String({ description: 'The flag' }),
    total_impressions: Type.Integer({ description: 'Over the whole retained time' }),
    total_users: Type.Integer({ description: 'Users, without anonymous ones' }),
    variants: Type.Array(
      Type.Object({
        value: Type.String({ description: 'A value of the flag' }),
        impressions: Type.Integer({ description: 'How often' }),
        unique_users: Type.Integer({ description: 'The number of users' }),
      }),
      { description: 'The most frequent value first' },
    ),
    timeline: Type.Array(
      Type.Object({
        day,
        value: Type.String({ description: 'A value of the flag' }),
        count: Type.Integer({ description: 'The number on that day' }),
      }),
      { description: 'The last `days` days, in order; days without impressions are left out' },
    ),
  },
  { examples: [EXAMPLE_SHOP.exposure] },
)
export type Exposure = Static<typeof Exposure>

export const FlagActivity = Type.Object(
  {
    flag_key: Type.String({ description: 'The flag' }),
    days: Type.Array(Type.Object({ day, count: Type.Integer({ description: 'Impressions on that day' }) }), {
      description: 'In order; days without impressions are left out',
    }),
  },
  { examples: [EXAMPLE_SHOP.activity] },
)
export type FlagActivity = Static<typeof FlagActivity>
