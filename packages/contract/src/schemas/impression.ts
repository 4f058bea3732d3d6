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
    value: Type.String({ description: 'What the flag gave, as text' }),
    context: Type.Optional(Nullable(context)),
    evaluated_at: Type.Optional(
      Nullable(timestamp({ description: 'When; the time of arrival where it is not said' })),
    ),
  },
  { examples: [EXAMPLE_SHOP.impressionInput] },
)
export type ImpressionInput = Static<typeof ImpressionInput>

export const Impression = Type.Object(
  {
    id: Type.Integer({ description: 'Grows with each impression of the environment: safe to poll by' }),
    flag_key: Type.String({ description: 'The flag' }),
    user_id: Nullable(Type.String({ description: 'Null for anonymous' })),
    value: Type.String({ description: 'What the flag gave, as text' }),
    context: Nullable(context),
    evaluated_at: timestamp({ description: 'When it was evaluated, UTC' }),
  },
  { examples: [EXAMPLE_SHOP.impression] },
)
export type Impression = Static<typeof Impression>

export const ImpressionPage = Type.Object({
  items: Type.Array(Impression, { description: 'Newest first; with `since_id` in the order of their ids' }),
  total: Type.Integer({
    description: 'How many match, whatever `since_id`, `limit` and `offset` say',
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
    unique_users: Type.Integer({ description: 'Users among them, anonymous ones aside' }),
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
    total_users: Type.Integer({ description: 'Users, anonymous ones aside' }),
    variants: Type.Array(
      Type.Object({
        value: Type.String({ description: 'A value that the flag gave' }),
        impressions: Type.Integer({ description: 'How often' }),
        unique_users: Type.Integer({ description: 'To how many users' }),
      }),
      { description: 'The most frequent value first' },
    ),
    timeline: Type.Array(
      Type.Object({
        day,
        value: Type.String({ description: 'A value that the flag gave' }),
        count: Type.Integer({ description: 'How often on that day' }),
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
