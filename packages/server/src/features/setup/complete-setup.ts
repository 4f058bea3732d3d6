import type { SetupInput } from '@burgee/contract'
import type { Kysely } from 'kysely'
import type { Bus } from '../../platform/bus/bus.ts'
import { countedNetwork } from '../../platform/client-address.ts'
import type { Clock } from '../../platform/clock.ts'
import type { PasswordHasher } from '../../platform/crypto/password.ts'
import type { Database } from '../../platform/db/tables.ts'
import type { Sessions } from '../auth/index.ts'
import { requireHashablePassword } from '../users/index.ts'
import { readSetup } from './queries.ts'
import { alreadySetUp, type SetWorkspace, setUpWorkspace } from './set-up-workspace.ts'

export interface CompleteSetupDeps {
  readonly db: Kysely<Database>
  readonly clock: Clock
  readonly bus: Bus
  readonly newId: () => string
  readonly passwords: PasswordHasher
  readonly sessions: Sessions
  readonly onAccessChanged: () => void
}

/**
 * The wizard's one command (contract, section 2): all or nothing, and the admin is signed in. Refuses with `invalid` for
 * a password of more than 1,024 bytes and with `conflict` when set-up is complete.
 */
export async function completeSetup(
  deps: CompleteSetupDeps,
  input: SetupInput,
  address: string,
): Promise<SetWorkspace & { readonly cookie: string }> {
  const { admin: adminInput, project_name, workspace_name } = input
  const { password, ...admin } = adminInput
  requireHashablePassword(password, '/admin/password')
  // After set-up anyone may come this far: nobody shall make the server hash passwords for nothing.
  if ((await readSetup(deps.db)).setup_completed_at !== null) throw alreadySetUp()
  const password_hash = await deps.passwords.hash(password, countedNetwork(address))
  const now = deps.clock.now().toISOString()
  const completed = await deps.db.transaction().execute(async (tx) => {
    const content = { workspace_name, project_name, admin: { ...admin, password_hash } }
    const set = await setUpWorkspace(tx, { newId: deps.newId, now }, content)
    return { ...set, ...(await deps.sessions.start(tx, set.user_id)) }
  })
  deps.bus.publish({ kind: 'revocations' })
  deps.onAccessChanged()
  return completed
}
