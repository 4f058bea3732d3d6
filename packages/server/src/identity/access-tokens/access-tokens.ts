import type { Kysely } from 'kysely'
import { recordAudit } from '../../changes/index.ts'
import type { UserActor } from '../../kernel/actor.ts'
import type { Clock } from '../../platform/clock.ts'
import { createRecorder } from '../../platform/concurrency/record-later.ts'
import type { Database } from '../../platform/db/tables.ts'
import type { Log } from '../../platform/log/log.ts'
import { findLiveTokens, findTokenOwner, type SilentToken, storeUse, type TokenUse } from './queries.ts'

/** The precision of `last_used_at`: a token in constant use costs one write in this time. */
const USE_RECORDED_EVERY_MS = 60_000
/** A token that is used after this time without a use is an event (docs/reference/access.md). */
const SILENCE_MS = 30 * 24 * 60 * 60_000

/**
 * Personal access tokens as credentials. A token has the current rights of its owner
 * (docs/reference/access.md#personal-access-tokens).
 */
export interface AccessTokens {
  /**
   * Returns the owner of the token with this hash, read on each call; null when the token is unknown,
   * revoked or expired. Records that it was used, and from where.
   */
  find(hash: string, address: () => string): Promise<UserActor | null>
  /** Returns those of the given token ids that are neither revoked nor expired. */
  validIds(ids: readonly number[]): Promise<Set<number>>
  /**
   * Resolves when the uses recorded so far are stored: before they are shown, and before the database is
   * closed.
   */
  usesStored(): Promise<void>
}

interface AccessTokensDeps {
  readonly db: Kysely<Database>
  readonly clock: Clock
  readonly log: Log
}

export function createAccessTokens({ clock, db, log }: AccessTokensDeps): AccessTokens {
  const uses = createRecorder<number, Omit<TokenUse, 'id'>>({
    log,
    what: 'the last use of access tokens',
    store: async (recorded) => {
      const uses = [...recorded].map(([id, use]) => ({ id, ...use }))
      const stored = { uses, precisionMs: USE_RECORDED_EVERY_MS, silenceMs: SILENCE_MS }
      await recordSilent(db, await storeUse(db, stored), clock.now().toISOString())
    },
  })
  return {
    async find(hash, address) {
      const now = clock.now()
      const found = await findTokenOwner(db, hash, now.toISOString())
      if (!found) return null
      const { kind, last_used_at, scope, token_id, ...owner } = found
      if (isStale(last_used_at, now)) uses.record(token_id, { address: address(), at: now.toISOString() })
      const credential = { kind: 'token', token_id, scope } as const
      return { kind: 'user', ...owner, ...(kind === 'service_account' && IS_SERVICE_ACCOUNT), credential }
    },
    validIds: (ids) => findLiveTokens(db, ids, clock.now().toISOString()),
    usesStored: uses.settled,
  }
}

async function recordSilent(
  db: Kysely<Database>,
  tokens: readonly SilentToken[],
  now: string,
): Promise<void> {
  if (tokens.length === 0) return
  await db.transaction().execute(async (tx) => {
    for (const { address, email, id, since } of tokens) {
      await recordAudit(tx, {
        ...{ project_id: null, environment_id: null, flag_key: '', before: null, after: null },
        action: 'auth.used_after_silence',
        actor_email: email,
        metadata: { origin: 'direct', resource: `access_token:${id}`, last_used_at: since },
        trace: { address, credential: { kind: 'access_token', id } },
        now,
      })
    }
  })
}

const IS_SERVICE_ACCOUNT = { isServiceAccount: true } as const

const isStale = (last_used_at: string | null, now: Date): boolean =>
  last_used_at === null || now.getTime() - Date.parse(last_used_at) >= USE_RECORDED_EVERY_MS
