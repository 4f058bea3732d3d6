import type { Flag, ImpactChange } from '@burgee/contract'
import type { Kysely } from 'kysely'
import { conflict, invalid, notFound } from '../../kernel/refusal.ts'
import type { Database } from '../../platform/db/tables.ts'
import {
  findCreationTimes,
  findFlag,
  findFlags,
  findRevision,
  listActiveFlags,
} from '../../targeting/flags/index.ts'
import type { Segments } from '../../targeting/rules/index.ts'
import { readSegments } from '../../targeting/segment-rows/index.ts'
import { listSegments, type SegmentContent } from '../../targeting/segments/index.ts'
import { findChangeRequest, type StoredChangeRequest } from '../change-requests/index.ts'
import { findEnvironment } from './queries.ts'

/** The project, and the right of the caller to the other environments that changes name. */
export interface Reader {
  readonly project_id: string
  /** Refuses with `forbidden` who may not read the environment. */
  readonly requireReadable: (environment_id: string) => void
}

/** The flag and the segments of the environment from which a flag is promoted. */
export interface PromotionSource {
  readonly name: { readonly id: string; readonly name: string; readonly slug: string }
  readonly flag: Flag
  readonly segments: Segments
  readonly stored: readonly SegmentContent[]
}

/** The state of an environment before changes, in one snapshot of the database. */
export interface ReadEnvironment {
  readonly revision: number
  /** The active flags, and those that a change names. */
  readonly flags: readonly Flag[]
  readonly segments: Segments
  readonly stored: readonly SegmentContent[]
  /** The source of each promotion and the request of each change, by the index of the change. */
  readonly sources: ReadonlyMap<number, PromotionSource>
  readonly requests: ReadonlyMap<number, RequestedChange>
}

/** A pending request. Its flag is gone where another flag has the key by now. */
export interface RequestedChange {
  readonly request: StoredChangeRequest
  readonly isGone: boolean
}

type Tx = Kysely<Database>

/**
 * Reads an environment for changes. Refuses with `not_found` (environment, promoted flag, request),
 * `forbidden` (a source that the reader may not read), `invalid` (a source that is no other environment of
 * the project) and `conflict` (a request that is decided).
 */
export async function readEnvironment(
  db: Kysely<Database>,
  reader: Reader,
  environment_id: string,
  changes: readonly ImpactChange[],
): Promise<ReadEnvironment> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const found = await findRevision(tx, environment_id)
      if (!found) throw notFound('environment')
      const sources = new Map<number, PromotionSource>()
      const requests = new Map<number, RequestedChange>()
      for (const [index, change] of changes.entries()) {
        if ('promote' in change) {
          const place = { path: `/changes/${index}/promote/source_env_id`, environment_id }
          sources.set(index, await readSource(tx, reader, change.promote, place))
        }
        if ('change_request_id' in change) {
          requests.set(index, await readRequest(tx, change.change_request_id, environment_id))
        }
      }
      const named = changes.flatMap((change, index) => keyOf(change, requests.get(index)) ?? [])
      const active = await listActiveFlags(tx, environment_id)
      const archived = (await findFlags(tx, environment_id, named)).filter(
        (flag) => flag.archived_at !== null,
      )
      return {
        revision: found.revision,
        flags: [...active, ...archived],
        segments: await readSegments(tx, environment_id),
        stored: await listSegments(tx, environment_id),
        sources,
        requests,
      }
    })
}

/** Returns the key of the flag that a change names; undefined for a segment. */
function keyOf(change: ImpactChange, requested: RequestedChange | undefined): string | undefined {
  if ('flag_key' in change) return change.flag_key
  return 'promote' in change ? change.promote.flag_key : requested?.request.flag_key
}

interface Place {
  /** The JSON pointer of the field that names what is read. */
  readonly path: string
  readonly environment_id: string
}

async function readSource(
  tx: Tx,
  { project_id, requireReadable }: Reader,
  { flag_key, source_env_id }: { readonly source_env_id: string; readonly flag_key: string },
  { environment_id, path }: Place,
): Promise<PromotionSource> {
  const id = source_env_id.toLowerCase()
  const refuse = (why: string) =>
    invalid([{ path, message: `${why}; name another environment of the project` }])
  if (id === environment_id) throw refuse('is the environment itself')
  const environment = await findEnvironment(tx, id)
  if (environment && environment.project_id !== project_id) throw refuse('is in another project')
  if (environment) requireReadable(id)
  if (!environment) throw refuse('is no environment')
  const flag = await findFlag(tx, id, flag_key)
  if (!flag) throw notFound('flag')
  const { name, slug } = environment
  return {
    name: { id, name, slug },
    flag,
    segments: await readSegments(tx, id),
    stored: await listSegments(tx, id),
  }
}

async function readRequest(tx: Tx, id: number, environment_id: string): Promise<RequestedChange> {
  const request = await findChangeRequest(tx, environment_id, id)
  if (!request) throw notFound('change request')
  if (request.status !== 'pending') throw conflict(`The change request is ${request.status} already.`)
  const createdAt = (await findCreationTimes(tx, environment_id, [request.flag_key])).get(request.flag_key)
  const isGone = request.operation !== 'create' && (createdAt === undefined || createdAt > request.created_at)
  return { request, isGone }
}
