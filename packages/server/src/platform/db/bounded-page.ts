import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from './tables.ts'

/** A list as SQL. `rows` are those that match, after the cursor; each has its size in `bytes`. */
export interface ListQuery {
  readonly rows: RawBuilder<unknown>
  /** By columns of `rows`. */
  readonly orderBy: RawBuilder<unknown>
  /** The JSON text of an item, of columns of `rows`. Computed for the rows of the page alone. */
  readonly item: RawBuilder<string | null>
  /** A JSON list of what names the place of an item, of columns of `rows`. */
  readonly place: RawBuilder<unknown>
}

export interface PageBounds {
  /** Items; null where only bytes bound the page. */
  readonly limit: number | null
  readonly maxBytes: number
  /** 1: the first item is read however large it is. */
  readonly atLeast: 0 | 1
}

type Place = readonly (string | number)[]

export interface PageItem {
  /** JSON. */
  readonly item: string
  readonly place: Place
}

export interface Page {
  readonly items: readonly PageItem[]
  /** There are more behind the last one. */
  readonly has_more: boolean
}

/** How many bytes the first `limit` items have together, without reading them. */
export async function measureList(
  db: Kysely<Database>,
  { orderBy, rows }: ListQuery,
  limit: number | null,
): Promise<number> {
  const { rows: found } = await sql<{ bytes: number }>`
    select coalesce(sum(bytes), 0)::bigint as bytes from (
      select bytes from (${rows}) listed order by ${orderBy} limit ${limit}::int
    ) measured
  `.execute(db)
  return found[0]?.bytes ?? 0
}

/** One page of a list, in one statement. The sizes of all rows are looked at, and the texts of those alone that fit are put together. */
export async function readPage(
  db: Kysely<Database>,
  { item, orderBy, place, rows }: ListQuery,
  { atLeast, limit, maxBytes }: PageBounds,
): Promise<Page> {
  const more = limit === null ? null : limit + 1
  const { rows: items } = await sql<PageItem & { nth: number; has_more: boolean }>`
    select ${item} as item, ${place} as place, nth, has_more from (
      select listed.*, sum(bytes) over in_order as upto, row_number() over in_order as nth, lead(true, 1, false) over in_order as has_more
      from (select * from (${rows}) matching order by ${orderBy} limit ${more}::int) listed
      window in_order as (order by ${orderBy} rows unbounded preceding)
    ) page
    where (upto <= ${maxBytes}::bigint or nth <= ${atLeast}::int) and (${limit}::int is null or nth <= ${limit}::int)
  `.execute(db)
  // They come in this order; the database would sort the whole texts to be sure of it.
  items.sort((a, b) => a.nth - b.nth)
  return { items, has_more: items.at(-1)?.has_more ?? false }
}
