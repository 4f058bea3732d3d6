import type { AccessTokenInput, CreatedAccessToken, serviceAccountEndpoints } from '@burgee/contract'
import type { UserActor } from '../../kernel/actor.ts'
import { conflict, notFound } from '../../kernel/refusal.ts'
import { rowExists } from '../../platform/db/row-exists.ts'
import type { EndpointHandlers } from '../../platform/replies/endpoint-handler.ts'
import { addMaker } from '../../structure/users/index.ts'
import {
  type AccessTokens,
  type CreateTokenDeps,
  createAccessToken,
  listAccessTokens,
  revokeAccessToken,
} from '../access-tokens/index.ts'
import { createAccount } from './create-account.ts'
import { deleteAccount } from './delete-account.ts'
import { listAccounts, lockAccount } from './queries.ts'
import { accountResource } from './service-account.ts'
import { type UpdateAccountDeps, updateAccount } from './update-account.ts'

export interface ServiceAccountDeps extends CreateTokenDeps, UpdateAccountDeps {
  readonly tokens: Pick<AccessTokens, 'usesStored'>
}

export function serviceAccountHandlers(
  deps: ServiceAccountDeps,
): EndpointHandlers<typeof serviceAccountEndpoints> {
  return {
    async listServiceAccounts() {
      return { status: 200, body: await listAccounts(deps.db) }
    },
    async createServiceAccount({ actor, body }) {
      return { status: 200, body: await createAccount(deps, actor, body) }
    },
    async updateServiceAccount({ actor, body, params }) {
      return { status: 200, body: await updateAccount(deps, actor, { id: params.id, patch: body }) }
    },
    async deleteServiceAccount({ actor, params }) {
      await deleteAccount(deps, actor, params.id)
      return { status: 204, body: null }
    },
    async listServiceAccountTokens({ params }) {
      if (!(await rowExists(deps.db, 'users', { id: params.id, kind: 'service_account' })))
        throw notFound('service account')
      await deps.tokens.usesStored()
      return { status: 200, body: await listAccessTokens(deps.db, params.id) }
    },
    async createServiceAccountToken({ actor, body, params }) {
      const created = await createToken(deps, actor, { id: params.id, input: body })
      // Only this response contains the credential, and no cache may store it.
      return { status: 200, body: created, headers: { 'cache-control': 'no-store' } }
    },
    async revokeServiceAccountToken({ actor, params }) {
      await revokeAccessToken(deps, actor, { id: params.token_id, user_id: params.id })
      return { status: 204, body: null }
    },
  }
}

/** Creates a token of the account. The actor then counts among those who made it. */
function createToken(
  deps: ServiceAccountDeps,
  actor: UserActor,
  { id, input }: { readonly id: number; readonly input: AccessTokenInput },
): Promise<CreatedAccessToken> {
  return createAccessToken(deps, actor, {
    owner: { id, resource: accountResource(id) },
    input,
    async prepare(tx) {
      const account = await lockAccount(tx, id)
      if (!account) throw notFound('service account')
      if (account.disabled_at !== null) {
        throw conflict('The service account is disabled. Enable it first.')
      }
      return addMaker(tx, id, actor.user_id)
    },
  })
}
