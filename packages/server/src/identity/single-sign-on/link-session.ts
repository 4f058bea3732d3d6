import { writeWorkspace } from '../../changes/index.ts'
import { lockAccount } from '../accounts/index.ts'
import type { ProviderLogin } from '../oidc/index.ts'
import { SsoRefused } from '../oidc/index.ts'
import { isSameEmail } from './is-same-email.ts'
import { linkAudit } from './link-audit.ts'
import type { FlowSession, LoginFlow } from './login-flow.ts'
import { findLinkedAccount, insertIdentity, isLinked } from './queries.ts'
import { type SignInDeps, type SignInRequest, toAuthor } from './sign-in.ts'

/** A login at the provider that is for a session which exists already. */
export interface SessionLogin {
  readonly login: ProviderLogin
  readonly session: FlowSession
  readonly flow: LoginFlow
  readonly request: SignInRequest
}

/**
 * Links the account of a session with a person at the provider. The person's verified e-mail address must be
 * that of the account. What groups give, the next login gives.
 */
export async function linkSession(
  deps: SignInDeps,
  { login: { identity }, request, session }: SessionLogin,
): Promise<readonly string[]> {
  const { email, issuer, subject } = identity
  if (email === null) throw new SsoRefused('email_missing')
  if (!identity.isEmailVerified) throw new SsoRefused('email_unverified')
  const author = { ...toAuthor(email, request), credential: { kind: 'session', id: session.id } as const }
  await writeWorkspace(deps, author, async ({ now, tx }) => {
    const account = await lockAccount(tx, session.user_id)
    const isLive = (await deps.sessions.validIds([session.id], tx)).has(session.id)
    if (!account || !isLive) throw new SsoRefused('no_session')
    if (!isSameEmail(account.email, email)) throw new SsoRefused('other_email')
    const linked = await findLinkedAccount(tx, identity)
    if (linked?.id === account.id) return { result: undefined, audit: [], changesAccess: false }
    if (linked || (await isLinked(tx, account.id, issuer))) throw new SsoRefused('other_account')
    await insertIdentity(tx, { user_id: account.id, issuer, subject, email, groups: [], now })
    const audit = linkAudit(account.id, { before: null, after: { issuer, subject, email } })
    return { result: undefined, audit, changesAccess: false }
  })
  return []
}
