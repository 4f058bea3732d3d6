import type { Impression, ImpressionPage } from '@burgee/contract'
import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'
import {
  countByArrival,
  countMatching,
  type DayTotal,
  findLastId,
  findLatestArrival,
  type ImpressionFilter,
  listAfter,
  listDeletedFlags,
  listNewest,
} from './impression-list-queries.ts'

interface Paging {
  readonly limit: number
  readonly offset: number
  /** Only impressions with a greater id, in the order of ids; the offset is then ignored. */
  readonly since_id: number | null
}

/**
 * Lists single impressions, newest first, or after an id. `total` counts all that match the filter: from the
 * rollup, except for one user, whose rows must be counted.
 */
export async function listImpressions(
  db: Kysely<Database>,
  filter: ImpressionFilter,
  paging: Paging,
): Promise<ImpressionPage> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((tx) => listAtOnce(tx, filter, paging))
}

/** Counts and reads consistently: rows that arrive in between would move others off their page. */
async function listAtOnce(
  tx: Transaction<Database>,
  requested: ImpressionFilter,
  { limit, offset, since_id }: Paging,
): Promise<ImpressionPage> {
  const filter = { ...requested, deleted: await listDeletedFlags(tx, requested.environment_id) }
  const days = filter.user_id === undefined ? await countByArrival(tx, filter) : null
  const total = days === null ? await countMatching(tx, filter) : sumOf(days)
  if (total === 0) return { items: [], total }
  const last_id = await findLastId(tx, filter)
  if (since_id !== null) return { items: await poll(tx, filter, { limit, since_id, last_id }), total }
  const page = { limit, offset, last_id }
  if (days === null) return { items: await listNewest(tx, filter, { ...page, day: null }), total }
  return { items: await listByDay(tx, filter, days, page), total }
}

const sumOf = (days: readonly DayTotal[]): number =>
  days.reduce((sum, { impressions }) => sum + impressions, 0)

/**
 * Reads new impressions. A client that polls has seen nearly everything: the rest arrived on the latest day,
 * and usually there is nothing.
 */
async function poll(
  db: Transaction<Database>,
  filter: ImpressionFilter,
  page: { readonly limit: number; readonly since_id: number; readonly last_id: number | null },
): Promise<Impression[]> {
  if (page.last_id !== null && page.since_id >= page.last_id) return []
  const latest = await findLatestArrival(db, filter.environment_id)
  if (latest === null || page.since_id >= latest.last_id) return []
  const isOfLatestDay = page.since_id >= latest.day_first_id - 1 && latest.received_on > filter.receivedFrom
  return listAfter(db, isOfLatestDay ? { ...filter, receivedFrom: latest.received_on } : filter, page)
}

/**
 * Reads day by day, because ids grow with the days of arrival: skipped days are not read, and of the others
 * only as many rows as are needed.
 */
async function listByDay(
  db: Transaction<Database>,
  filter: ImpressionFilter,
  days: readonly DayTotal[],
  { last_id, limit, offset }: Omit<Paging, 'since_id'> & { readonly last_id: number | null },
): Promise<Impression[]> {
  const items: Impression[] = []
  let toSkip = offset
  for (const { impressions, received_on } of days) {
    if (toSkip >= impressions) {
      toSkip -= impressions
      continue
    }
    // Reads only up to the last available row, and not the whole day.
    const wanted = Math.min(limit - items.length, impressions - toSkip)
    const page = { day: received_on, last_id, limit: wanted, offset: toSkip }
    items.push(...(await listNewest(db, filter, page)))
    toSkip = 0
    if (items.length === limit) break
  }
  return items
}
