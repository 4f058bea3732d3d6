import type { DomainEventType } from '@burgee/contract'
import type { DomainEventRecord } from '../../kernel/domain-event-payload.ts'

/** The waits before the second, third and fourth attempt (docs/reference/events.md#retries). */
const RETRY_WAITS_MS = [1_000, 5_000, 15_000] as const

/** A claim that is not renewed expires after this, which is how long a crash delays what was being sent. */
export const CLAIM_SECONDS = 6

/** One event that is to be delivered to one receiver, claimed by this instance for a while. */
export interface DeliveryJob {
  readonly id: number
  readonly event_id: number
  /** The id in the header `webhook-id`, equal for each attempt. */
  readonly message_id: string
  /** True when a user requested it: the first attempt is made also when the receiver is disabled. */
  readonly isManual: boolean
  /** The number of the attempt, from 1. */
  readonly attempt: number
  readonly receiver: Receiver
}

export type Receiver =
  | {
      readonly kind: 'webhook'
      readonly id: string
      readonly enabled: boolean
      readonly url: string
      readonly secret_sealed: string | null
    }
  | {
      readonly kind: 'slack' | 'teams'
      readonly id: string
      readonly enabled: boolean
      readonly webhook_url_sealed: string
    }

/** A claimed job with the event that it delivers. */
export interface Delivery {
  readonly job: DeliveryJob
  readonly occurrence: DomainEventRecord
}

/** The result of an attempt. */
interface AttemptResult {
  /** The status; null without a response. */
  readonly status_code: number | null
  readonly response_body: string | null
  readonly error: string | null
  readonly duration_ms: number
  /** The time of the attempt, ISO 8601 in UTC. */
  readonly delivered_at: string
}

/** A finished attempt, for the log. */
export interface FinishedAttempt {
  readonly job: DeliveryJob
  readonly event: DomainEventType
  readonly result: AttemptResult
  readonly next: NextStep
}

/** The next step of a job. `gone` means that the receiver wants no more deliveries. */
export type NextStep =
  | { readonly kind: 'done' | 'gone' }
  | { readonly kind: 'retry'; readonly wait_ms: number }

/**
 * Returns whether a job may be sent. A disabled receiver gets only the first attempt of what a user
 * requested.
 */
export const isDeliverable = ({ isManual, attempt, receiver }: DeliveryJob): boolean =>
  receiver.enabled || (isManual && attempt === 1)

/**
 * Returns the next step after a status; null without a response. A wait starts when the attempt is logged,
 * which is when it has ended.
 */
export function nextStep(job: DeliveryJob, status_code: number | null): NextStep {
  if (status_code !== null && status_code >= 200 && status_code < 300) return { kind: 'done' }
  if (status_code === GONE && job.receiver.kind === 'webhook') return { kind: 'gone' }
  const wait_ms = RETRY_WAITS_MS[job.attempt - 1]
  if (wait_ms === undefined || !job.receiver.enabled) return { kind: 'done' }
  return { kind: 'retry', wait_ms }
}

/** The status after which Standard Webhooks requires the receiver to be disabled. Chats have no such rule. */
const GONE = 410
