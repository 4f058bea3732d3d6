import type { userEndpoints } from '@burgee/contract'
import { notFound } from '../../kernel/refusal.ts'
import { withWarnings } from '../../kernel/with-warnings.ts'
import type { EncodedReply, EndpointHandlers } from '../../platform/replies/endpoint-handler.ts'
import { findUser } from '../../structure/users/index.ts'
import { createUser } from './create-user.ts'
import { deleteUser } from './delete-user.ts'
import { type DisableUserDeps, disableUser, enableUser } from './disable-user.ts'
import { listUsers } from './queries.ts'
import { showUser, showUsers } from './show-users.ts'
import { unlockUser } from './unlock-user.ts'
import { type UpdateUserDeps, updateUser } from './update-user.ts'

export interface UserHandlerDeps extends Omit<UpdateUserDeps, 'endSessions'>, DisableUserDeps {
  readonly listSchedules: (email: string, page: ListPage) => Promise<EncodedReply>
}

interface ListPage {
  readonly limit?: number
  readonly cursor?: string
}

export function userHandlers(deps: UserHandlerDeps): EndpointHandlers<typeof userEndpoints> {
  return {
    async listUsers({ query: { kind = 'person' } }) {
      const listed = await showUsers(deps, await listUsers(deps.db, kind))
      const body = kind === 'person' ? listed : listed.map((user) => ({ ...user, kind }))
      return { status: 200, body }
    },
    async getUser({ params }) {
      const user = await findUser(deps.db, params.id)
      if (!user) throw notFound('user')
      return { status: 200, body: await showUser(deps, user) }
    },
    async createUser({ actor, address, body }) {
      const { user, warnings } = await createUser(deps, actor, { input: body, address })
      return { status: 200, body: withWarnings(await showUser(deps, user), warnings) }
    },
    async updateUser({ actor, address, body, params }) {
      const { user, warnings } = await updateUser(deps, actor, { id: params.id, patch: body, address })
      return { status: 200, body: withWarnings(await showUser(deps, user), warnings) }
    },
    async unlockUser({ actor, params }) {
      await unlockUser(deps, actor, params)
      return { status: 204, body: null }
    },
    async disableUser({ actor, body, params }) {
      const { schedules, user } = await disableUser(deps, actor, { ...body, id: params.id })
      return { status: 200, body: { ...(await showUser(deps, user)), schedules } }
    },
    async enableUser({ actor, params }) {
      const user = await enableUser(deps, actor, params)
      return { status: 200, body: await showUser(deps, user) }
    },
    async listUserScheduledChanges({ params, query }) {
      const user = await findUser(deps.db, params.id)
      if (!user) throw notFound('user')
      return deps.listSchedules(user.email, query)
    },
    async deleteUser({ actor, params }) {
      await deleteUser(deps, actor, params)
      return { status: 204, body: null }
    },
  }
}
