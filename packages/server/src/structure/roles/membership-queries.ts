import { type Expression, type RawBuilder, sql } from 'kysely'
import type { StoredMembership } from './role.ts'

/** Returns the SQL of a user's membership in a project as one JSON value; null without one. */
export const membershipIn = (
  project_id: Expression<string>,
  user_id: number | null | Expression<number>,
): RawBuilder<StoredMembership | null> => sql<StoredMembership | null>`(
  select json_build_object('role', m.role, 'permissions', r.permissions, 'overrides', coalesce((
    select json_agg(json_build_object(
      'environment_id', o.environment_id, 'role', o.role, 'permissions', s.permissions))
    from environment_roles o join roles s on s.key = o.role
    where o.project_id = m.project_id and o.user_id = m.user_id), '[]'::json))
  from project_members m join roles r on r.key = m.role
  where m.project_id = ${project_id} and m.user_id = ${user_id}::int)`
