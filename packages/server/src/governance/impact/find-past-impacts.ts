import type { PastImpact } from '@burgee/contract'
import type { Kysely } from 'kysely'
import {
  findEntryChanges,
  findPastRevision,
  listChangedKeys,
  readPastFlags,
  readPastStates,
} from '../../changes/index.ts'
import type { WireFlag } from '../../kernel/wire-flag.ts'
import { inShortTurns } from '../../platform/concurrency/turns.ts'
import type { Database } from '../../platform/db/tables.ts'
import { cutImpact } from '../../targeting/stored-impacts/index.ts'
import type { Cause } from './apply-change.ts'
import { compare } from './compare.ts'
import { countUsers } from './count-users.ts'
import { findRoots } from './read-change.ts'
import type { SeenSamples } from './seen-samples.ts'

/** A write of the past: an entry of the audit log. */
export interface PastWrite {
  readonly audit_id: number
  readonly environment_id: string
  /** Absent for a write of a flag. */
  readonly segment_key?: string | undefined
}

export interface PastImpactDeps {
  readonly db: Kysely<Database>
  readonly seenSamples: SeenSamples
  readonly seenUsersMax: number
}

const EXAMPLES = 3
/** The time for the writes of one list; the others have no impact. */
const TIME_MAX_MS = 5_000

/**
 * Computes for writes of the past, by their audit entries, who got another result: for the users who are
 * known now. Writes that SDKs did not notice, and those before the kept history, are absent.
 */
export async function findPastImpacts(
  deps: PastImpactDeps,
  writes: readonly PastWrite[],
): Promise<ReadonlyMap<number, PastImpact>> {
  const end = Date.now() + TIME_MAX_MS
  const impacts = new Map<number, PastImpact>()
  for (const environment_id of new Set(writes.map((write) => write.environment_id))) {
    const count = await createPastCounter(deps, environment_id)
    const own = writes.filter((write) => write.environment_id === environment_id)
    // From the newest to the oldest: the flags are taken back revision by revision.
    for (const write of own.toSorted((one, other) => other.audit_id - one.audit_id)) {
      const impact = Date.now() < end ? await count(write) : null
      if (impact) impacts.set(write.audit_id, impact)
    }
  }
  return impacts
}

type Flags = Map<string, WireFlag>

/** Prepares the counting of writes of one environment, from the newest to the oldest. */
async function createPastCounter({ db, seenSamples, seenUsersMax }: PastImpactDeps, environment_id: string) {
  const users = await seenSamples.read({ environment_id, days: undefined, limit: seenUsersMax })
  const past = createPastState(db, environment_id)
  return async function count({ audit_id, segment_key }: PastWrite): Promise<PastImpact | null> {
    const changes = await findEntryChanges(db, environment_id, audit_id)
    if (!changes || !(await isKept(db, environment_id, changes.first - 1))) return null
    const { first, flag_keys, last } = changes
    const own = await readFlags(db, environment_id, { keys: flag_keys, revision: last })
    const before = await past.at(first - 1)
    if (own === null || before === null) return null
    const after = new Map(before)
    for (const key of flag_keys) after.delete(key)
    for (const [key, flag] of own) after.set(key, flag)
    const cause: Cause = segment_key === undefined ? 'changed' : 'segment'
    const roots = await findRoots(new Map(flag_keys.map((key) => [key, cause])), before, after)
    const comparison = await inShortTurns(compare({ before, after, roots }))
    return await cutImpact(await countUsers(comparison, { users, seenUsersMax, examples: EXAMPLES }))
  }
}

/** Keeps the flags of one revision, and takes them back to earlier ones. */
function createPastState(db: Kysely<Database>, environment_id: string) {
  let state: { readonly revision: number; readonly flags: Flags } | null = null
  return {
    /** Returns the flags at a revision, not later than that of the call before; null where one is lost. */
    async at(revision: number): Promise<ReadonlyMap<string, WireFlag> | null> {
      const keys =
        state && (await listChangedKeys(db, environment_id, { after: revision, until: state.revision }))
      const read = await readFlags(db, environment_id, { keys, revision })
      if (read === null) return null
      const flags = new Map(state?.flags)
      for (const key of keys ?? []) flags.delete(key)
      for (const [key, flag] of read) flags.set(key, flag)
      state = { revision, flags }
      return flags
    },
  }
}

interface FlagsAt {
  /** Null for all. */
  readonly keys: readonly string[] | null
  readonly revision: number
}

/** Returns the flags of a revision; null where a part of one is not stored any more. */
async function readFlags(
  db: Kysely<Database>,
  environment_id: string,
  { keys, revision }: FlagsAt,
): Promise<Flags | null> {
  const read =
    keys === null
      ? await readPastStates(db, environment_id, { revision })
      : await readPastFlags(db, environment_id, { keys, revision })
  if (read.some(({ is_lost }) => is_lost)) return null
  return new Map(read.flatMap(({ flag, flag_key }) => (flag ? [[flag_key, flag]] : [])))
}

async function isKept(db: Kysely<Database>, environment_id: string, revision: number): Promise<boolean> {
  const found = await findPastRevision(db, environment_id, { revision })
  return found !== undefined && found.history_since !== null && revision >= found.first
}
