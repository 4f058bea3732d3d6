import type { DomainEventType } from '@burgee/contract'

/** Waits before the second, third and fourth attempt (docs/reference/events.md#slack-and-teams). */
const RETRY_WAITS_MS = [1_000, 5_000, 15_000] as const

/** Something that is to be told to somebody, taken by this instance for a while. */
export interface DeliveryJob {
  readonly id: number
  readonly event_id: number
  /** The same for each attempt: the header `webhook-id`. */
  readonly message_id: string
  /** A person asked for it: its first attempt goes to a disabled receiver too. */
  readonly asked_for: boolean
  /** 1 for the first. */
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

/** What came of an attempt. */
interface AttemptResult {
  /** null when nothing came back. */
  readonly status_code: number | null
  readonly response_body: string | null
  readonly error: string | null
  readonly duration_ms: number
  /** When it was tried, ISO-8601 UTC. */
  readonly delivered_at: string
}

/** An attempt that came to its end, for the log. */
export interface FinishedAttempt {
  readonly job: DeliveryJob
  readonly event: DomainEventType
  readonly result: AttemptResult
  readonly next: NextStep
}

/** `gone` says that the receiver wants nothing more, ever. */
export type NextStep =
  | { readonly kind: 'done' | 'gone' }
  | { readonly kind: 'retry'; readonly wait_ms: number }

/** Whether a receiver may be told: a disabled one only what somebody has asked for just now. */
export const isDeliverable = ({ asked_for, attempt, receiver }: DeliveryJob): boolean =>
  receiver.enabled || (asked_for && attempt === 1)

/** What follows from an answer; null is none. A wait begins when the attempt is logged, which is when it has ended. */
export function nextStep(job: DeliveryJob, status_code: number | null): NextStep {
  if (status_code !== null && status_code >= 200 && status_code < 300) return { kind: 'done' }
  if (status_code === GONE && job.receiver.kind === 'webhook') return { kind: 'gone' }
  const wait_ms = RETRY_WAITS_MS[job.attempt - 1]
  if (wait_ms === undefined || !job.receiver.enabled) return { kind: 'done' }
  return { kind: 'retry', wait_ms }
}

/** Standard Webhooks: the receiver is to be disabled. Chats have no such rule. */
const GONE = 410
