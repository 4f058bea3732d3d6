import { copyFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { connectDatabase } from '../../../packages/server/src/platform/db/connect.ts'
import { migrate } from '../../../packages/server/src/platform/db/migrate.ts'
import { packageFile } from '../../../packages/server/src/platform/package-file.ts'
import { silentLog } from '../../../packages/server/test/harness/silent-log.ts'
import { callApi, putFlag, signIn } from '../../harness/call-api.ts'
import { startPostgres } from '../../harness/start-postgres.ts'
import { startServer } from '../../harness/start-server.ts'
import {
  countRefused,
  findFailures,
  type LoadAnswer,
  slowestMs,
  startSteadyLoad,
} from '../../harness/steady-load.ts'
import { watchLockWaits } from '../../harness/watch-lock-waits.ts'
import { inThousands } from '../assess/percentile.ts'
import { countOf } from '../count-of.ts'
import type { Fault, FaultScale } from '../fault.ts'

const MIGRATIONS = { short: 3, full: 7 }
/** The time for which a session reads the tables, as a backup does. */
const READER_MS = { short: 3_000, full: 12_000 }
const CALM_MS = { short: 1_000, full: 10_000 }
const PAUSE_MS = 500
/** Two of three requests read. */
const REQUESTS_PER_SECOND = 90
const FLAGS = 20
const REQUEST_MAX_MS = 2_000
const CALM_MAX_MS = 500

export const fault: Fault = {
  group: 'dependencies',
  title:
    'A newer server migrates the tables of sessions, users, flags, environments and the audit log while this one serves 30 writes and 60 reads a second, also while a session reads them for 12 s',
  promise:
    'Every migration ends without an error. Every request is answered within 2 s, and the only 5xx status is 503, with Retry-After.',
  async run(stage, scale) {
    const postgres = await startPostgres()
    const databaseUrl = await postgres.createDatabase()
    const server = await startServer(stage, { databaseUrl })
    const load = await startLoad(server.url)
    const waits = watchLockWaits(databaseUrl)
    const made = await makeMigrations()
    await delay(CALM_MS[scale])
    const calm = load.take()
    const rounds = countOf(scale, MIGRATIONS)
    const broken: string[] = []
    for (let round = 0; round < rounds; round += 1) {
      await made
        .run(databaseUrl, round)
        .catch((error: unknown) => broken.push(`Migration ${round}: ${error}`))
      await delay(PAUSE_MS)
    }
    const alone = load.take()
    await whileRead(databaseUrl, READER_MS[scale], () => made.run(databaseUrl, rounds)).catch(
      (error: unknown) => broken.push(`The migration behind a reader: ${error}`),
    )
    await delay(PAUSE_MS)
    await load.stop()
    const behind = load.take()
    const waitMs = await waits.stop()
    await server.stop()
    await made.remove()
    await postgres.close()
    broken.push(...assess({ calm, loaded: [...alone, ...behind], scale, waitMs }))
    return {
      times: `${rounds} migrations, 1 behind a reader of ${READER_MS[scale] / 1_000} s`,
      seen: `${describe('before', calm)}; ${describe('meanwhile', alone)}; ${describe('behind the reader', behind)}; longest wait for a lock ${inThousands(waitMs)} ms`,
      broken,
    }
  },
}

interface Observed {
  readonly calm: readonly LoadAnswer[]
  readonly loaded: readonly LoadAnswer[]
  readonly scale: FaultScale
  readonly waitMs: number
}

/** The time of requests counts where the machine serves them quickly without a migration. */
function assess({ calm, loaded, scale, waitMs }: Observed): readonly string[] {
  const broken = [...findFailures(loaded)]
  if (waitMs > REQUEST_MAX_MS) broken.push(`A request waited ${inThousands(waitMs)} ms for a lock.`)
  const slowest = slowestMs(loaded)
  if (scale === 'full' && slowestMs(calm) <= CALM_MAX_MS && slowest > REQUEST_MAX_MS)
    broken.push(`A request took ${inThousands(slowest)} ms.`)
  return broken
}

const describe = (when: string, answers: readonly LoadAnswer[]): string =>
  `${when} ${inThousands(answers.length)} requests, slowest ${inThousands(slowestMs(answers))} ms, ${countRefused(answers)} times 503`

/** One write and two reads in turn, of different tables, with the session of the administrator. */
async function startLoad(url: string) {
  const headers = await signIn(url)
  const { body: projects } = await callApi(url, 'GET', '/api/projects', undefined, headers)
  const environments = `/api/projects/${projects[0].id}/environments`
  const { body } = await callApi(url, 'GET', environments, undefined, headers)
  const flags = `/api/environments/${body[0].id}/flags`
  for (let index = 0; index < FLAGS; index += 1)
    await putFlag(url, body[0].id, { key: `flag-${index}`, flag_type: 'integer', default_value: 0 }, headers)
  const reads = [
    flags,
    environments,
    '/api/users',
    `/api/environments/${body[0].id}/audit`,
    `${flags}/flag-0`,
  ]
  return startSteadyLoad(url, REQUESTS_PER_SECOND, (count) => {
    if (count % 3 > 0) return { method: 'GET', path: reads[count % reads.length] ?? flags, headers }
    const path = `${flags}/flag-${(count / 3) % FLAGS}`
    return { method: 'PATCH', path, body: { default_value: count }, headers }
  })
}

/** A folder with the migrations of this build and made ones, which change tables that every request needs. */
async function makeMigrations() {
  const folder = await mkdtemp(join(tmpdir(), 'burgee-next-'))
  const known = packageFile('migrations')
  for (const file of await readdir(known)) await copyFile(join(known, file), join(folder, file))
  return {
    async run(connection: string, round: number): Promise<void> {
      await writeFile(join(folder, `${9_000 + round}-made.sql`), madeMigration(round))
      const log = silentLog()
      const { close, db } = connectDatabase({ connection, max_connections: 1, log, longRunning: true })
      await migrate({ db, log }, { folder }).finally(close)
    },
    remove: () => rm(folder, { recursive: true }),
  }
}

const madeMigration = (round: number): string => `-- locks: audit_log, environments, flags, sessions, users
alter table audit_log add column made_${round} integer;
alter table users add column made_${round} integer not null default 0;
alter table flags add column made_${round} integer not null default 0;
create index on flags (made_${round});
alter table environments add column made_${round} integer not null default 0;
create table made_${round} (user_id integer references users (id), environment_id uuid references environments (id));
alter table sessions add column made_${round} integer not null default 0;
`

/** Runs the work while a session holds what reading the tables locks. */
async function whileRead(connection: string, ms: number, work: () => Promise<void>): Promise<void> {
  const reader = connectDatabase({ connection, max_connections: 1, log: silentLog(), longRunning: true })
  const session = await reader.pool.connect()
  await session.query('begin; select from sessions, users, flags, environments, audit_log limit 1')
  const working = work()
  await Promise.race([delay(ms), working.catch(() => undefined)])
  await session.query('rollback')
  session.release()
  await working.finally(reader.close)
}
