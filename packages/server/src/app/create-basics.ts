import { randomUUID } from 'node:crypto'
import { type Basics, createAccessChanges, createChangefeed, measureChangefeed } from '../changes/index.ts'
import { createBus } from '../platform/bus/create-bus.ts'
import type { Clock } from '../platform/clock.ts'
import { createAnalyses } from '../platform/concurrency/analyses.ts'
import {
  createResponseBudget,
  measureResponseMemory,
  responseMemory,
} from '../platform/concurrency/response-budget.ts'
import { openDataKey } from '../platform/crypto/data-key.ts'
import type { MigratedDatabase } from '../platform/db/open-database.ts'
import type { Log } from '../platform/log/log.ts'
import { createMetrics } from '../platform/metrics/metrics.ts'
import type { Config } from '../platform/settings/config.ts'

export interface BasicsDeps {
  readonly clock: Clock
  readonly log: Log
  readonly database: MigratedDatabase
  readonly sessionSecrets: readonly string[]
}

/** Creates the parts that every domain is composed with. */
export async function createBasics(
  { environmentQuotaBytes: quotaBytes, metrics_token, redisUrl }: Config,
  { clock, database, log, sessionSecrets }: BasicsDeps,
): Promise<Basics> {
  const { connection, db, pool } = database
  const metrics = await createMetrics({ isServed: metrics_token !== null })
  const bus = await createBus({ log, pool }, { redisUrl, connection })
  const changefeed = createChangefeed({ db, bus, clock, log })
  measureChangefeed(metrics, clock, changefeed)
  const accessChanges = createAccessChanges(changefeed)
  const budget = createResponseBudget({ clock }, { maxBytes: responseMemory() })
  measureResponseMemory(metrics, budget)
  return {
    db,
    bus,
    clock,
    log,
    newId: randomUUID,
    metrics,
    database,
    changefeed,
    accessChanges,
    onAccessChanged: accessChanges.made,
    quotaBytes,
    data_key: await openDataKey({ db }, sessionSecrets),
    sessionSecrets,
    instance_id: randomUUID(),
    lists: { db, budget },
    analyses: createAnalyses(),
  }
}
