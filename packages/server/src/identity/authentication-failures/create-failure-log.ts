import { type AuthenticationAction, USER_AGENT_MAX_LENGTH } from '@burgee/contract'
import type { Kysely } from 'kysely'
import { recordAudit } from '../../changes/index.ts'
import { countedNetwork } from '../../platform/client-address.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/tables.ts'
import type { Log } from '../../platform/log/log.ts'
import { accountKey } from '../passwords/index.ts'
import { type CountedFailure, createFailureWindows } from './failure-windows.ts'
import { findAccounts } from './queries.ts'

const WINDOW_MS = 10 * 60_000
const WINDOWS_MAX = 100
/** The failures that wait to be counted. Beyond them, only metrics count. */
const WAITING_MAX = 1_000
/** A longer e-mail is that of no account. */
const EMAIL_MAX_LENGTH = 320

/** A failed authentication as the request shows it. */
export interface NewFailure {
  readonly action: AuthenticationAction
  readonly reason: string
  /** The account by e-mail or id, which may not exist. */
  readonly account: string | number | null
  readonly address: string
  readonly userAgent: string | undefined
}

/** Stores failed authentications in the audit log, after their responses. */
export interface FailureLog {
  record(failure: NewFailure): void
  /** Resolves when the failures so far are counted, and stored where they are the first of their window. */
  settled(): Promise<void>
  /** Stores what is counted, also of windows that have not ended. */
  close(): Promise<void>
}

interface Deps {
  readonly db: Kysely<Database>
  readonly clock: Clock
  readonly log: Log
}

type Waiting = NewFailure & { readonly at: string }

export function createFailureLog({ clock, db, log }: Deps, windowMs = WINDOW_MS): FailureLog {
  const windows = createFailureWindows({ windowMs, maxWindows: WINDOWS_MAX })
  let waiting: Waiting[] = []
  let working: Promise<void> | null = null
  let timer: NodeJS.Timeout | null = null

  async function work(untilMs: () => number): Promise<void> {
    do {
      const batch = waiting
      waiting = []
      try {
        const firsts = await count(batch)
        await store(db, [...windows.takeEnded(untilMs()), ...firsts])
      } catch (err) {
        log.warn({ err }, 'failed logins could not be stored in the audit log')
      }
    } while (waiting.length > 0)
    working = null
    awaitEnd()
  }

  async function count(batch: readonly Waiting[]): Promise<CountedFailure[]> {
    const find = await accountsOf(db, batch)
    return batch.flatMap(({ account, action, address, at, reason, userAgent }) => {
      const failure = {
        ...{ action, reason, address, at, account: find(account) },
        network: countedNetwork(address),
        userAgent: userAgent?.slice(0, USER_AGENT_MAX_LENGTH) ?? null,
      }
      return windows.count(failure, clock.monotonicMs()) ?? []
    })
  }

  function awaitEnd(): void {
    const leftMs = windows.nextEndMs(clock.monotonicMs())
    if (timer !== null || leftMs === null) return
    timer = setTimeout(() => {
      timer = null
      start()
    }, leftMs)
    timer.unref()
  }

  function start(untilMs = () => clock.monotonicMs()): void {
    working ??= work(untilMs)
  }

  return {
    record(failure) {
      if (waiting.length >= WAITING_MAX) return
      waiting.push({ ...failure, at: clock.now().toISOString() })
      start()
    },
    async settled() {
      await working
    },
    async close() {
      if (timer) clearTimeout(timer)
      await working
      if (timer) clearTimeout(timer)
      start(() => Number.POSITIVE_INFINITY)
      await working
      if (timer) clearTimeout(timer)
    },
  }
}

/** Returns a function that finds the account of a failure. One that does not exist is null. */
async function accountsOf(db: Kysely<Database>, batch: readonly Waiting[]) {
  const named = batch.map(({ account }) => account)
  const emails = named.filter(
    (account) => typeof account === 'string' && account.length <= EMAIL_MAX_LENGTH,
  ) as string[] // The filter has left texts only.
  const ids = named.filter((account) => typeof account === 'number') as number[] // Likewise numbers.
  const found = await findAccounts(db, { emails: [...new Set(emails)], ids: [...new Set(ids)] })
  const byEmail = new Map(found.map((account) => [accountKey(account.email), account]))
  const byId = new Map(found.map((account) => [account.id, account]))
  return (account: NewFailure['account']) =>
    (typeof account === 'number' ? byId.get(account) : byEmail.get(accountKey(account ?? ''))) ?? null
}

/** The actor and resource of failures without an account. */
const UNKNOWN = 'unknown'

async function store(db: Kysely<Database>, failures: readonly CountedFailure[]): Promise<void> {
  if (failures.length === 0) return
  await db.transaction().execute(async (tx) => {
    for (const { account, action, address, at, count, firstAt, reason, userAgent } of failures) {
      await recordAudit(tx, {
        project_id: null,
        environment_id: null,
        flag_key: '',
        action,
        actor_email: account?.email ?? UNKNOWN,
        before: null,
        after: null,
        metadata: {
          origin: 'direct',
          resource: account ? `user:${account.id}` : UNKNOWN,
          ...{ reason, count, first_at: firstAt, last_at: at, user_agent: userAgent },
        },
        trace: { address },
        now: at,
      })
    }
  })
}
