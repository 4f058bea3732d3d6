import { type Flag, type FlagHistoryEntry, HISTORY_LIMIT_MAX } from '@burgee/contract'
import type { Kysely } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'
import { findFlagState, listFlagStates } from './reading/queries.ts'
import { readStoredFlag } from './stored-flag.ts'

export interface FlagHistoryInput {
  readonly environment_id: string
  readonly key: string
  /** Clamped, as every paging parameter is (contract, section 3). */
  readonly limit?: number
  readonly offset?: number
}

/**
 * The flag as each of its changes left it, newest first, from the audit log. Earlier lives of a key that was deleted and created
 * anew are part of it.
 */
export async function readFlagHistory(
  db: Kysely<Database>,
  { environment_id, key, limit = HISTORY_LIMIT_MAX, offset = 0 }: FlagHistoryInput,
): Promise<FlagHistoryEntry[]> {
  const states = await listFlagStates(db, environment_id, key, {
    limit: clamp(limit, 1, HISTORY_LIMIT_MAX),
    offset: clamp(offset, 0, Number.MAX_SAFE_INTEGER),
  })
  const entries = await Promise.all(
    states.map(async ({ flag: stored, ...entry }) => {
      const flag = await readStoredFlag(stored)
      return flag && { revision: flag.revision, ...entry, flag }
    }),
  )
  return entries.filter((entry) => entry !== undefined)
}

/** The flag as it was at a revision of its history; undefined where the history has none such. */
export async function findFlagAtRevision(
  db: Kysely<Database>,
  environment_id: string,
  key: string,
  revision: number,
): Promise<Flag | undefined> {
  const state = await findFlagState(db, environment_id, key, revision)
  return state && readStoredFlag(state.flag)
}

const clamp = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most)
