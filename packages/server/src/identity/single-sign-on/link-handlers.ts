import type { singleSignOnEndpoints } from '@burgee/contract'
import { writeWorkspace } from '../../changes/index.ts'
import { conflict, forbidden, invalid, notFound, Refusal, unauthenticated } from '../../kernel/refusal.ts'
import { uniqueViolation } from '../../platform/db/unique-violation.ts'
import type { EndpointHandlers } from '../../platform/replies/endpoint-handler.ts'
import { userAgentOf } from '../../platform/user-agent.ts'
import { grantPerson } from '../group-roles/index.ts'
import { verifyPassword } from '../passwords/index.ts'
import { linkAudit } from './link-audit.ts'
import type { PendingLink } from './pending-link.ts'
import { deleteIdentity, findOwnIdentity, insertIdentity } from './queries.ts'
import { type SignInRequest, toAuthor } from './sign-in.ts'
import { requireSetUp, type SingleSignOnDeps } from './single-sign-on.ts'

type LinkHandlers = Pick<
  EndpointHandlers<typeof singleSignOnEndpoints>,
  'getPendingLink' | 'confirmLink' | 'getOwnIdentity' | 'unlinkOwnIdentity' | 'unlinkUserIdentity'
>

/** Handles the links of accounts with people at the provider. */
export function linkHandlers(deps: SingleSignOnDeps): LinkHandlers {
  const { db, singleSignOn } = deps
  const label = singleSignOn?.config.label ?? null
  const pendingLink = (cookie: string | undefined): PendingLink => {
    const link = requireSetUp(singleSignOn).links.read(cookie)
    if (link) return link
    throw new Refusal('not_found', 'No link waits here any more. Sign in again.')
  }
  return {
    async getPendingLink({ headers }) {
      const { email, returnTo } = pendingLink(headers.cookie)
      return { status: 200, body: { email, label: label ?? '', return_to: returnTo } }
    },
    async confirmLink({ address, body: { password }, headers, request_id }) {
      const { links } = requireSetUp(singleSignOn)
      const link = pendingLink(headers.cookie)
      await confirm(deps, {
        link,
        password,
        request: { address, userAgent: userAgentOf(headers), requestId: request_id },
      })
      const query = new URLSearchParams({ return_to: link.returnTo })
      const continue_at = `/api/auth/sso/start?${query}`
      return { status: 200, body: { continue_at }, headers: { 'set-cookie': links.end() } }
    },
    async getOwnIdentity({ actor }) {
      const issuer = singleSignOn?.config.issuer ?? null
      const { email, has_password, linked_at } = await findOwnIdentity(db, actor.user_id)
      const is_linked = issuer !== null && linked_at !== null
      return { status: 200, body: { label, is_linked, email, linked_at, has_password } }
    },
    async unlinkOwnIdentity({ actor }) {
      await writeWorkspace(deps, actor, async ({ now, tx }) => {
        // Without a link there is no group, except those of SCIM. The account is locked from here on.
        const granted = await grantPerson(tx, { id: actor.user_id, groups: [] }, now)
        if (!granted?.account.has_password) throw onlyWay()
        const { account } = granted
        const ended = await deleteIdentity(tx, account.id)
        const links = ended.map((before) => linkAudit(account.id, { before, after: null }))
        return { result: undefined, audit: [...links, ...granted.audit], changesAccess: true }
      })
      return { status: 204, body: null }
    },
    async unlinkUserIdentity({ actor, params: { id } }) {
      await writeWorkspace(deps, actor, async ({ now, tx }) => {
        const granted = await grantPerson(tx, { id, groups: [] }, now)
        if (!granted) throw notFound('user')
        const ended = await deleteIdentity(tx, id)
        const links = ended.map((before) => linkAudit(id, { before, after: null }))
        // Such a session may be that of the person who must not sign in any more.
        if (ended.length > 0) await deps.sessions.endOthers(tx, id, actor)
        return { result: undefined, audit: [...links, ...granted.audit], changesAccess: true }
      })
      return { status: 204, body: null }
    },
  }
}

const onlyWay = () =>
  invalid([{ path: '', message: 'The account has no password, so the link is its only way to sign in.' }])

interface Confirmation {
  readonly link: PendingLink
  readonly password: string
  readonly request: SignInRequest
}

/** Links the account when the password is right. A wrong one counts like a failed login. */
async function confirm(deps: SingleSignOnDeps, { link, password, request }: Confirmation): Promise<void> {
  const { email, issuer, subject } = link
  const author = toAuthor(email, request)
  const attempt = { address: request.address, email, password, devices: [] }
  const verdict = await verifyPassword(deps, attempt, async ({ settle, user }) => {
    if (user.disabled_at !== null) throw accountDisabled()
    if (user.id !== link.user_id) throw conflict('The account has changed. Sign in again.')
    // The password alone is not a login of this account, so it is no confirmation either.
    if ((await deps.factors.kindsOf(deps.db, user.id)).length > 0) throw hasSecondFactor()
    await writeWorkspace(deps, author, async ({ now, tx }) => {
      await settle(tx)
      await insertIdentity(tx, { user_id: user.id, issuer, subject, email, groups: [], now })
      const audit = linkAudit(user.id, { before: null, after: { issuer, subject, email } })
      return { result: undefined, audit, changesAccess: false }
    }).catch((error: unknown) => {
      throw uniqueViolation(error) === null
        ? error
        : conflict('This account is linked already. Sign in again.')
    })
  })
  if (verdict.kind === 'right') return
  const { attempts_remaining } = verdict
  throw unauthenticated('The password is wrong.', { attempts_remaining })
}

const hasSecondFactor = () =>
  conflict(
    'This account has a second factor. Sign in with password and second factor, and link the account on its own page.',
  )

const accountDisabled = () =>
  forbidden('This account is disabled. A workspace admin can enable it.', { reason: 'account_disabled' })
