import { CLIENT_NEW_EVENT_KEYS_A_DAY, OTHER_NAME } from '@burgee/contract'
import type { Transaction } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'
import { createKnownNames } from '../ingest/known-names.ts'
import { addTakenNames, findTakenNames } from '../ingest/name-queries.ts'
import type { StoringAt } from '../ingest/report-ingest.ts'
import type { CleanGoalEvent, GoalEventBatch } from './goal-event-batch.ts'
import { findKnownEventKeys } from './queries.ts'

/** The characters of the keys that an instance remembers. */
const REMEMBERED_CHARACTERS = 1024 * 1024
/** The pool that all event keys of an environment share. */
const POOL = ''

/**
 * Creates the limit of new event keys from client keys in an environment. Keys of experiments are always
 * admitted.
 */
export function createEventKeyAdmission() {
  const known = createKnownNames({ charactersMax: REMEMBERED_CHARACTERS })
  return {
    /** Returns keys that client keys reported and that this instance has not seen stored; usually none. */
    findUnknown: (environment_id: string, batches: readonly GoalEventBatch[]): string[] => [
      ...new Set(
        batches
          .filter(({ isFromClient }) => isFromClient)
          .flatMap(({ events }) => events.map(({ event_key }) => event_key))
          .filter((event_key) => !known.has(environment_id, event_key, '')),
      ),
    ],
    /** Returns the events of the batches; those with a key that is not admitted get `OTHER_NAME`. */
    async admit(
      tx: Transaction<Database>,
      at: StoringAt,
      batches: readonly GoalEventBatch[],
      keys: readonly string[],
    ): Promise<{ events: CleanGoalEvent[]; admitted: readonly string[] }> {
      const refused = await findRefused(tx, at, keys)
      const rename = (event: CleanGoalEvent) =>
        refused.has(event.event_key) ? { ...event, event_key: OTHER_NAME } : event
      return {
        events: batches.flatMap(({ events, isFromClient }) => (isFromClient ? events.map(rename) : events)),
        admitted: keys.filter((key) => !refused.has(key)),
      }
    },
    /** Remembers admitted keys. Call it after the commit. */
    remember(environment_id: string, keys: readonly string[]): void {
      for (const key of keys) known.add(environment_id, key, '')
    },
  }
}

async function findRefused(
  tx: Transaction<Database>,
  { drawn, environment_id }: StoringAt,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  const known = await findKnownEventKeys(tx, environment_id, keys)
  const added = keys.filter((key) => key !== OTHER_NAME && !known.has(key))
  if (added.length === 0) return new Set()
  const pool = { environment_id, day: drawn.received_on, kind: 'event' } as const
  const taken = (await findTakenNames(tx, pool, [POOL])).get(POOL) ?? 0
  const room = Math.max(0, CLIENT_NEW_EVENT_KEYS_A_DAY - taken)
  const admitted = Math.min(room, added.length)
  if (admitted > 0) await addTakenNames(tx, pool, new Map([[POOL, admitted]]))
  return new Set(added.slice(room))
}
