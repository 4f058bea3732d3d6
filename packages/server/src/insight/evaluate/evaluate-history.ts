import {
  EVALUATE_HISTORY_CHANGES_MAX,
  type EvaluateHistoryInput,
  type EvaluateHistoryResult,
} from '@burgee/contract'
import type { Attributes } from '@burgee/evaluation'
import type { Kysely } from 'kysely'
import { findPastRevision, readPastChanges } from '../../changes/index.ts'
import { toInstant } from '../../kernel/instant.ts'
import { invalid, notFound } from '../../kernel/refusal.ts'
import type { Clock } from '../../platform/clock.ts'
import { inTurns } from '../../platform/concurrency/turns.ts'
import type { Database } from '../../platform/db/tables.ts'
import { loadPastFlags } from './past-moment.ts'
import { createReplay } from './replay.ts'

interface HistoryDeps {
  readonly db: Kysely<Database>
  readonly clock: Pick<Clock, 'monotonicMs' | 'now'>
}

/** The changes that are read at once, and the values and the time of one request. */
const PAGE = 500
const VALUES_MAX = 10_000
const TIME_MAX_MS = 10_000

/**
 * Returns the values that a user got in a window, of the flags whose value moved
 * (docs/trust.md#at-a-past-moment). Refuses with `invalid` a window that is not known, or too large.
 */
export async function evaluateHistory(
  { clock, db }: HistoryDeps,
  environment_id: string,
  { attributes = {}, flag_keys, from: given, to, user_key = null }: EvaluateHistoryInput,
): Promise<EvaluateHistoryResult> {
  const from = toInstant(given)
  const until = await findEnd(db, environment_id, { from, now: clock.now(), to })
  const start = await loadPastFlags(db, environment_id, { at: from, path: '/from' })
  if (until - start.revision > EVALUATE_HISTORY_CHANGES_MAX)
    throw tooLarge(`has ${until - start.revision} changes; at most ${EVALUATE_HISTORY_CHANGES_MAX}`)
  const replay = createReplay(
    { ...start, from },
    {
      userKey: user_key,
      // Whatever JSON has is read as SDKs read it.
      attributes: attributes as Attributes,
      keys: flag_keys ? new Set(flag_keys) : null,
    },
  )
  const end = clock.monotonicMs() + TIME_MAX_MS
  await inTurns(replay.begin())
  for (let revision = start.revision; revision < until; ) {
    const changes = await readPastChanges(db, environment_id, { after: revision, until, limit: PAGE })
    if (changes.length === 0) break
    for (const change of changes) {
      if (change.kind === 'upsert' && change.flag === null) throw lost(change.flag_key)
      await inTurns(replay.apply(change))
    }
    revision = changes.at(-1)?.revision ?? until
    if (replay.count() > VALUES_MAX) throw tooLarge(`has more than ${VALUES_MAX} values`)
    if (clock.monotonicMs() > end) throw tooLarge('takes too long')
  }
  const flags = replay.result()
  return { environment_id, from_revision: start.revision, to_revision: until, flags }
}

async function findEnd(
  db: Kysely<Database>,
  environment_id: string,
  { from, now, to }: { readonly from: string; readonly now: Date; readonly to: string | undefined },
): Promise<number> {
  const at = to === undefined ? now.toISOString() : toInstant(to)
  if (Date.parse(from) > now.getTime())
    throw invalid([{ path: '/from', message: 'is in the future: give a past moment' }])
  if (Date.parse(at) < Date.parse(from))
    throw invalid([{ path: '/to', message: 'is before the beginning of the window' }])
  const found = await findPastRevision(db, environment_id, { at })
  if (!found) throw notFound('environment')
  return found.revision
}

const lost = (flag_key: string) =>
  invalid([
    {
      path: '/from',
      message: `is not kept: a part of the flag "${flag_key}" was dropped with the audit log; begin later`,
    },
  ])

const tooLarge = (message: string) =>
  invalid([{ path: '/from', message: `${message}: begin later, or name fewer flags` }])
