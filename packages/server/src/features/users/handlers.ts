import type { userEndpoints } from '@burgee/contract'
import type { EndpointHandlers } from '../../kernel/endpoint-handler.ts'
import { createUser } from './create-user.ts'
import { deleteUser } from './delete-user.ts'
import { listUsers } from './queries.ts'
import { type UpdateUserDeps, updateUser } from './update-user.ts'

export function userHandlers(deps: UpdateUserDeps): EndpointHandlers<typeof userEndpoints> {
  return {
    async listUsers() {
      return { status: 200, body: await listUsers(deps.db) }
    },
    async createUser({ actor, address, body }) {
      return { status: 200, body: await createUser(deps, actor, { input: body, address }) }
    },
    async updateUser({ actor, address, body, params }) {
      return { status: 200, body: await updateUser(deps, actor, { id: params.id, patch: body, address }) }
    },
    async deleteUser({ actor, params }) {
      await deleteUser(deps, actor, params)
      return { status: 204, body: null }
    },
  }
}
