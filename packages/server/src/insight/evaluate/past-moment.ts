import { createFlagSet, type FlagSet } from '@burgee/evaluation'
import type { Kysely } from 'kysely'
import {
  type FlagMoment,
  findEntryAuthors,
  findNextChanges,
  type PastFlag,
  readPastFlags,
  readPastStates,
} from '../../changes/index.ts'
import { inTurns } from '../../platform/concurrency/turns.ts'
import type { Database } from '../../platform/db/tables.ts'
import { type AskedPast, findAskedPast, noticeOf, requireKnown, requireWhole } from './asked-past.ts'
import type { MomentFlags, PastChange, PastDetails } from './moment-flags.ts'

/** The depth to which prerequisites are evaluated. */
const PREREQUISITE_LEVELS = 10

/** The compiled flags of a past moment. */
interface PastFlags {
  readonly revision: number
  readonly flags: FlagSet
  /** The keys of the flags that were not deleted or archived, in code unit order. */
  readonly keys: readonly string[]
}

/**
 * Loads named flags of a past moment, and what they require. Refuses with `invalid` for a moment that is not
 * known exactly.
 */
export async function loadPastNamed(
  db: Kysely<Database>,
  environment_id: string,
  asked: AskedPast,
  named: readonly string[],
): Promise<MomentFlags> {
  const found = await findAskedPast(db, environment_id, asked)
  const states = await readStates(db, environment_id, { named, revision: found.revision })
  const { flags, keys } = await compileKnown(db, environment_id, asked, [...states.values()])
  const past = await readDetails(db, environment_id, { ...found, asked, named, states })
  return { environment_id, revision: found.revision, flags, keys: () => keys, past }
}

/** Loads all flags of a past moment into a set of their own. Refuses as `loadPastNamed` does. */
export async function loadPastFlags(
  db: Kysely<Database>,
  environment_id: string,
  asked: AskedPast,
): Promise<PastFlags> {
  const { revision } = await findAskedPast(db, environment_id, asked)
  const states = await readPastStates(db, environment_id, { revision })
  return { revision, ...(await compileKnown(db, environment_id, asked, states)) }
}

type Compiled = Pick<PastFlag, 'flag' | 'flag_key' | 'is_lost'>

async function compileKnown(
  db: Kysely<Database>,
  environment_id: string,
  asked: AskedPast,
  states: readonly Compiled[],
): Promise<Omit<PastFlags, 'revision'>> {
  await requireKnown(db, environment_id, asked)
  requireWhole(asked, states)
  const flags = createFlagSet()
  await inTurns(compile(flags, states))
  const active = states.filter(({ flag }) => flag !== null).map(({ flag_key }) => flag_key)
  return { flags, keys: active.sort((one, other) => (one < other ? -1 : 1)) }
}

type States = Map<string, PastFlag>

/** Reads the flags, and those that they require, level by level. */
async function readStates(
  db: Kysely<Database>,
  environment_id: string,
  { named, revision }: { readonly named: readonly string[]; readonly revision: number },
): Promise<States> {
  const states: States = new Map()
  let wanted: readonly string[] = [...new Set(named)]
  for (let level = 0; level <= PREREQUISITE_LEVELS; level += 1) {
    const read = await readPastFlags(db, environment_id, { keys: wanted, revision })
    for (const state of read) states.set(state.flag_key, state)
    const required = read.flatMap(({ flag }) => (flag?.prerequisites ?? []).map(({ flag_key }) => flag_key))
    wanted = [...new Set(required)].filter((key) => !states.has(key))
    if (wanted.length === 0) break
  }
  return states
}

function* compile(flags: FlagSet, states: readonly Compiled[]): Generator<void, void> {
  for (const { flag } of states) {
    if (flag) flags.upsert(flag)
    yield
  }
}

interface DetailsOf {
  readonly revision: number
  readonly changed_at: string | null
  readonly asked: AskedPast
  readonly named: readonly string[]
  readonly states: States
}

async function readDetails(
  db: Kysely<Database>,
  environment_id: string,
  { asked, changed_at, named, revision, states }: DetailsOf,
): Promise<PastDetails> {
  const wanted = [...new Set(named)]
  const ids = wanted.flatMap((key) => states.get(key)?.audit_id ?? [])
  const authors = await findEntryAuthors(db, ids)
  const rows = await findNextChanges(db, environment_id, { keys: wanted, revision })
  const next = new Map(rows.map((row) => [row.flag_key, toNext(row)]))
  return {
    notice: noticeOf(asked, changed_at),
    textBytes: 0,
    ofFlag(key) {
      const state = states.get(key)
      const next_change = next.get(key)
      const author = state?.audit_id ? authors.get(state.audit_id) : undefined
      return {
        ...(state && { changed: toChange(state, author) }),
        ...(next_change && { next_change }),
      }
    },
  }
}

const toChange = (
  { audit_id, created_at, revision }: PastFlag,
  author: { readonly actor_email: string; readonly action: string } | undefined,
): PastChange => ({
  ...{ revision, at: created_at, audit_id },
  actor_email: author?.actor_email ?? null,
  action: author?.action ?? null,
})

const toNext = ({ action, actor_email, audit_id, created_at, revision }: FlagMoment): PastChange => ({
  ...{ revision, at: created_at, audit_id, actor_email, action },
})
