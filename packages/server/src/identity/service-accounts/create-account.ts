import type { ServiceAccount, ServiceAccountInput } from '@burgee/contract'
import { type WorkspaceWriteDeps, writeWorkspace } from '../../changes/index.ts'
import type { UserActor } from '../../kernel/actor.ts'
import { conflict } from '../../kernel/refusal.ts'
import { uniqueViolation } from '../../platform/db/unique-violation.ts'
import { insertAccount } from './queries.ts'
import { accountResource, toAuditedAccount } from './service-account.ts'

/** Creates a service account without rights. Refuses with `conflict` when another one has the name. */
export async function createAccount(
  deps: WorkspaceWriteDeps,
  actor: UserActor,
  { name }: ServiceAccountInput,
): Promise<ServiceAccount> {
  return withUniqueName(() =>
    writeWorkspace(deps, actor, async ({ now, tx }) => {
      const account = await insertAccount(tx, { name, makerId: actor.user_id, now })
      return {
        result: account,
        audit: {
          project_id: null,
          environment_id: null,
          action: 'create',
          before: null,
          after: toAuditedAccount(account),
          metadata: { origin: 'direct', resource: accountResource(account.id) },
        },
        // It has no credentials yet.
        changesAccess: false,
      }
    }),
  )
}

const NAME_INDEX = 'users_email_key'

/** Runs a write that names an account. Refuses with `conflict` when another one has the name. */
export async function withUniqueName<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (uniqueViolation(error) !== NAME_INDEX) throw error
    throw conflict('Another service account has this name. Use another one.')
  }
}
