import {
  IMPRESSION_VALUE_MAX_LENGTH,
  type ImpressionInput,
  JSON_DEPTH_MAX,
  KEY_MAX_LENGTH,
  REPORTED_CONTEXT_MAX_BYTES,
  REPORTED_USER_ID_MAX_LENGTH,
} from '@burgee/contract'
import { bodyWeight } from '../../kernel/body-weight.ts'
import { toMs } from '../../kernel/report-time.ts'
import { contextText, cutText } from '../../kernel/reported-text.ts'

/** An impression as it is stored. */
export interface CleanImpression {
  readonly flag_key: string
  readonly user_id: string | null
  readonly value: string
  /** JSON. */
  readonly context: string | null
  /** Milliseconds since 1970. */
  readonly evaluated_at: number
}

/** The impressions of one request. */
export interface ImpressionBatch {
  readonly impressions: readonly CleanImpression[]
  readonly rows: number
  /** About what they take in memory. */
  readonly bytes: number
}

const CONTEXT_LIMITS = { max_bytes: REPORTED_CONTEXT_MAX_BYTES, max_depth: JSON_DEPTH_MAX }

/** Cut to what is kept (contract, section 8). `received_at`, in milliseconds since 1970, is when those were evaluated that do not say. */
export function toImpressionBatch(
  inputs: readonly ImpressionInput[],
  received_at: number,
  content_length?: string,
): ImpressionBatch {
  let characters = 0
  const impressions = inputs.map((input) => {
    const impression = clean(input, received_at)
    const { context, flag_key, user_id, value } = impression
    characters += flag_key.length + (user_id?.length ?? 0) + value.length + (context?.length ?? 0)
    return impression
  })
  const rows = impressions.length
  return { impressions, rows, bytes: bodyWeight({ rows, characters }, content_length) }
}

const clean = (
  { context, evaluated_at, flag_key, user_id, value }: ImpressionInput,
  received_at: number,
): CleanImpression => ({
  flag_key: cutText(flag_key, KEY_MAX_LENGTH),
  user_id: typeof user_id === 'string' ? cutText(user_id, REPORTED_USER_ID_MAX_LENGTH) : null,
  value: cutText(value, IMPRESSION_VALUE_MAX_LENGTH),
  context: contextText(context, CONTEXT_LIMITS),
  evaluated_at: typeof evaluated_at === 'string' ? toMs(evaluated_at) : received_at,
})
