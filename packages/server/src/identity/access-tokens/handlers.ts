import type { accessTokenEndpoints } from '@burgee/contract'
import type { WorkspaceWriteDeps } from '../../changes/index.ts'
import { notFound } from '../../kernel/refusal.ts'
import { rowExists } from '../../platform/db/row-exists.ts'
import type { EndpointHandlers } from '../../platform/replies/endpoint-handler.ts'
import type { AccessTokens } from './access-tokens.ts'
import { createAccessToken } from './create-access-token.ts'
import { listAccessTokens } from './queries.ts'
import { revokeAccessToken } from './revoke-access-token.ts'

interface AccessTokenDeps extends WorkspaceWriteDeps {
  readonly tokens: Pick<AccessTokens, 'usesStored'>
  /** The longest time of new tokens in days; null without a limit. */
  readonly maxDays: number | null
}

export function accessTokenHandlers(deps: AccessTokenDeps): EndpointHandlers<typeof accessTokenEndpoints> {
  return {
    async listAccessTokens({ actor }) {
      // The list must show a token that was just used.
      await deps.tokens.usesStored()
      return { status: 200, body: await listAccessTokens(deps.db, actor.user_id) }
    },
    async createAccessToken({ actor, body }) {
      const owner = { id: actor.user_id, resource: `user:${actor.user_id}` }
      const created = await createAccessToken(deps, actor, { owner, input: body })
      // Only this response contains the credential, and no cache may store it.
      return { status: 200, body: created, headers: { 'cache-control': 'no-store' } }
    },
    async revokeAccessToken({ actor, params }) {
      await revokeAccessToken(deps, actor, { id: params.id, user_id: actor.user_id })
      return { status: 204, body: null }
    },
    async listUserTokens({ params }) {
      if (!(await rowExists(deps.db, 'users', { id: params.id, kind: 'person' }))) throw notFound('user')
      await deps.tokens.usesStored()
      return { status: 200, body: await listAccessTokens(deps.db, params.id) }
    },
    async revokeUserToken({ actor, params }) {
      await revokeAccessToken(deps, actor, { id: params.token_id, user_id: params.id })
      return { status: 204, body: null }
    },
  }
}
