import { type Flag, type FlagHistoryEntry, HISTORY_LIMIT_MAX } from '@burgee/contract'
import type { Kysely } from 'kysely'
import { readCursor } from '../../kernel/list-cursor.ts'
import { clamp } from '../../kernel/paging.ts'
import type { Database } from '../../platform/db/tables.ts'
import type { EncodedReply } from '../../platform/replies/endpoint-handler.ts'
import { type ListDeps, oneByOne, replyWithList } from '../../platform/replies/reply-with-list.ts'
import { readStoredFlag } from '../flag-model/index.ts'
import { findFlagState, flagStateList, type StoredFlagState } from './flag-state-queries.ts'

export interface FlagHistoryInput {
  readonly environment_id: string
  readonly key: string
  /** The limit, clamped like every paging parameter (docs/reference/api.md). */
  readonly limit?: number
  readonly offset?: number
  readonly cursor?: string
}

const NAME = 'history'

/**
 * Responds with the states of the flag after each of its changes, newest first, from the audit log. A key
 * that was deleted and created again includes its earlier flags.
 */
export async function replyWithHistory(
  deps: ListDeps,
  { cursor, limit = HISTORY_LIMIT_MAX, offset = 0, ...place }: FlagHistoryInput,
): Promise<EncodedReply> {
  const [beforeId = null] = readCursor(NAME, ['id'], cursor) ?? []
  const paging = {
    limit: clamp(limit, 1, HISTORY_LIMIT_MAX),
    offset: clamp(offset, 0, Number.MAX_SAFE_INTEGER),
    beforeId: beforeId === null ? null : Number(beforeId),
  }
  const query = flagStateList(place, paging)
  return replyWithList(deps, { name: NAME, query, limit: paging.limit, convert: oneByOne(toEntry) })
}

async function toEntry(item: string): Promise<string | null> {
  const { flag: stored, ...state }: StoredFlagState = JSON.parse(item)
  const flag = await readStoredFlag(stored)
  if (!flag) return null
  const entry: FlagHistoryEntry = { revision: flag.revision, ...state, flag }
  return JSON.stringify(entry)
}

/** Returns the flag at a revision of its history; undefined when the history has no such revision. */
export async function findFlagAtRevision(
  db: Kysely<Database>,
  environment_id: string,
  key: string,
  revision: number,
): Promise<Flag | undefined> {
  return readStoredFlag(await findFlagState(db, { environment_id, key }, revision))
}
