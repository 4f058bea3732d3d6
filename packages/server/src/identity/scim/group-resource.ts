import type { Kysely } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'
import { findMembers, type GroupMember, listGroups, type StoredGroup } from './group-queries.ts'
import { PAGE_MEMBERS_MAX } from './limits.ts'
import type { ListQuery } from './list-query.ts'
import type { Projection } from './project-attributes.ts'
import { GROUP_SCHEMA } from './schema-uris.ts'

interface Shown {
  readonly db: Kysely<Database>
  readonly baseUrl: string
  readonly projection: Projection
}

/** Builds the resource of a group, with its members where they are wanted. */
export async function showGroup({ baseUrl, db, projection }: Shown, group: StoredGroup): Promise<object> {
  if (!projection.has('members')) return toResource(group, { baseUrl })
  const members = await findMembers(db, [group.id])
  return toResource(group, { baseUrl, members: members.get(group.id) ?? [] })
}

/** Builds a page of groups. With a great many members it has fewer groups than were requested. */
export async function showGroups(
  { baseUrl, db, projection }: Shown,
  query: ListQuery,
): Promise<{ readonly total: number; readonly resources: readonly object[] }> {
  const { groups, total } = await listGroups(db, query.conditions, query)
  if (!projection.has('members'))
    return { total, resources: groups.map((group) => toResource(group, { baseUrl })) }
  let members = 0
  const page = groups.filter((group, index) => {
    members += group.members
    return index === 0 || members <= PAGE_MEMBERS_MAX
  })
  const found = await findMembers(
    db,
    page.map(({ id }) => id),
  )
  const resources = page.map((group) => toResource(group, { baseUrl, members: found.get(group.id) ?? [] }))
  return { total, resources }
}

function toResource(
  { created_at, display_name, external_id, id, updated_at }: StoredGroup,
  { baseUrl, members }: { readonly baseUrl: string; readonly members?: readonly GroupMember[] },
): object {
  return {
    schemas: [GROUP_SCHEMA],
    id,
    ...(external_id !== null && { externalId: external_id }),
    displayName: display_name,
    ...(members && {
      members: members.map(({ name, user_id }) => ({ value: String(user_id), display: name })),
    }),
    meta: {
      resourceType: 'Group',
      created: created_at,
      lastModified: updated_at,
      location: `${baseUrl}/Groups/${id}`,
    },
  }
}
