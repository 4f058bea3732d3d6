import type { UnknownFlag, UnknownFlagReason } from '@burgee/contract'
import type { Kysely } from 'kysely'
import { inTurns } from '../../platform/concurrency/turns.ts'
import type { Database } from '../../platform/db/tables.ts'
import { findSimilarKeys } from './find-similar-key.ts'
import { type ListedUnknownFlag, listFlagKeys, listUnknownFlags } from './queries.ts'

/** The flags among which a similar key is looked for. */
const COMPARED_FLAGS_MAX = 20_000

interface Place {
  readonly environment_id: string
  readonly project_id: string
  /** Returns whether the reader may see another environment of the project. */
  readonly maySee: (environment_id: string) => boolean
}

/** Lists the unknown flags of an environment, each with the likely reason. */
export async function explainUnknownFlags(
  db: Kysely<Database>,
  { maySee, ...place }: Place,
): Promise<UnknownFlag[]> {
  const listed = await listUnknownFlags(db, place)
  const flags = listed.map((flag) => {
    const seen = flag.elsewhere?.filter(({ id }) => maySee(id)) ?? []
    return { ...flag, elsewhere: seen.length > 0 ? seen : null }
  })
  const explained = flags.map((flag) => ({ flag, because: findReason(flag) }))
  const unexplained = explained.filter(({ because }) => because === null).map(({ flag }) => flag.flag_key)
  const similar =
    unexplained.length === 0
      ? new Map<string, string>()
      : await inTurns(
          findSimilarKeys(unexplained, await listFlagKeys(db, place.environment_id, COMPARED_FLAGS_MAX)),
        )
  return explained.map(({ because, flag: { app, count, first_seen, flag_key, last_seen, sdk } }) => {
    const nearest = similar.get(flag_key)
    const meant = nearest === undefined ? null : ({ reason: 'did_you_mean', flag_key: nearest } as const)
    return { flag_key, count, first_seen, last_seen, app, sdk, because: because ?? meant }
  })
}

function findReason(flag: ListedUnknownFlag): UnknownFlagReason | null {
  const { archived_at, archived_by, deleted_at, deleted_by, elsewhere } = flag
  if (archived_at !== null) return { reason: 'archived', at: archived_at, by: archived_by }
  if (deleted_at !== null) return { reason: 'deleted', at: deleted_at, by: deleted_by }
  if (elsewhere !== null) return { reason: 'other_environments', environments: [...elsewhere] }
  return null
}
