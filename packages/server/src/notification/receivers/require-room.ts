import { INTEGRATIONS_MAX, WEBHOOKS_MAX } from '@burgee/contract'
import type { Transaction } from 'kysely'
import { conflict } from '../../kernel/refusal.ts'
import type { Database } from '../../platform/db/tables.ts'
import { countReceivers } from './count-queries.ts'

const KINDS = {
  webhooks: { max: WEBHOOKS_MAX, words: 'webhooks' },
  integrations: { max: INTEGRATIONS_MAX, words: 'chat integrations' },
} as const

/**
 * Refuses with `conflict` when the environment has as many receivers of the kind as it may have. Concurrent
 * creations in one environment wait for each other. Receivers beyond the limit that are stored already stay.
 */
export async function requireRoom(
  tx: Transaction<Database>,
  table: keyof typeof KINDS,
  environment_id: string,
): Promise<void> {
  const { max, words } = KINDS[table]
  if ((await countReceivers(tx, table, environment_id)) >= max)
    throw conflict(
      `The environment has ${max} ${words} already. Delete one that is not needed, or let one receiver pass events on.`,
    )
}
