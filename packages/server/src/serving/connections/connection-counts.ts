import type { Kysely } from 'kysely'
import type { Database } from '../../platform/db/tables.ts'
import { countKeyStreams } from './count-key-streams.ts'
import { findConnections } from './find-connections.ts'
import { createKeyStreamCounts, type KeyStreamCounts } from './key-stream-counts.ts'
import { createStreamCounts, type StreamCounts } from './stream-counts.ts'

interface CountDeps {
  readonly db: Kysely<Database>
  readonly clock: { now(): Date }
  readonly instance_id: string
}

/** The open streams of this instance, counted, and what it takes to read those of the others. */
export interface ConnectionCounts extends Pick<CountDeps, 'db' | 'instance_id'> {
  readonly counts: StreamCounts
  readonly keyCounts: KeyStreamCounts
}

export const createConnectionCounts = ({ clock, db, instance_id }: CountDeps): ConnectionCounts => ({
  db,
  instance_id,
  counts: createStreamCounts({ now: () => clock.now().toISOString() }),
  keyCounts: createKeyStreamCounts(),
})

/** Returns the readers of the counts over all instances. */
export const readCounts = (counts: ConnectionCounts) => ({
  findConnections: (environment_id: string) => findConnections(counts, environment_id),
  countStreams: (keyIds: readonly number[]) => countKeyStreams(counts, keyIds),
})
