import {
  type GoalEventInput,
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
import { contextText, cutText, isLongerThan } from '../ingest/reported-text.ts'

/** A goal event in the form that is stored. */
export interface CleanGoalEvent {
  readonly event_key: string
  readonly user_id: string | null
  readonly value: number | null
  /** The context as JSON. */
  readonly context: string | null
  /** Milliseconds since 1970. */
  readonly occurred_at: number
}

/** The accepted goal events of one request. */
export interface GoalEventBatch {
  readonly events: readonly CleanGoalEvent[]
  readonly rows: number
  readonly isFromClient: boolean
  readonly name: BatchName | undefined
  /** The estimated bytes in memory. */
  readonly bytes: number
}

const CONTEXT_LIMITS = { maxBytes: REPORTED_CONTEXT_MAX_BYTES, maxDepth: JSON_DEPTH_MAX }

/** Skips events with an invalid key and cuts the others to what is kept. It yields now and then. */
export function* toGoalEventBatch(
  inputs: readonly GoalEventInput[],
  arrival: Arrival,
): Generator<void, GoalEventBatch> {
  const events: CleanGoalEvent[] = []
  let characters = 0
  for (const { context, event_key, occurred_at, user_id, value } of inputs) {
    if (typeof event_key !== 'string' || event_key === '' || isLongerThan(event_key, KEY_MAX_LENGTH)) continue
    const event = {
      event_key,
      user_id: typeof user_id === 'string' ? cutText(user_id, REPORTED_USER_ID_MAX_LENGTH) : null,
      value: value ?? null,
      context: contextText(context, CONTEXT_LIMITS),
      occurred_at: timeOf(occurred_at, arrival),
    }
    characters += event_key.length + (event.user_id?.length ?? 0) + (event.context?.length ?? 0)
    events.push(event)
    if (events.length % REPORTS_PER_STEP === 0) yield
  }
  const rows = events.length
  const bytes = bodyWeight({ rows, characters }, arrival.contentLength)
  return { events, rows, bytes, isFromClient: arrival.isFromClient, name: arrival.name }
}

function timeOf(occurred_at: string | null | undefined, { isFromClient, receivedAt }: Arrival): number {
  if (typeof occurred_at !== 'string') return receivedAt
  const ms = toMs(occurred_at)
  return Math.min(isFromClient ? timeByClient(ms, receivedAt) : ms, receivedAt)
}
