import { createFlagSet, type FlagSet } from '@burgee/evaluation'
import type { Kysely } from 'kysely'
import {
  type FlagMoment,
  findEntryAuthors,
  findNextChanges,
  findPastRevision,
  type PastFlag,
  readPastFlags,
} from '../../changes/index.ts'
import { invalid, notFound } from '../../kernel/refusal.ts'
import type { Database } from '../../platform/db/tables.ts'
import { inTurns } from '../../platform/turns.ts'
import type { MomentFlags, PastChange, PastDetails } from './moment-flags.ts'

export type AskedPast =
  /** `path` is the JSON pointer to the field of the body that has the time. */
  { readonly at: string; readonly path: '/at' | '/from' } | { readonly revision: number }

/** The depth to which prerequisites are evaluated. */
const PREREQUISITE_LEVELS = 10
/** The time in which clients receive a change. */
const DELIVERY_MS = 5_000

/**
 * Loads the flags of a past moment, and what they require. Refuses with `invalid` for a moment that is not
 * known exactly.
 */
export async function loadPast(
  db: Kysely<Database>,
  environment_id: string,
  asked: AskedPast,
  keys: readonly string[] | null,
): Promise<MomentFlags & { readonly flags: FlagSet }> {
  const found = await findPastRevision(db, environment_id, asked)
  if (!found) throw notFound('environment')
  if (found.revision > found.present)
    throw refused(asked, `does not exist yet: the present revision is ${found.present}. Give it, or none`)
  const states = await readStates(db, environment_id, { keys, revision: found.revision })
  // Afterwards: what was pruned meanwhile lies before the new horizon.
  await requireKnown(db, environment_id, asked)
  const lost = [...states.values()].find(({ is_lost }) => is_lost)
  if (lost)
    throw refused(asked, `is not kept: a part of the flag "${lost.flag_key}" was dropped with the audit log`)
  const flags = createFlagSet()
  await inTurns(compile(flags, states))
  const active = [...states.values()].filter(({ flag }) => flag !== null).map(({ flag_key }) => flag_key)
  const sorted = active.sort((one, other) => (one < other ? -1 : 1))
  const past = await readDetails(db, environment_id, { ...found, asked, keys, states })
  return { environment_id, revision: found.revision, flags, keys: () => sorted, past }
}

const refused = (asked: AskedPast, message: string) =>
  invalid([{ path: 'at' in asked ? asked.path : '/revision', message }])

async function requireKnown(db: Kysely<Database>, environment_id: string, asked: AskedPast): Promise<void> {
  const found = await findPastRevision(db, environment_id, asked)
  if (!found) throw notFound('environment')
  const { first, history_since, revision } = found
  if (history_since === null)
    throw refused(asked, 'is not known yet: the server is storing the flags after an upgrade. Try again soon')
  if ('at' in asked && Date.parse(asked.at) < Date.parse(history_since))
    throw refused(asked, `is too long ago: what is known begins at ${history_since}`)
  if ('revision' in asked && revision < first)
    throw refused(asked, `is not kept: the oldest known revision is ${first}`)
}

type States = Map<string, PastFlag>

/** Reads the flags, and those that they require, level by level. */
async function readStates(
  db: Kysely<Database>,
  environment_id: string,
  { keys, revision }: { readonly keys: readonly string[] | null; readonly revision: number },
): Promise<States> {
  const states: States = new Map()
  let wanted = keys && [...new Set(keys)]
  for (let level = 0; level <= PREREQUISITE_LEVELS; level += 1) {
    const read = await readPastFlags(db, environment_id, { keys: wanted, revision })
    for (const state of read) states.set(state.flag_key, state)
    if (wanted === null) break
    const required = read.flatMap(({ flag }) => (flag?.prerequisites ?? []).map(({ flag_key }) => flag_key))
    wanted = [...new Set(required)].filter((key) => !states.has(key))
    if (wanted.length === 0) break
  }
  return states
}

function* compile(flags: ReturnType<typeof createFlagSet>, states: States): Generator<void, void> {
  for (const { flag } of states.values()) {
    if (flag) flags.upsert(flag)
    yield
  }
}

interface DetailsOf {
  readonly revision: number
  readonly changed_at: string | null
  readonly asked: AskedPast
  readonly keys: readonly string[] | null
  readonly states: States
}

async function readDetails(
  db: Kysely<Database>,
  environment_id: string,
  { asked, changed_at, keys, revision, states }: DetailsOf,
): Promise<PastDetails> {
  const wanted = [...new Set(keys ?? states.keys())]
  const ids = wanted.flatMap((key) => states.get(key)?.audit_id ?? [])
  const authors = await findEntryAuthors(db, ids)
  const rows = await findNextChanges(db, environment_id, { keys: wanted, revision })
  const next = new Map(rows.map((row) => [row.flag_key, toNext(row)]))
  return {
    notice: noticeOf(asked, changed_at),
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

function noticeOf(asked: AskedPast, changed_at: string | null): string | null {
  if (!('at' in asked) || changed_at === null) return null
  const ms = Date.parse(asked.at) - Date.parse(changed_at)
  if (ms < 0 || ms > DELIVERY_MS) return null
  return `The environment changed ${ms / 1000} s before: clients were receiving it, and some had the flags of before.`
}
