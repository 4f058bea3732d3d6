import { deleteUser } from './delete-user.ts'
import { listResponse, readListQuery } from './list-query.ts'
import { patchUser } from './patch-user.ts'
import { project, readProjection } from './project-attributes.ts'
import { changeUser, createUser } from './save-user.ts'
import type { ScimContext, ScimDeps } from './scim-context.ts'
import type { ResourceRequest, ScimReply } from './scim-message.ts'
import { noResource, ScimRefused } from './scim-refused.ts'
import { toUserId } from './to-user-id.ts'
import { readUser } from './user-draft.ts'
import { findManaged, isUserAttribute, listManaged, type ManagedUser } from './user-queries.ts'
import { toUserResource } from './user-resource.ts'

/** Handles `/Users` and `/Users/{id}`. */
export async function handleUsers(
  deps: ScimDeps,
  context: ScimContext,
  request: ResourceRequest,
): Promise<ScimReply> {
  const projection = readProjection(request.query)
  const show = (user: ManagedUser) => project(toUserResource(user, context), projection)
  if (request.id === undefined) return handleAll(deps, context, request, show)
  const [id] = toUserId(request.id)
  if (id === undefined) throw noResource('user', request.id)
  switch (request.method) {
    case 'GET': {
      const user = await findManaged(deps.db, id)
      if (!user) throw noResource('user', request.id)
      return { status: 200, body: show(user) }
    }
    case 'PUT': {
      const { body } = request
      const user = await changeUser(deps, context, { id, change: ({ active }) => readUser(body, active) })
      return { status: 200, body: show(user) }
    }
    case 'PATCH': {
      const { body } = request
      const user = await changeUser(deps, context, { id, change: (draft) => patchUser(draft, body) })
      return { status: 200, body: show(user) }
    }
    case 'DELETE':
      await deleteUser(deps, context, id)
      return { status: 204, body: null }
    default:
      throw new ScimRefused(
        405,
        null,
        `${request.method} is not possible here; use GET, PUT, PATCH or DELETE.`,
      )
  }
}

async function handleAll(
  deps: ScimDeps,
  context: ScimContext,
  { body, method, query }: ResourceRequest,
  show: (user: ManagedUser) => object,
): Promise<ScimReply> {
  if (method === 'GET') {
    const list = readListQuery(query, isUserAttribute)
    const { total, users } = await listManaged(deps.db, list.conditions, list)
    return { status: 200, body: listResponse(users.map(show), { total, offset: list.offset }) }
  }
  if (method !== 'POST') throw new ScimRefused(405, null, `${method} is not possible here; use GET or POST.`)
  const user = await createUser(deps, context, readUser(body))
  return { status: 201, body: show(user), location: `${context.baseUrl}/Users/${user.id}` }
}
