import { type Kysely, sql, type Transaction } from 'kysely'
import { type Author, actorName } from '../kernel/actor.ts'
import type { DomainEvent } from '../kernel/domain-event.ts'
import { invalid } from '../kernel/refusal.ts'
import type { Database } from '../platform/db/tables.ts'
import type { AuditEntry } from './audit-entry.ts'
import type { FlagChange } from './flag-change.ts'

export interface LockedEnvironment {
  readonly id: string
  readonly project_id: string
  readonly name: string
  readonly slug: string
  readonly require_approval: boolean
  readonly approval_scope: 'patch' | 'all'
  readonly revision: number
}

/** Locks the environment's row against other writes until the transaction ends; key shares of children still pass. */
export async function lockEnvironment(
  tx: Transaction<Database>,
  environment_id: string,
): Promise<LockedEnvironment | undefined> {
  return tx
    .selectFrom('environments')
    .select(['id', 'project_id', 'name', 'slug', 'require_approval', 'approval_scope', 'revision'])
    .where('id', '=', environment_id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

interface RecordedWrite {
  readonly environment: LockedEnvironment
  readonly actor: Author
  readonly now: string
  readonly changes: readonly StoredChange[]
  readonly audit: AuditEntry
  readonly events: readonly DomainEvent[]
}

/** Stores a write's revisions, changes, audit entry and events: one statement, one round trip. */
export async function recordChanges(tx: Transaction<Database>, write: RecordedWrite): Promise<void> {
  const { environment, audit, now } = write
  const changes = encodeChanges(write.changes)
  await sql`
    with revised as (
      update environments set revision = revision + ${write.changes.length}::int
      where id = ${environment.id}::uuid and ${write.changes.length}::int > 0
    ), changed as (
      insert into environment_changes (environment_id, revision, kind, flag_key, flag, created_at)
      select ${environment.id}::uuid, change.revision, change.kind, change.flag_key, change.flag, ${now}::timestamptz
      from json_to_recordset(${changes}::json)
        as change(revision bigint, kind text, flag_key text, flag json)
    ), told as (
      insert into domain_events (project_id, environment_id, type, data, created_at)
      select ${environment.project_id}::uuid, ${environment.id}::uuid, event.type, event.data, ${now}::timestamptz
      from json_to_recordset(${encodeEvents(write)}::json) as event(type text, data json)
    )
    insert into audit_log
      (project_id, environment_id, flag_key, actor_email, action, before_data, after_data, metadata, created_at)
    values (${environment.project_id}::uuid, ${environment.id}::uuid, ${audit.flag_key}, ${actorName(write.actor)},
      ${audit.action}, ${toJson(audit.before)}::json, ${toJson(audit.after)}::json,
      ${toMetadata(audit, write.actor.request_id)}::json, ${now}::timestamptz)
  `.execute(tx)
}

const encodeEvents = (write: RecordedWrite): string =>
  JSON.stringify(write.events.map((event) => ({ type: event.type, data: eventData(write, event) })))

/** What one write may send to SDKs, in characters of JSON. A segment that many large flags name could come to gigabytes. */
const WRITE_JSON_MAX = 32 * 1024 * 1024

/** The rows of the change log as JSON. Refuses with `invalid` when they come to more than one write may send. */
function encodeChanges(changes: readonly StoredChange[]): string {
  const rows: string[] = []
  let length = 0
  for (const change of changes) {
    const row = JSON.stringify(change)
    length += row.length
    if (length > WRITE_JSON_MAX) throw tooLarge()
    rows.push(row)
  }
  return `[${rows.join(',')}]`
}

const tooLarge = () =>
  invalid([
    {
      path: '',
      message: `would send more than ${WRITE_JSON_MAX} characters to every SDK at once; make the rules or the flags that name the segment smaller`,
    },
  ])

const toJson = (value: object | null): string | null => (value === null ? null : JSON.stringify(value))

/** What was told, and the request that it was done for. */
const toMetadata = ({ metadata }: AuditEntry, request_id: string | undefined): string =>
  JSON.stringify(request_id === undefined ? metadata : { ...metadata, request_id })

/** The `data` of the webhook envelope (contract, section 9). */
function eventData({ actor, environment }: RecordedWrite, event: DomainEvent): object {
  return {
    project_id: environment.project_id,
    environment: { id: environment.id, name: environment.name, slug: environment.slug },
    flag_key: event.flag_key,
    actor_email: actorName(actor),
    flag: event.flag,
    previous: event.previous,
    ...(event.source_environment && { source_environment: event.source_environment }),
    ...(event.change_request && { change_request: event.change_request }),
  }
}

/** A change as the log holds it. */
export type StoredChange = FlagChange & { readonly revision: number }

/** At most `limit` changes after `revision`, in order, and when the first of them was stored; null where there is none. */
export async function readChanges(
  db: Kysely<Database>,
  environment_id: string,
  revision: number,
  limit: number,
): Promise<{ changes: StoredChange[]; created_at: string | null }> {
  const rows = await db
    .selectFrom('environment_changes')
    .select(['revision', 'kind', 'flag_key', 'flag', 'created_at'])
    .where('environment_id', '=', environment_id)
    .where('revision', '>', revision)
    .orderBy('revision')
    .limit(limit)
    .execute()
  const changes = rows.map(({ flag, flag_key, kind, revision }): StoredChange => {
    if (kind !== 'upsert') return { kind, flag_key, revision }
    return flag ? { kind, flag_key, revision, flag } : { kind: 'delete', flag_key, revision }
  })
  return { changes, created_at: rows[0]?.created_at ?? null }
}

/** What the 1 s poll reads: the revision of each environment that exists among those asked for, and the access revision. */
export async function readRevisions(
  db: Kysely<Database>,
  environment_ids: readonly string[],
): Promise<{ environments: Map<string, number>; access_revision: number }> {
  const { rows } = await sql<{ id: string | null; revision: number }>`
    select null::uuid as id, access_revision as revision from workspace
    union all
    select id, revision from environments where id = any(${environment_ids}::uuid[])
  `.execute(db)
  const environments = new Map<string, number>()
  let access_revision = 0
  for (const { id, revision } of rows) {
    if (id === null) access_revision = revision
    else environments.set(id, revision)
  }
  return { environments, access_revision }
}

/**
 * Tells every instance that who may do what has changed: credentials are looked up anew and open streams judged again.
 * Call it in the transaction of the change; publish the hint after the commit.
 */
export async function bumpAccessRevision(tx: Transaction<Database>): Promise<void> {
  await sql`update workspace set access_revision = access_revision + 1`.execute(tx)
}

/** Stores one audit entry of a change that SDKs do not see (structure, people, settings). */
export async function recordAudit(
  tx: Transaction<Database>,
  entry: AuditEntry & {
    readonly project_id: string | null
    readonly environment_id: string | null
    readonly actor_email: string
    readonly request_id?: string | undefined
    readonly now: string
  },
): Promise<void> {
  await tx
    .insertInto('audit_log')
    .values({
      project_id: entry.project_id,
      environment_id: entry.environment_id,
      flag_key: entry.flag_key,
      actor_email: entry.actor_email,
      action: entry.action,
      before_data: toJson(entry.before),
      after_data: toJson(entry.after),
      metadata: toMetadata(entry, entry.request_id),
      created_at: entry.now,
    })
    .execute()
}

/** Removes changes that every live instance has long read, at most `limit` a call. Gives how many. */
export async function pruneChanges(db: Kysely<Database>, before: string, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from environment_changes where ctid = any(array(
      select ctid from environment_changes where created_at < ${before}::timestamptz limit ${limit}::int))
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}
