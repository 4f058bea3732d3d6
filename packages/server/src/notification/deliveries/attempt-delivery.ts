import { WEBHOOK_URL_MAX_LENGTH } from '@burgee/contract'
import type { DomainEventRecord } from '../../kernel/domain-event-payload.ts'
import type { Clock } from '../../platform/clock.ts'
import type { DataKey } from '../../platform/crypto/data-key.ts'
import type { Log } from '../../platform/log/log.ts'
import type { Outbound, OutboundResult } from '../../platform/outbound/outbound.ts'
import { createAddressMask } from './address-mask.ts'
import { type Delivery, type DeliveryJob, type FinishedAttempt, nextStep } from './delivery-job.ts'
import type { HostLoad } from './host-budget.ts'
import type { BodyFor } from './payload-cache.ts'
import { signBody, signMessage } from './sign-message.ts'

/** The timeout of a whole attempt (docs/reference/events.md). */
const TIMEOUT_MS = 10_000
const MS_PER_SECOND = 1_000

export interface AttemptDeps {
  readonly clock: Clock
  readonly log: Log
  readonly outbound: Outbound
  readonly data_key: DataKey
  readonly bodyFor: BodyFor
}

interface OutboundRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/**
 * Posts an event to its receiver once. Never throws: an exception is a failed attempt like any other, so that
 * it is logged, retried and eventually given up. Null when the signal aborted it and it must be sent again.
 */
export async function attemptDelivery(
  deps: AttemptDeps,
  job: DeliveryJob,
  { occurrence, signal }: { readonly occurrence: DomainEventRecord; readonly signal: AbortSignal },
): Promise<FinishedAttempt | null> {
  const { clock } = deps
  const deliveredAt = clock.now()
  const fromMs = clock.monotonicMs()
  const response = await post(deps, job, { occurrence, now: deliveredAt, signal })
  if (signal.aborted && response.status_code === null) return null
  return {
    job,
    event: occurrence.type,
    result: {
      ...response,
      duration_ms: Math.round(clock.monotonicMs() - fromMs),
      delivered_at: deliveredAt.toISOString(),
    },
    next: nextStep(job, response.status_code),
  }
}

/** Returns the host of a delivery and the bytes of its message; no bytes for an unreadable receiver. */
export function weighDelivery(
  deps: Pick<AttemptDeps, 'bodyFor' | 'data_key'>,
  { job: { receiver }, occurrence }: Delivery,
): HostLoad {
  const url = receiver.kind === 'webhook' ? receiver.url : openSealed(deps, receiver.webhook_url_sealed)
  if (url === UNOPENED || !URL.canParse(url)) return { host: '', bytes: 0 }
  try {
    return { host: new URL(url).hostname, bytes: deps.bodyFor(receiver.kind, occurrence).length }
  } catch {
    // The attempt fails in the same way, and reports it.
    return { host: '', bytes: 0 }
  }
}

interface Posting extends DeliveryContent {
  readonly signal: AbortSignal
}

async function post(deps: AttemptDeps, job: DeliveryJob, posting: Posting): Promise<OutboundResult> {
  try {
    const request = buildRequest(deps, job, posting)
    if (request === null) return failed(UNREADABLE)
    // Stored before there was a limit.
    if (request.url.length > WEBHOOK_URL_MAX_LENGTH) return failed(TOO_LONG)
    const { url, ...content } = request
    const options = { ...content, timeoutMs: TIMEOUT_MS, signal: posting.signal }
    if (job.receiver.kind === 'webhook') return await deps.outbound.post(url, options)
    // A chat's address is a credential.
    const { mask, responseMaxCharacters } = createAddressMask(url)
    return mask(await deps.outbound.post(url, { ...options, responseMaxCharacters }))
  } catch (err) {
    deps.log.error({ err, message_id: job.message_id }, 'a delivery attempt failed on the server')
    return failed(FAILED_HERE)
  }
}

const failed = (error: string): OutboundResult => ({ status_code: null, response_body: null, error })

const UNREADABLE =
  'the stored address or secret of the receiver can no longer be decrypted: set it again (was the database restored with another SESSION_SECRET?)'

interface DeliveryContent {
  readonly occurrence: DomainEventRecord
  readonly now: Date
}

const TOO_LONG = `the address has more than ${WEBHOOK_URL_MAX_LENGTH} characters; set a shorter one`
const FAILED_HERE = 'the attempt failed on the server; its log has the reason'

/** Null when a stored secret cannot be decrypted. */
function buildRequest(
  deps: AttemptDeps,
  job: DeliveryJob,
  delivery: DeliveryContent,
): OutboundRequest | null {
  const { receiver } = job
  if (receiver.kind === 'webhook') {
    const { secret_sealed, url } = receiver
    const secret = secret_sealed === null ? null : openSealed(deps, secret_sealed)
    return secret === UNOPENED ? null : buildWebhookRequest(deps, job, { ...delivery, url, secret })
  }
  const url = openSealed(deps, receiver.webhook_url_sealed)
  if (url === UNOPENED) return null
  return { url, headers: COMMON_HEADERS, body: deps.bodyFor(receiver.kind, delivery.occurrence) }
}

const UNOPENED = Symbol('unopened')

function openSealed({ data_key }: Pick<AttemptDeps, 'data_key'>, sealed: string): string | typeof UNOPENED {
  try {
    return data_key.open(sealed)
  } catch {
    return UNOPENED
  }
}

const COMMON_HEADERS = { 'content-type': 'application/json', 'user-agent': 'Burgee' }

/**
 * Builds a request by Standard Webhooks, with a header for receivers that verify by hand
 * (docs/reference/events.md).
 */
function buildWebhookRequest(
  { bodyFor }: AttemptDeps,
  { message_id }: DeliveryJob,
  {
    now,
    occurrence,
    secret,
    url,
  }: DeliveryContent & { readonly url: string; readonly secret: string | null },
): OutboundRequest {
  const body = bodyFor('webhook', occurrence)
  const timestamp = Math.floor(now.getTime() / MS_PER_SECOND)
  const signatures = secret !== null && {
    'webhook-signature': signMessage(secret, { id: message_id, timestamp, body }),
    'x-flagservice-signature': signBody(secret, body),
  }
  return {
    url,
    headers: {
      ...COMMON_HEADERS,
      'webhook-id': message_id,
      'webhook-timestamp': String(timestamp),
      'x-flagservice-event': occurrence.type,
      ...signatures,
    },
    body,
  }
}
