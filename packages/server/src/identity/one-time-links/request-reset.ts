import { tooMany } from '../../kernel/refusal.ts'
import { countedNetwork } from '../../platform/client-address.ts'
import type { Clock } from '../../platform/clock.ts'
import { type AttemptWindow, createAttemptWindow } from '../../platform/concurrency/attempt-window.ts'
import { findUserByEmail } from '../../structure/users/index.ts'
import { accountKey } from '../passwords/index.ts'
import { createLink, type LinkDeps } from './create-link.ts'
import { type DeliveryDeps, deliverLink } from './deliver-link.ts'
import type { LinkRequest } from './redeem-link.ts'

const REQUESTS_PER_ADDRESS = 10
const ADDRESS_WINDOW_MS = 60_000
const MAILS_PER_ACCOUNT = 3
const ACCOUNT_WINDOW_MS = 60 * 60_000
/** The number of requests that may be in progress on this instance. */
const RUNNING_MAX = 20

/** Sends links to people who have forgotten their passwords. */
export interface ResetRequests {
  /**
   * Takes a request. It does the rest afterwards, so that the response does not show whether the account
   * exists. Refuses with `too_many` by address only.
   */
  take(email: string, request: LinkRequest): void
  /** Resolves when no request is in progress. */
  settled(): Promise<unknown>
}

export function createResetRequests(
  deps: LinkDeps & DeliveryDeps & { readonly clock: Clock },
): ResetRequests {
  const byAddress = createAttemptWindow(deps, { limit: REQUESTS_PER_ADDRESS, windowMs: ADDRESS_WINDOW_MS })
  const byAccount = createAttemptWindow(deps, { limit: MAILS_PER_ACCOUNT, windowMs: ACCOUNT_WINDOW_MS })
  const running = new Set<Promise<void>>()

  return {
    take(email, request) {
      const from = countedNetwork(request.address)
      const seconds = byAddress.retryAfterSeconds(from)
      if (seconds !== null) throw tooMany('Too many requests from this address. Try again later.', seconds)
      byAddress.count(from)
      if (!isWithin(byAccount, accountKey(email)) || running.size >= RUNNING_MAX) return
      const work = sendReset(deps, email, request)
        .catch((err: unknown) => deps.log.warn({ err }, 'a password reset could not be sent'))
        .finally(() => running.delete(work))
      running.add(work)
    },
    settled: () => Promise.all(running),
  }
}

function isWithin(window: AttemptWindow, key: string): boolean {
  if (window.retryAfterSeconds(key) !== null) return false
  window.count(key)
  return true
}

async function sendReset(
  deps: LinkDeps & DeliveryDeps,
  email: string,
  { address, user_agent }: LinkRequest,
): Promise<void> {
  const user = await findUserByEmail(deps.db, email)
  if (!user || user.disabled_at !== null || accountKey(user.email) !== accountKey(email)) return
  // The address may be that of another person. A workspace admin can hand a link over.
  if (user.email_unconfirmed_since !== null) return
  const purpose = user.password_hash === null ? 'invitation' : 'password_reset'
  const created = await createLink(
    deps,
    { kind: 'past', name: user.email, address, ...(user_agent && { user_agent }) },
    { id: user.id, purpose, isRequested: true },
  )
  await deliverLink(deps, created)
}
