import { type CrashRun, crashRepeatedly } from '../../harness/crash-repeatedly.ts'
import type { Stage } from '../../harness/open-stage.ts'
import { findEmbeddedPostgres } from '../../harness/start-postgres.ts'
import { countWrongValues } from '../assess/count-wrong-values.ts'
import { findLostWrites } from '../assess/find-lost-writes.ts'
import { inThousands, percentile } from '../assess/percentile.ts'
import { countOf } from '../count-of.ts'
import type { Fault } from '../fault.ts'
import { createSharedDatabase } from '../shared-postgres.ts'

const KILLS = { short: 1, full: 1_000 }
/**
 * The number of acknowledged writes, after every SDK has reconnected, within which a kill falls, so that a
 * thousand fit into minutes.
 */
const WRITES_BEFORE_KILL = 60
const OBSERVERS = 1

export const fault: Fault = {
  group: 'crashes',
  title: 'SIGKILL of the server with attempts to write 200 times a second',
  promise:
    'No acknowledged write is lost, and none is stored in part. No SDK returns a value that was never stored, or an older one.',
  async run(stage, scale) {
    const kills = countOf(scale, KILLS)
    // The short form leaves the embedded database to e2e/crash.full.test.ts.
    const embedded = scale === 'full' ? Math.floor(kills / 2) : 0
    const runs = await Promise.all([
      killOnExternal(kills - embedded, stage),
      ...(embedded > 0 ? [killOnEmbedded(embedded, stage)] : []),
    ])
    const rates = runs.map((run) => run.sentPerSecond).join(' and ')
    const restarts = runs.flatMap((run) => run.restartsMs)
    const acknowledged = runs.reduce((sum, run) => sum + run.acknowledged.length, 0)
    const found = runs.map((run) => ({
      ...findLostWrites(run.acknowledged, run.stored),
      wrong: countWrongValues(run.observers, run.stored),
    }))
    const total = (field: 'lost' | 'torn' | 'wrong') => found.reduce((sum, one) => sum + one[field], 0)
    const evaluations = runs.flatMap((run) => run.observers).reduce((sum, one) => sum + one.evaluations, 0)
    const broken: string[] = []
    if (total('lost') > 0) broken.push(`${total('lost')} acknowledged writes were lost.`)
    if (total('torn') > 0) broken.push(`${total('torn')} writes were stored in part.`)
    if (total('wrong') > 0) broken.push(`SDKs returned ${total('wrong')} wrong values.`)
    return {
      times: `${inThousands(kills)} kills${embedded > 0 ? ', half on each kind of database' : ''}`,
      seen:
        `${total('lost')} lost and ${total('torn')} stored in part of ${inThousands(acknowledged)} writes, ${rates} a second; ${total('wrong')} wrong values in ` +
        `${inThousands(evaluations)} evaluations; listening again after ${percentile(restarts, 0.5)} ms (median), ` +
        `${percentile(restarts, 0.99)} ms (p99)`,
      broken,
    }
  },
}

async function killOnEmbedded(kills: number, stage: Stage): Promise<CrashRun> {
  const dataDir = stage.folder('data')
  return crashRepeatedly(stage, {
    kills,
    options: { dataDir },
    databaseUrl: async () => (await findEmbeddedPostgres(dataDir)).url,
    observerCount: OBSERVERS,
    writesBeforeKill: WRITES_BEFORE_KILL,
  })
}

async function killOnExternal(kills: number, stage: Stage): Promise<CrashRun> {
  const databaseUrl = await createSharedDatabase()
  return crashRepeatedly(stage, {
    kills,
    options: { databaseUrl },
    databaseUrl: async () => databaseUrl,
    observerCount: OBSERVERS,
    writesBeforeKill: WRITES_BEFORE_KILL,
  })
}
