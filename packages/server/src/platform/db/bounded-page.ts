import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from './tables.ts'

/** A list as SQL. `rows` are the matching rows after the cursor, each with its size in `bytes`. */
export interface ListQuery {
  readonly rows: RawBuilder<unknown>
  /** The order, by columns of `rows`. */
  readonly orderBy: RawBuilder<unknown>
  /** The JSON text of an item, from columns of `rows`. It is computed only for the rows of the page. */
  readonly item: RawBuilder<string | null>
  /** The position of an item as a JSON list, from columns of `rows`. */
  readonly place: RawBuilder<unknown>
}

export interface PageBounds {
  /** The number of items; null when only bytes bound the page. */
  readonly limit: number | null
  readonly maxBytes: number
  /** 1 reads the first item, whatever its size. */
  readonly atLeast: 0 | 1
}

type Place = readonly (string | number)[]

export interface PageItem {
  /** The item as JSON text. */
  readonly item: string
  readonly place: Place
}

export interface Page {
  readonly items: readonly PageItem[]
  /** True when more items follow the last one. */
  readonly has_more: boolean
}

/** Returns the total bytes of the first `limit` items without reading them. */
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

/**
 * Reads one page of a list in one statement. It looks at the sizes of all rows and builds the texts only of
 * those that fit.
 */
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
  // Sorted here: the database would sort the whole texts.
  items.sort((a, b) => a.nth - b.nth)
  return { items, has_more: items.at(-1)?.has_more ?? false }
}
