import type { Kysely } from 'kysely'
import { findPastRevision, type PastRevision } from '../../changes/index.ts'
import { invalid, notFound, type Refusal } from '../../kernel/refusal.ts'
import type { Database } from '../../platform/db/tables.ts'

/** A past moment: a time, ISO 8601 in UTC, or a revision. */
export type AskedPast =
  /** `path` is the JSON pointer to the field of the body that has the time. */
  { readonly at: string; readonly path: '/at' | '/from' } | { readonly revision: number }

/** The time in which clients receive a change. */
const DELIVERY_MS = 5_000

/** Finds the revision of a moment. Refuses with `invalid` for one that does not exist yet. */
export async function findAskedPast(
  db: Kysely<Database>,
  environment_id: string,
  asked: AskedPast,
): Promise<PastRevision> {
  const found = await findPastRevision(db, environment_id, asked)
  if (!found) throw notFound('environment')
  if (found.revision > found.present)
    throw refuseMoment(
      asked,
      `does not exist yet: the present revision is ${found.present}. Give it, or none`,
    )
  return found
}

/**
 * Refuses with `invalid` a moment that is not known exactly. Call it after the states were read: what was
 * pruned meanwhile lies before the new horizon.
 */
export async function requireKnown(
  db: Kysely<Database>,
  environment_id: string,
  asked: AskedPast,
): Promise<void> {
  const found = await findPastRevision(db, environment_id, asked)
  if (!found) throw notFound('environment')
  const { first, history_since, revision } = found
  if (history_since === null)
    throw refuseMoment(
      asked,
      'is not known yet: the server is storing the flags after an upgrade. Try again soon',
    )
  if ('at' in asked && Date.parse(asked.at) < Date.parse(history_since))
    throw refuseMoment(asked, `is too long ago: what is known begins at ${history_since}`)
  if ('revision' in asked && revision < first)
    throw refuseMoment(asked, `is not kept: the oldest known revision is ${first}`)
}

/** Refuses with `invalid` a moment at which a part of a flag is not stored any more. */
export function requireWhole(
  asked: AskedPast,
  states: Iterable<{ readonly flag_key: string; readonly is_lost: boolean }>,
): void {
  for (const { flag_key, is_lost } of states) {
    if (is_lost)
      throw refuseMoment(
        asked,
        `is not kept: a part of the flag "${flag_key}" was dropped with the audit log`,
      )
  }
}

const refuseMoment = (asked: AskedPast, message: string): Refusal =>
  invalid([{ path: 'at' in asked ? asked.path : '/revision', message }])

/** Returns a text for a moment at which clients were receiving a change; null for others. */
export function noticeOf(asked: AskedPast, changed_at: string | null): string | null {
  if (!('at' in asked) || changed_at === null) return null
  const ms = Date.parse(asked.at) - Date.parse(changed_at)
  if (ms < 0 || ms > DELIVERY_MS) return null
  return `The environment changed ${ms} ms before: clients were receiving it, and some had the flags of before.`
}
