import type { RedeemInput } from '@burgee/contract'
import type { Transaction } from 'kysely'
import { type WorkspaceWriteDeps, writeWorkspace } from '../../changes/index.ts'
import { type EndedTokens, NO_TOKENS } from '../../kernel/ended-tokens.ts'
import { notFound, tooMany } from '../../kernel/refusal.ts'
import { countedNetwork } from '../../platform/client-address.ts'
import type { Clock } from '../../platform/clock.ts'
import { type AttemptWindow, createAttemptWindow } from '../../platform/concurrency/attempt-window.ts'
import { hashSecret } from '../../platform/crypto/hash-secret.ts'
import type { PasswordHasher } from '../../platform/crypto/password.ts'
import type { Database } from '../../platform/db/tables.ts'
import { lockUser } from '../../structure/users/index.ts'
import { assessPassword, type PasswordRules, setPassword } from '../accounts/index.ts'
import { deleteLink, type FoundLink, findLink } from '../link-rows/index.ts'
import { accountKey, forgetFailures } from '../passwords/index.ts'

/** The number of wrong links from an address in a minute. */
const WRONG_LINKS_PER_ADDRESS = 10
const ADDRESS_WINDOW_MS = 60_000

export interface RedeemDeps extends WorkspaceWriteDeps {
  readonly passwords: PasswordHasher
  readonly passwordRules: PasswordRules
  /** Ends all sessions of the user. */
  readonly endAllSessions: (tx: Transaction<Database>, user_id: number) => Promise<unknown>
  readonly deleteTokens: (tx: Transaction<Database>, user_id: number) => Promise<EndedTokens>
}

/** The request that uses a link. */
export interface LinkRequest {
  readonly address: string
  readonly user_agent: string | undefined
}

/** Creates the count of wrong links by address, on this instance. */
export const createWrongLinks = (deps: { readonly clock: Clock }): AttemptWindow =>
  createAttemptWindow(deps, { limit: WRONG_LINKS_PER_ADDRESS, windowMs: ADDRESS_WINDOW_MS })

type LookUpDeps = Pick<WorkspaceWriteDeps, 'db' | 'clock'> & { readonly wrongLinks: AttemptWindow }

/** Finds a valid link. Refuses with `not_found`, and with `too_many` after ten wrong ones in a minute. */
export async function requireLink(
  { clock, db, wrongLinks }: LookUpDeps,
  token: string,
  address: string,
): Promise<FoundLink> {
  const from = countedNetwork(address)
  // Checked before and after the query, because many requests may be concurrent.
  refuseAddress(wrongLinks, from)
  const found = await findLink(db, hashSecret(token), clock.now().toISOString())
  if (found) return found
  refuseAddress(wrongLinks, from)
  wrongLinks.count(from)
  throw unknownLink()
}

/**
 * Sets the password of a link's user, who can then sign in. Their sessions end, and their tokens unless the
 * input keeps them. Refuses like `requireLink`, and with `invalid` for a password that is not allowed; such a
 * password does not use the link up.
 */
export async function redeemLink(
  deps: RedeemDeps & LookUpDeps,
  { password, password_policy, revoke_tokens = true, token }: RedeemInput,
  { address, user_agent }: LinkRequest,
): Promise<void> {
  const from = countedNetwork(address)
  const { email, id, purpose, user_id } = await requireLink(deps, token, address)
  assessPassword(password, { path: '/password', rules: deps.passwordRules, policy: password_policy })
  const password_hash = await deps.passwords.hash(password, from)
  const credential = { kind: 'one_time_link', id } as const
  const author = {
    kind: 'past',
    name: email,
    address,
    credential,
    ...(user_agent && { user_agent }),
  } as const
  await writeWorkspace(deps, author, async ({ tx }) => {
    const locked = await lockUser(tx, user_id)
    // Of two redemptions at the same time one finds the link used.
    if (!locked || locked.user.disabled_at !== null || !(await deleteLink(tx, id))) throw unknownLink()
    await setPassword(tx, user_id, password_hash)
    await forgetFailures(tx, { accountKey: accountKey(email), userId: user_id })
    await deps.endAllSessions(tx, user_id)
    const ended = revoke_tokens ? await deps.deleteTokens(tx, user_id) : NO_TOKENS
    return {
      result: undefined,
      audit: {
        project_id: null,
        environment_id: null,
        action: 'update',
        before: null,
        after: null,
        metadata: {
          origin: 'direct',
          resource: `user:${user_id}`,
          password: 'changed',
          link: purpose,
          ...ended,
        },
      },
      changesAccess: true,
    }
  })
}

function refuseAddress(window: AttemptWindow, from: string): void {
  const seconds = window.retryAfterSeconds(from)
  if (seconds !== null) throw tooMany('Too many attempts from this address. Try again later.', seconds)
}

const unknownLink = () => notFound('link, or it was used, replaced or has expired. Request a new link')
