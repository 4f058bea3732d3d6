import type { Kysely } from 'kysely'
import { withTimeout } from '../../platform/concurrency/with-timeout.ts'
import type { Database } from '../../platform/db/tables.ts'
import type { Log } from '../../platform/log/log.ts'
import { type CountedClients, countForMetrics } from './metric-queries.ts'
import {
  countElsewhere,
  pruneClients,
  removeClients,
  removeServer,
  storeClients,
  storeCounts,
  storeForeignAcks,
  storeServers,
} from './queries.ts'
import type { DueClients } from './sdk-client.ts'
import type { SdkClients } from './sdk-clients.ts'

const TICK_MS = 1_000
/** The ticks after which a server reports again that it is there, 5 s. */
const HEARTBEAT_TICKS = 5
const PRUNE_TICKS = 15
/** The programs of an environment that have a label of their own in the metrics. */
const APPS_MAX = 50
/** The timeout on close, so that an unresponsive database does not delay a shutdown. */
const CLOSE_MS = 1_000
/** The rows of one statement. */
const ROWS_MAX = 5_000

/** Stores what the clients of this server have confirmed. */
export interface ClientStore {
  start(): void
  /** Stores what is due now. */
  flush(): Promise<void>
  /** Returns the clients of this server by the last count. The first call makes it count, every 5 s. */
  counted(): readonly CountedClients[]
  close(): Promise<void>
}

interface StoreDeps {
  readonly db: Kysely<Database>
  readonly log: Log
  readonly server_id: string
  readonly clients: SdkClients
}

/** Creates the store: at most one write a second, and one before each request that reads it. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory, whose functions share one state
export function createClientStore({ clients, db, log, server_id }: StoreDeps): ClientStore {
  let ticks = 0
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | null = null
  let isFailing = false
  /** True when the database may lack or still have what it should not: after a failure, or its own crash. */
  let isLost = false
  const reported = new Set<string>()
  let isCounted = false
  let counted: readonly CountedClients[] = []

  async function store(heartbeat: boolean): Promise<void> {
    const everything = isLost
    isLost = true
    if (everything) {
      await removeServer(db, server_id)
      reported.clear()
    }
    const due = clients.takeDue({ heartbeat: heartbeat || everything, everything })
    const hasVanished = await storeDue(due)
    isLost = hasVanished
    if (heartbeat) await lookElsewhere()
    if (isFailing) log.info({}, 'the confirmations of SDKs are stored again')
    isFailing = false
  }

  /** Returns whether reports of this server had vanished, as after a crash of the database. */
  async function storeDue(due: DueClients): Promise<boolean> {
    let hasVanished = false
    if (due.servers.length > 0) {
      const added = await storeServers(db, server_id, due.servers)
      hasVanished = added.some((environment_id) => reported.has(environment_id))
      for (const { environment_id } of due.servers) reported.add(environment_id)
    }
    for (const part of inParts(due.gone)) await removeClients(db, server_id, part)
    for (const part of inParts(due.clients)) await storeClients(db, server_id, part)
    for (const part of inParts(due.counts)) await storeCounts(db, server_id, part)
    for (const part of inParts(due.foreign)) {
      const measured = await storeForeignAcks(db, part)
      for (const { environment_id, latency_ms, revision } of measured)
        clients.record(environment_id, revision, latency_ms)
    }
    return hasVanished
  }

  async function lookElsewhere(): Promise<void> {
    const ids = [...clients.environments()]
    if (isCounted) counted = ids.length === 0 ? [] : await countForMetrics(db, server_id, APPS_MAX)
    if (ids.length === 0) return
    const found = await countElsewhere(db, server_id, ids)
    for (const id of ids) clients.counted(id, found.get(id) ?? 0)
  }

  async function tick(): Promise<void> {
    ticks += 1
    await store(ticks % HEARTBEAT_TICKS === 1)
    if (ticks % PRUNE_TICKS === 0) await pruneClients(db)
  }

  /** Runs after what is running, so that two writes never wait for each other's rows. */
  function run(work: () => Promise<void>): Promise<void> {
    const before = running ?? Promise.resolve()
    const own = before.catch(() => {}).then(work)
    const settled = own
      .catch(() => {})
      .finally(() => {
        if (running === settled) running = null
      })
    running = settled
    return own
  }

  function warn(err: unknown): void {
    if (!isFailing) log.warn({ err }, 'the confirmations of SDKs could not be stored; retrying')
    isFailing = true
  }

  return {
    start() {
      timer = setInterval(() => {
        if (running === null) run(tick).catch(warn)
      }, TICK_MS)
    },
    counted() {
      isCounted = true
      return counted
    },
    flush: () => run(() => store(false)),
    async close() {
      clearInterval(timer)
      const removed = run(() => removeServer(db, server_id)).catch((err: unknown) =>
        log.debug({ err }, 'the clients of this server remain until they expire'),
      )
      await withTimeout(removed, CLOSE_MS)
    },
  }
}

function* inParts<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < items.length; from += ROWS_MAX) yield items.slice(from, from + ROWS_MAX)
}
