import pg from 'pg'
import { SUPERUSER } from './cluster-roles.ts'
import type { DatabaseAddress } from './database-address.ts'
import { errorCode } from './error-code.ts'

const CONNECTION_TIMEOUT_MS = 5_000
/** A number that is the same in all versions of Burgee. */
const LOCK_ID = 7_364_919_403

/** The database that initdb creates, which always exists. */
const MAINTENANCE_DATABASE = 'postgres'

/** A connection to the maintenance database. `ended` resolves when it has ended for any reason. */
export type ClusterSession = { client: pg.Client; ended: Promise<void>; end(): Promise<void> }

/**
 * The reasons of a refused connection. `password`: the password of the data folder is wrong or missing.
 * `rules`: those of `pg_hba.conf`.
 */
export type Refusal = 'password' | 'rules'

/** The states of a cluster. */
export type ClusterState =
  | { kind: 'absent' }
  /** PostgreSQL starts up, recovers, or shuts down. */
  | { kind: 'busy' }
  /** PostgreSQL rejects the superuser. */
  | { kind: 'refused'; by: Refusal }
  /** PostgreSQL runs. `locked`: no other server uses the cluster, and none can while `session` lives. */
  | { kind: 'ready'; session: ClusterSession; locked: boolean }

/** Nothing listens. The file of a killed server's socket counts as nothing. */
const ABSENT_CODES = ['ENOENT', 'ECONNREFUSED']

/**
 * 57P03: starting up or shutting down. A connection that is closed in between, or exceeds the limit, means
 * the same.
 */
const BUSY_CODES = ['57P03', '57P01', '57P02', '53300', 'ECONNRESET', 'EPIPE']

/**
 * 28P01: wrong password. 28000: no rule of `pg_hba.conf` matches, one rejects, or the role does not exist.
 */
const REFUSED_CODES: Readonly<Record<string, Refusal>> = { '28P01': 'password', '28000': 'rules' }

/** The driver's message when it has no password. */
const REFUSED_MESSAGES = /client password must be/

/** Messages of driver errors without a code. */
const BUSY_MESSAGES = /terminated|timeout expired/

/**
 * Connects and tries to take the cluster's lock: an advisory lock of PostgreSQL, which ends with the session
 * and thus with its process, however that ends. It does not rely on process ids, so none can be mistaken.
 * Throws unexpected errors.
 */
export async function inspectCluster(
  address: Pick<DatabaseAddress, 'host' | 'port'>,
  readPassword: () => Promise<string | null>,
): Promise<ClusterState> {
  const client = new pg.Client({
    ...address,
    user: SUPERUSER,
    password: async () => (await readPassword()) ?? '',
    database: MAINTENANCE_DATABASE,
    application_name: 'burgee lock',
    keepAlive: true,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
  })
  // An unhandled 'error' would end the process; the owner of the session waits for `ended`.
  client.on('error', () => undefined)
  const ended = new Promise<void>((resolve) => client.once('end', () => resolve()))
  const end = () => client.end().catch(() => undefined)
  try {
    await client.connect()
    return { kind: 'ready', session: { client, ended, end }, locked: await tryLock(client) }
  } catch (error) {
    await end()
    return stateAfter(error)
  }
}

function stateAfter(error: unknown): ClusterState {
  const code = errorCode(error)
  if (code !== null && ABSENT_CODES.includes(code)) return { kind: 'absent' }
  if (code !== null && BUSY_CODES.includes(code)) return { kind: 'busy' }
  const by = code === null ? undefined : REFUSED_CODES[code]
  if (by !== undefined) return { kind: 'refused', by }
  if (code === null && error instanceof Error && REFUSED_MESSAGES.test(error.message))
    return { kind: 'refused', by: 'password' }
  if (code === null && error instanceof Error && BUSY_MESSAGES.test(error.message)) return { kind: 'busy' }
  throw error
}

async function tryLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
    LOCK_ID,
  ])
  return rows[0]?.locked === true
}
