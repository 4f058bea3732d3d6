import { isUuid } from '../../kernel/is-uuid.ts'
import type { GroupChanges } from '../group-roles/index.ts'
import { readGroup, readGroupPatch } from './group-change.ts'
import { findGroup, isGroupAttribute, type StoredGroup } from './group-queries.ts'
import { showGroup, showGroups } from './group-resource.ts'
import { listResponse, readListQuery } from './list-query.ts'
import { project, readProjection } from './project-attributes.ts'
import { changeGroup, createGroup, deleteGroup } from './save-group.ts'
import type { ScimContext, ScimDeps } from './scim-context.ts'
import type { ResourceRequest, ScimReply } from './scim-message.ts'
import { noResource, ScimRefused } from './scim-refused.ts'

export interface GroupDeps extends ScimDeps {
  /** Gives people the roles of their groups. */
  readonly groupChanges: Pick<GroupChanges, 'apply'>
}

/** Handles `/Groups` and `/Groups/{id}`. */
export async function handleGroups(
  deps: GroupDeps,
  context: ScimContext,
  request: ResourceRequest,
): Promise<ScimReply> {
  const { body, id, method, query } = request
  const projection = readProjection(query)
  const shown = { db: deps.db, baseUrl: context.baseUrl, projection }
  const reply = async (status: number, group: StoredGroup): Promise<ScimReply> => ({
    status,
    body: project(await showGroup(shown, group), projection),
  })
  if (id === undefined) {
    if (method === 'GET') {
      const list = readListQuery(query, isGroupAttribute)
      const { resources, total } = await showGroups(shown, list)
      const projected = resources.map((resource) => project(resource, projection))
      return { status: 200, body: listResponse(projected, { total, offset: list.offset }) }
    }
    if (method !== 'POST')
      throw new ScimRefused(405, null, `${method} is not possible here; use GET or POST.`)
    const group = await createGroup(deps, context, readGroup(body))
    await deps.groupChanges.apply()
    return { ...(await reply(201, group)), location: `${context.baseUrl}/Groups/${group.id}` }
  }
  if (!isUuid(id)) throw noResource('group', id)
  return handleOne(deps, context, { ...request, id }, reply)
}

async function handleOne(
  deps: GroupDeps,
  context: ScimContext,
  { body, id, method }: ResourceRequest & { readonly id: string },
  reply: (status: number, group: StoredGroup) => Promise<ScimReply>,
): Promise<ScimReply> {
  switch (method) {
    case 'GET': {
      const group = await findGroup(deps.db, id)
      if (!group) throw noResource('group', id)
      return reply(200, group)
    }
    case 'PUT':
    case 'PATCH': {
      const change = method === 'PUT' ? readGroup(body) : readGroupPatch(body)
      const group = await changeGroup(deps, context, { id, change })
      await deps.groupChanges.apply()
      // A PATCH of one member must not cost the list of all of them (RFC 7644, section 3.5.2).
      return method === 'PUT' ? reply(200, group) : { status: 204, body: null }
    }
    case 'DELETE':
      await deleteGroup(deps, context, id)
      await deps.groupChanges.apply()
      return { status: 204, body: null }
    default:
      throw new ScimRefused(405, null, `${method} is not possible here; use GET, PUT, PATCH or DELETE.`)
  }
}
