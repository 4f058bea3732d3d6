import type { AccessTokenInput, CreatedAccessToken } from '@burgee/contract'
import type { Transaction } from 'kysely'
import { type WorkspaceWriteDeps, writeWorkspace } from '../../changes/index.ts'
import type { UserActor } from '../../kernel/actor.ts'
import { invalid, unauthenticated } from '../../kernel/refusal.ts'
import { hashSecret } from '../../platform/crypto/hash-secret.ts'
import { newSecret, previewSecret } from '../../platform/crypto/new-secret.ts'
import type { Database } from '../../platform/db/tables.ts'
import { insertAccessTokenRow } from './queries.ts'

const DAY_MS = 24 * 60 * 60_000

interface NewToken {
  /** The account that the token belongs to, as the audit log names it. */
  readonly owner: { readonly id: number; readonly resource: string }
  readonly input: AccessTokenInput
  /** Runs before the token is stored. Returns whether it changes the rights of any caller. */
  readonly prepare?: (tx: Transaction<Database>) => Promise<boolean>
}

export type CreateTokenDeps = WorkspaceWriteDeps & { readonly maxDays: number | null }

/**
 * Creates a token of an account. It is stored as a hash and a preview; only the response has the full value.
 * Refuses with `unauthenticated` when the owner was deleted or disabled meanwhile, and with `invalid` for a
 * longer time than TOKEN_MAX_DAYS.
 */
export async function createAccessToken(
  deps: CreateTokenDeps,
  actor: UserActor,
  { input: { expires_in_days, name, scope }, owner, prepare }: NewToken,
): Promise<CreatedAccessToken> {
  requireShortLife(deps.maxDays, expires_in_days ?? null)
  const token = newSecret('pat_')
  return writeWorkspace(deps, actor, async ({ now, tx }) => {
    // The token itself has no other holder yet.
    const changesAccess = (await prepare?.(tx)) ?? false
    const stored = await insertAccessTokenRow(tx, {
      user_id: owner.id,
      name,
      scope,
      token_hash: hashSecret(token),
      prefix: previewSecret(token),
      created_at: now,
      expires_at: expiryOf(now, expires_in_days ?? null),
    })
    if (!stored) throw unauthenticated('Your account has been deleted.')
    return {
      result: { ...stored, token },
      audit: {
        project_id: null,
        environment_id: null,
        action: 'create',
        before: null,
        after: stored,
        metadata: {
          origin: 'direct',
          resource: `access_token:${stored.id}`,
          ...(owner.id !== actor.user_id && { user: owner.resource }),
        },
      },
      changesAccess,
    }
  })
}

function requireShortLife(maxDays: number | null, days: number | null): void {
  if (maxDays === null || (days !== null && days <= maxDays)) return
  const message = `must be given and at most ${maxDays}: the setting TOKEN_MAX_DAYS limits new tokens`
  throw invalid([{ path: '/expires_in_days', message }])
}

const expiryOf = (now: string, days: number | null): string | null =>
  days === null ? null : new Date(Date.parse(now) + days * DAY_MS).toISOString()
