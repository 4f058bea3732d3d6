import { type AccessTokenInput, type CreatedAccessToken, TOKEN_TREE_MAX } from '@burgee/contract'
import type { Transaction } from 'kysely'
import { type WorkspaceWriteDeps, writeWorkspace } from '../../changes/index.ts'
import type { UserActor } from '../../kernel/actor.ts'
import { conflict, invalid, unauthenticated } from '../../kernel/refusal.ts'
import { hashSecret } from '../../platform/crypto/hash-secret.ts'
import { newSecret, previewSecret } from '../../platform/crypto/new-secret.ts'
import type { Database } from '../../platform/db/tables.ts'
import { insertAccessTokenRow, lockTokenOwner } from './queries.ts'
import { lockParentToken, type ParentToken } from './token-tree-queries.ts'

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
 * One that is created with a token ends no later than that one, and is revoked with it. Refuses with
 * `unauthenticated` when the owner was deleted or disabled meanwhile or the token revoked, with `invalid` for
 * a longer time than TOKEN_MAX_DAYS, and with `conflict` for more tokens than a token may create.
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
    if (!(await lockTokenOwner(tx, owner.id))) throw unauthenticated('Your account has been deleted.')
    const parent = await findParent(tx, actor, now)
    const stored = await insertAccessTokenRow(tx, {
      user_id: owner.id,
      name,
      scope,
      token_hash: hashSecret(token),
      prefix: previewSecret(token),
      created_at: now,
      expires_at: earliest(expiryOf(now, expires_in_days ?? null), parent?.expires_at ?? null),
      parent_id: parent?.id ?? null,
    })
    return {
      result: { ...stored, parent_name: parent?.name ?? null, token },
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

/** Returns the token of the request, which the new one ends with; null in a session. */
async function findParent(
  tx: Transaction<Database>,
  { credential }: UserActor,
  now: string,
): Promise<(ParentToken & { readonly id: number }) | null> {
  if (credential.kind !== 'token') return null
  const id = credential.token_id
  const parent = await lockParentToken(tx, { id, now })
  if (!parent) throw unauthenticated('The token of this request has been revoked.')
  if (parent.treeSize >= TOKEN_TREE_MAX) {
    throw conflict(
      `At most ${TOKEN_TREE_MAX} valid tokens can be created with one token and with those that it created. Revoke some of them first, or create the token in a session.`,
    )
  }
  return { id, ...parent }
}

/** Returns the earlier of two ends; null is none. */
function earliest(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b
  return Date.parse(a) <= Date.parse(b) ? a : b
}

const expiryOf = (now: string, days: number | null): string | null =>
  days === null ? null : new Date(Date.parse(now) + days * DAY_MS).toISOString()
