import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import {
  EXPOSURE_DAYS_DEFAULT,
  EXPOSURE_DAYS_MAX,
  IMPRESSION_LIMIT_DEFAULT,
  IMPRESSION_LIMIT_MAX,
  INGEST_BATCH_MAX,
  INGEST_BODY_MAX_BYTES,
  KEY_MAX_LENGTH,
} from '../limits.ts'
import {
  Exposure,
  FlagActivity,
  ImpressionInput,
  ImpressionPage,
  ImpressionStats,
} from '../schemas/impression.ts'
import { listQuery } from './list-query.ts'
import { environmentParams } from './params.ts'
import { batchName } from './report-batch.ts'

const days = Type.Optional(
  Type.Integer({
    default: EXPOSURE_DAYS_DEFAULT,
    description: `The number of days, up to today; clamped to 1 to ${EXPOSURE_DAYS_MAX}`,
  }),
)

export const impressionEndpoints = {
  ingestImpressions: endpoint({
    method: 'POST',
    path: '/api/environments/:env_id/impressions',
    summary: 'Report evaluations',
    description:
      '204 means that they are stored. Long texts are cut and invalid characters replaced; an item of a wrong type refuses the whole batch, with its index. With a client key a batch has at most 1 MiB.',
    tag: 'Impression',
    access: 'ingest',
    params: environmentParams,
    ...batchName,
    body: Type.Array(ImpressionInput),
    bodyMaxBytes: INGEST_BODY_MAX_BYTES,
    batchMax: INGEST_BATCH_MAX,
    ingest: true,
    cors: true,
    responses: { 204: null },
  }),
  listImpressions: endpoint({
    method: 'GET',
    path: '/api/environments/:env_id/impressions',
    summary: 'Single impressions, newest first',
    description:
      'With `since_id` those with a greater id, oldest first. To poll, send the last id that you have received.',
    tag: 'Impression',
    access: 'read_environment',
    params: environmentParams,
    query: Type.Object({
      flag_key: Type.Optional(Type.String({ description: 'Only of this flag' })),
      user_id: Type.Optional(Type.String({ description: 'Only of this user' })),
      value: Type.Optional(Type.String({ description: 'Only with this value' })),
      since_id: Type.Optional(Type.Integer({ description: 'Only those with a greater id' })),
      limit: Type.Optional(
        Type.Integer({
          default: IMPRESSION_LIMIT_DEFAULT,
          description: `Clamped to 1 to ${IMPRESSION_LIMIT_MAX}`,
        }),
      ),
      offset: Type.Optional(
        Type.Integer({ default: 0, description: 'Clamped to 0 and above; ignored with `since_id`' }),
      ),
    }),
    responses: { 200: ImpressionPage },
  }),
  getImpressionStats: endpoint({
    method: 'GET',
    path: '/api/environments/:env_id/impressions/stats',
    summary: 'Impressions by flag',
    description: 'In the order of flag keys. Counts outlive the single impressions.',
    tag: 'Impression',
    access: 'read_environment',
    params: environmentParams,
    query: Type.Object(listQuery),
    responses: { 200: Type.Array(ImpressionStats) },
    sends: ['X-Next-Cursor'],
  }),
  getExposure: endpoint({
    method: 'GET',
    path: '/api/environments/:env_id/impressions/exposure',
    summary: 'The values of one flag and the users who saw them',
    description: '`days` bounds the timeline only.',
    tag: 'Impression',
    access: 'read_environment',
    params: environmentParams,
    query: Type.Object({
      flag_key: Type.String({ minLength: 1, maxLength: KEY_MAX_LENGTH, description: 'The flag' }),
      days,
    }),
    responses: { 200: Exposure },
  }),
  getImpressionActivity: endpoint({
    method: 'GET',
    path: '/api/environments/:env_id/impressions/activity',
    summary: 'Impressions by flag and day',
    description: 'In the order of flag keys. Flags without impressions in that time are left out.',
    tag: 'Impression',
    access: 'read_environment',
    params: environmentParams,
    query: Type.Object({ days, ...listQuery }),
    responses: { 200: Type.Array(FlagActivity) },
    sends: ['X-Next-Cursor'],
  }),
} as const
