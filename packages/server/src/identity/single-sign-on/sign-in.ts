import type { Transaction } from 'kysely'
import { type WorkspaceAudit, type WorkspaceWriteDeps, writeWorkspace } from '../../changes/index.ts'
import type { PastActor } from '../../kernel/actor.ts'
import type { TextSeal } from '../../platform/crypto/sealed-text.ts'
import type { Database } from '../../platform/db/tables.ts'
import { uniqueViolation } from '../../platform/db/unique-violation.ts'
import { type Account, findAccountByEmail, insertAccount } from '../accounts/index.ts'
import type { LoginRequest, Sessions } from '../auth/index.ts'
import { keepProviderSession } from '../auth/index.ts'
import {
  findMappings,
  findProvisioning,
  givesNothing,
  grantPerson,
  hasMappings,
  rightsOf,
} from '../group-roles/index.ts'
import type { Identity, ProviderLogin } from '../oidc/index.ts'
import { SsoRefused } from '../oidc/index.ts'
import type { SecondFactors } from '../second-factors/index.ts'
import { isSameEmail } from './is-same-email.ts'
import { linkAudit } from './link-audit.ts'
import { toProviderSession } from './provider-session.ts'
import { findLinkedAccount, insertIdentity, isLinked, updateIdentity } from './queries.ts'

export interface SignInDeps extends WorkspaceWriteDeps {
  readonly sessions: Sessions
  readonly factors: Pick<SecondFactors, 'kindsOf' | 'passkeys'>
  /** Encrypts ID tokens, which a logout at the provider needs. */
  readonly tokenSeal: TextSeal
}

export interface SignInRequest extends LoginRequest {
  readonly requestId: string
}

/** The result of a login at the provider: a session, or the account that must confirm the link first. */
export type SignInResult =
  | { readonly kind: 'signed_in'; readonly cookie: string }
  | { readonly kind: 'confirm'; readonly account: Account }

/**
 * Signs in the account of a person at the provider, with the rights that their groups give now. Without an
 * account it creates one where a group gives rights. An account with the person's e-mail address must confirm
 * the link first. Refuses with the reason.
 */
export async function signIn(
  deps: SignInDeps,
  login: ProviderLogin,
  request: SignInRequest,
): Promise<SignInResult> {
  try {
    return await signInOnce(deps, login, request)
  } catch (error) {
    // The same person's other login was quicker: it created the account or the link.
    if (uniqueViolation(error) === null) throw error
    return signInOnce(deps, login, request)
  }
}

async function signInOnce(
  deps: SignInDeps,
  login: ProviderLogin,
  request: SignInRequest,
): Promise<SignInResult> {
  const { identity } = login
  const linked = await findLinkedAccount(deps.db, identity)
  if (linked) return startSession(deps, login, request, async () => ({ account: linked, audit: [] }))
  const email = verifiedEmail(identity)
  const known = await findAccountByEmail(deps.db, email)
  if (!known) return startSession(deps, login, request, (write) => createAccount(write, identity, email))
  // The database folds more letters than those of ASCII, so that two addresses may meet there.
  if (!isSameEmail(known.email, email)) throw new SsoRefused('other_account')
  if (known.disabled_at !== null) throw new SsoRefused('account_disabled')
  if (await isLinked(deps.db, known.id, identity.issuer)) throw new SsoRefused('other_account')
  // A person who was invited and never had a password or another link cannot confirm, and has nothing to
  // lose.
  const hasFactor = (await deps.factors.kindsOf(deps.db, known.id)).length > 0
  const isUnused = !known.has_password && !hasFactor && !(await isLinked(deps.db, known.id, null))
  if (!isUnused) return { kind: 'confirm', account: known }
  // The address may be that of another person than the one for whom the account and its rights are.
  if (known.email_unconfirmed_since !== null) throw new SsoRefused('address_unconfirmed')
  return startSession(deps, login, request, (write) => linkAccount(write, identity, known))
}

function verifiedEmail({ email, isEmailVerified }: Identity): string {
  if (email === null) throw new SsoRefused('email_missing')
  if (!isEmailVerified) throw new SsoRefused('email_unverified')
  return email
}

interface Write {
  readonly tx: Transaction<Database>
  readonly now: string
}

interface Found {
  readonly account: Account
  readonly audit: readonly WorkspaceAudit[]
}

async function createAccount({ now, tx }: Write, identity: Identity, email: string): Promise<Found> {
  const rights = rightsOf(await findMappings(tx, await groupsNow(tx, identity, null)))
  if (givesNothing(rights)) throw new SsoRefused('no_account')
  const account = await insertAccount(tx, { email, name: identity.name ?? email, now })
  const created: WorkspaceAudit = {
    project_id: null,
    environment_id: null,
    action: 'create',
    before: null,
    after: { name: account.name, email, role: account.role },
    metadata: { origin: 'direct', resource: `user:${account.id}`, by: 'single_sign_on' },
  }
  const { audit } = await linkAccount({ tx, now }, identity, account)
  return { account, audit: [created, ...audit] }
}

async function linkAccount({ now, tx }: Write, identity: Identity, account: Account): Promise<Found> {
  const email = identity.email ?? account.email
  const groups = identity.groups ?? []
  const { issuer, subject } = identity
  await insertIdentity(tx, { user_id: account.id, issuer, subject, email, groups, now })
  return { account, audit: [linkAudit(account.id, { before: null, after: { issuer, subject, email } })] }
}

/** Returns the person's groups. Refuses when the provider has withheld them and they matter. */
async function groupsNow(
  tx: Transaction<Database>,
  { groups }: Identity,
  account: Account | null,
): Promise<readonly string[]> {
  if (groups !== null) return groups
  const provisioned = account && (await findProvisioning(tx, account.id))
  if (!provisioned?.groups && (await hasMappings(tx))) throw new SsoRefused('groups_missing')
  return []
}

async function startSession(
  deps: SignInDeps,
  login: ProviderLogin,
  request: SignInRequest,
  find: (write: Write) => Promise<Found>,
): Promise<SignInResult> {
  const { identity } = login
  const cookie = await writeWorkspace(deps, authorOf(identity, request), async (write) => {
    const found = await find(write)
    const groups = await groupsNow(write.tx, identity, found.account)
    const granted = await grantPerson(write.tx, { id: found.account.id, groups }, write.now)
    if (granted?.account.disabled_at !== null) throw new SsoRefused('account_disabled')
    const isKept = await updateIdentity(write.tx, {
      ...identity,
      groups: identity.groups ?? [],
      user_id: found.account.id,
      now: write.now,
    })
    if (!isKept) throw new SsoRefused('state_mismatch')
    const audit = [...found.audit, ...granted.audit]
    // Roles that came from groups are revoked also where the person is then refused.
    const isRefused = !granted.account.has_password && !granted.hasRights
    const result = isRefused ? null : await insertSession(deps, write.tx, { ...login, request, ...granted })
    return { result, audit, changesAccess: granted.audit.length > 0 }
  })
  if (cookie === null) throw new SsoRefused('no_account')
  return { kind: 'signed_in', cookie }
}

async function insertSession(
  { clock, sessions, tokenSeal }: SignInDeps,
  tx: Transaction<Database>,
  { account, idToken, identity, request }: ProviderLogin & { account: Account; request: SignInRequest },
): Promise<string> {
  const { authTime } = identity
  const { cookie, sessionId } = await sessions.start(tx, {
    userId: account.id,
    method: 'sso',
    request,
    // A session at the provider may be older than this login. One without a date is not recent.
    authenticatedAt:
      authTime === null ? LONG_AGO : new Date(Math.min(authTime * 1_000, clock.now().getTime())),
  })
  await keepProviderSession(tx, toProviderSession(tokenSeal, sessionId, { idToken, identity }))
  return cookie
}
const LONG_AGO = new Date(0)

const authorOf = ({ email, subject }: Identity, request: SignInRequest): PastActor =>
  toAuthor(email ?? subject, request)

/** Returns the author of what a login at the provider changes. */
export const toAuthor = (name: string, { address, requestId, userAgent }: SignInRequest): PastActor => ({
  ...{ kind: 'past', name, request_id: requestId, address },
  ...(userAgent !== undefined && { user_agent: userAgent }),
})
