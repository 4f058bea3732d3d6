import type { oneTimeLinkEndpoints, SentLink } from '@burgee/contract'
import { notFound } from '../../kernel/refusal.ts'
import type { EndpointHandlers } from '../../platform/replies/endpoint-handler.ts'
import { userAgentOf } from '../../platform/user-agent.ts'
import { findUser } from '../../structure/users/index.ts'
import { hasPassword, showUser } from '../accounts/index.ts'
import { type CreatedLink, createLink, inviteUser, type LinkDeps } from './create-link.ts'
import { type DeliveryDeps, deliverLink } from './deliver-link.ts'
import { createWrongLinks, type RedeemDeps, redeemLink, requireLink } from './redeem-link.ts'
import type { ResetRequests } from './request-reset.ts'

interface OneTimeLinkDeps extends LinkDeps, DeliveryDeps, RedeemDeps {
  /** Null where no e-mail is sent. */
  readonly resets: ResetRequests | null
}

/** Only this response contains the link, and no cache may store it. */
const NOT_STORED = { 'cache-control': 'no-store' }

export function oneTimeLinkHandlers(deps: OneTimeLinkDeps): EndpointHandlers<typeof oneTimeLinkEndpoints> {
  const limited = { ...deps, wrongLinks: createWrongLinks(deps) }
  return {
    async inviteUser({ actor, body }) {
      const created = await inviteUser(deps, actor, body)
      return { status: 200, body: await sendLink(deps, created), headers: NOT_STORED }
    },
    async createUserLink({ actor, params: { id } }) {
      if (!(await findUser(deps.db, id))) throw notFound('user')
      const purpose = (await hasPassword(deps.db, id)) ? 'password_reset' : 'invitation'
      const created = await createLink(deps, actor, { id, purpose })
      return { status: 200, body: await sendLink(deps, created), headers: NOT_STORED }
    },
    async readLink({ address, body }) {
      const { email, expires_at, purpose } = await requireLink(limited, body.token, address)
      return { status: 200, body: { email, purpose, expires_at } }
    },
    async redeemLink({ address, body, headers }) {
      await redeemLink(limited, body, { address, user_agent: userAgentOf(headers) })
      return { status: 204, body: null }
    },
    async requestPasswordReset({ address, body, headers }) {
      if (deps.resets === null) {
        throw notFound('way to receive a link by e-mail here. Ask a workspace admin for a new password')
      }
      deps.resets.take(body.email, { address, user_agent: userAgentOf(headers) })
      return { status: 204, body: null }
    },
  }
}

async function sendLink(deps: OneTimeLinkDeps, created: CreatedLink): Promise<SentLink> {
  const { expires_at, user } = created
  return { user: await showUser(deps, user), expires_at, ...(await deliverLink(deps, created)) }
}
