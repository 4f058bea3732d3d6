import {
  IMPRESSION_VALUE_MAX_LENGTH,
  type ImpressionInput,
  JSON_DEPTH_MAX,
  KEY_MAX_LENGTH,
  REPORTED_CONTEXT_MAX_BYTES,
  REPORTED_USER_ID_MAX_LENGTH,
} from '@burgee/contract'
import { bodyWeight } from '../../kernel/body-weight.ts'
import type { Arrival } from '../ingest/arrival.ts'
import type { BatchName } from '../ingest/batch-name.ts'
import { REPORTS_PER_STEP } from '../ingest/report-steps.ts'
import { timeByClient, toMs } from '../ingest/report-time.ts'
import { contextText, cutText } from '../ingest/reported-text.ts'

/** An impression in the form that is stored. */
export interface CleanImpression {
  readonly flag_key: string
  readonly user_id: string | null
  readonly value: string
  /** The context as JSON. */
  readonly context: string | null
  /** Milliseconds since 1970. */
  readonly evaluated_at: number
  /** The time that counts for attribution: that of the arrival where `evaluated_at` lies ahead of it. */
  readonly exposed_at: number
}

/** The impressions of one request. */
export interface ImpressionBatch {
  readonly impressions: readonly CleanImpression[]
  readonly rows: number
  readonly isFromClient: boolean
  readonly name: BatchName | undefined
  /** The estimated bytes in memory. */
  readonly bytes: number
}

const CONTEXT_LIMITS = { maxBytes: REPORTED_CONTEXT_MAX_BYTES, maxDepth: JSON_DEPTH_MAX }

/** Cuts impressions to what is kept (docs/reference/reports.md). It yields now and then. */
export function* toImpressionBatch(
  inputs: readonly ImpressionInput[],
  arrival: Arrival,
): Generator<void, ImpressionBatch> {
  let characters = 0
  const impressions: CleanImpression[] = []
  for (const input of inputs) {
    const impression = clean(input, arrival)
    const { context, flag_key, user_id, value } = impression
    characters += flag_key.length + (user_id?.length ?? 0) + value.length + (context?.length ?? 0)
    impressions.push(impression)
    if (impressions.length % REPORTS_PER_STEP === 0) yield
  }
  const rows = impressions.length
  const bytes = bodyWeight({ rows, characters }, arrival.contentLength)
  return { impressions, rows, bytes, isFromClient: arrival.isFromClient, name: arrival.name }
}

function clean(
  { context, evaluated_at: reported, flag_key, user_id, value }: ImpressionInput,
  arrival: Arrival,
): CleanImpression {
  const evaluated_at = timeOf(reported, arrival)
  return {
    flag_key: cutText(flag_key, KEY_MAX_LENGTH),
    user_id: typeof user_id === 'string' ? cutText(user_id, REPORTED_USER_ID_MAX_LENGTH) : null,
    value: cutText(value, IMPRESSION_VALUE_MAX_LENGTH),
    context: contextText(context, CONTEXT_LIMITS),
    evaluated_at,
    exposed_at: Math.min(evaluated_at, arrival.receivedAt),
  }
}

function timeOf(evaluated_at: string | null | undefined, { isFromClient, receivedAt }: Arrival): number {
  if (typeof evaluated_at !== 'string') return receivedAt
  const ms = toMs(evaluated_at)
  return isFromClient ? timeByClient(ms, receivedAt) : ms
}
