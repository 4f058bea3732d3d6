import type { TypedFlag } from '@burgee/contract'
import type { Kysely } from 'kysely'
import { shareTurn } from '../../platform/concurrency/turns.ts'
import { readPage } from '../../platform/db/bounded-page.ts'
import type { Database } from '../../platform/db/tables.ts'
import { typedFlagList } from './typed-flag-queries.ts'

/** The bounds of a page, which is in memory as a whole. */
const PAGE = { limit: 1_000, maxBytes: 2 * 1024 * 1024, atLeast: 1 } as const

/**
 * Reads the flags of an environment in the order of their keys, one page after another. Each flag is as it
 * was when its page was read.
 */
export async function* readTypedFlags(
  db: Kysely<Database>,
  environment_id: string,
): AsyncGenerator<TypedFlag> {
  let after: string | null = null
  for (;;) {
    const { has_more, items } = await readPage(db, typedFlagList(environment_id, after), PAGE)
    for (const { item, place } of items) {
      await shareTurn()
      // Stored flags were checked when they were written.
      yield JSON.parse(item) as TypedFlag
      after = String(place[0])
    }
    if (!has_more) return
  }
}
