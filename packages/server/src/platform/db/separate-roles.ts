import { type Kysely, sql } from 'kysely'
import type { Database } from './tables.ts'

/** The number of objects that an error names. Further ones are counted. */
const MAX_NAMED = 5

/**
 * Thrown when the two configured roles do not separate requests from the tables. The message states why and
 * what to do.
 */
export class RolesNotSeparated extends Error {
  constructor(message: string) {
    super(`${message}. docs/operations.md describes both roles under "Database".`)
    this.name = 'RolesNotSeparated'
  }
}

interface Place {
  readonly role: string
  readonly database: string
}

/**
 * Returns the role of the connection `application`. Throws `RolesNotSeparated` unless it differs from the
 * role of `owner`, is in the same database, and owns nothing there, also through other roles. A database
 * without tables passes.
 */
export async function requireSeparateRoles(
  owner: Kysely<Database>,
  application: Kysely<Database>,
): Promise<string> {
  const [above, below] = [await placeOf(owner), await placeOf(application)]
  const role = quoted(below.role)
  if (above.database !== below.database)
    throw new RolesNotSeparated(
      `DATABASE_URL leads to the database ${quoted(below.database)} and DATABASE_OWNER_URL to ` +
        `${quoted(above.database)}: name the same database in both`,
    )
  if (above.role === below.role)
    throw new RolesNotSeparated(
      `DATABASE_URL and DATABASE_OWNER_URL connect as the same role ${role}: ` +
        'give DATABASE_URL a role of its own, or unset DATABASE_OWNER_URL',
    )
  const powers = await findPowers(owner, below.role)
  if (powers === null)
    throw new RolesNotSeparated(
      `the role ${role} of DATABASE_URL does not exist on the server of DATABASE_OWNER_URL: ` +
        'name the same server in both',
    )
  if (powers.is_superuser)
    throw new RolesNotSeparated(
      `the role ${role} of DATABASE_URL is a superuser and can change the audit log: ` +
        'connect as an ordinary role',
    )
  if (powers.is_member)
    throw new RolesNotSeparated(
      `the role ${role} of DATABASE_URL is a member of the role ${quoted(above.role)} of DATABASE_OWNER_URL ` +
        `and can act as it: run \`revoke ${quoted(above.role)} from ${role}\``,
    )
  if (powers.owned.length > 0)
    throw new RolesNotSeparated(
      `the role ${role} of DATABASE_URL owns ${listed(powers.owned)}, or is a member of a role that does: ` +
        `run \`reassign owned by ${role} to ${quoted(above.role)}\` in the database, and ` +
        `\`alter database ${quoted(above.database)} owner to ${quoted(above.role)}\``,
    )
  return below.role
}

async function placeOf(db: Kysely<Database>): Promise<Place> {
  const { rows } = await sql<Place>`select current_user as role, current_database() as database`.execute(db)
  const [found] = rows
  if (!found) throw new Error('every connection has a role')
  return found
}

interface Powers {
  readonly is_superuser: boolean
  readonly is_member: boolean
  /** The objects that the role owns, itself or through another role. */
  readonly owned: readonly string[]
}

/** Returns what the role may do beyond its grants; null when there is no such role. */
async function findPowers(owner: Kysely<Database>, role: string): Promise<Powers | null> {
  const { rows } = await sql<Powers>`
    select rolsuper as is_superuser, pg_has_role(oid, current_user, 'member') as is_member, array(
      select 'the database' from pg_database
      where datname = current_database() and pg_has_role(application.oid, datdba, 'member')
      union all
      select 'the schema public' from pg_namespace
      where nspname = 'public' and pg_has_role(application.oid, nspowner, 'member')
      union all
      (select relname from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'S')
        and pg_has_role(application.oid, relowner, 'member')
      order by relname)
      union all
      (select proname || '()' from pg_proc
      where pronamespace = 'public'::regnamespace and pg_has_role(application.oid, proowner, 'member')
      order by proname)
    ) as owned
    from pg_roles application where rolname = ${role}
  `.execute(owner)
  return rows[0] ?? null
}

function listed(names: readonly string[]): string {
  const named = names.slice(0, MAX_NAMED).join(', ')
  return names.length > MAX_NAMED ? `${named} and ${names.length - MAX_NAMED} more` : named
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
