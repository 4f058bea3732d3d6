import type { SetupInput, Warning } from '@burgee/contract'
import type { Kysely } from 'kysely'
import type { Bus } from '../../platform/bus/bus.ts'
import { countedNetwork } from '../../platform/client-address.ts'
import type { Clock } from '../../platform/clock.ts'
import type { PasswordHasher } from '../../platform/crypto/password.ts'
import type { Database } from '../../platform/db/tables.ts'
import { assessPassword, type PasswordRules } from '../accounts/index.ts'
import type { LoginRequest, Sessions } from '../auth/index.ts'
import type { KnownDevices } from '../passwords/index.ts'
import { readSetup } from './queries.ts'
import { alreadySetUp, type SetWorkspace, setUpWorkspace } from './set-up-workspace.ts'

export interface CompleteSetupDeps {
  readonly db: Kysely<Database>
  readonly clock: Clock
  readonly bus: Bus
  readonly newId: () => string
  readonly passwords: PasswordHasher
  readonly sessions: Sessions
  readonly knownDevices: KnownDevices
  readonly passwordRules: PasswordRules
  readonly onAccessChanged: () => void
}

interface CompletedSetup extends SetWorkspace {
  /** The values of the Set-Cookie headers. */
  readonly cookies: readonly string[]
  readonly warnings: readonly Warning[]
}

/**
 * Completes setup (docs/reference/access.md#setup) in one transaction and signs the admin in. Refuses with
 * `invalid` for a password of more than 1,024 bytes or one that the policy forbids, and with `conflict` when
 * setup is complete.
 */
export async function completeSetup(
  deps: CompleteSetupDeps,
  input: SetupInput,
  request: LoginRequest,
): Promise<CompletedSetup> {
  const { admin: adminInput, project_name, workspace_name } = input
  const { password, password_policy, ...admin } = adminInput
  const warnings = assessPassword(password, {
    path: '/admin/password',
    rules: deps.passwordRules,
    policy: password_policy,
  })
  // Every caller reaches this after setup, and must not make the server hash passwords.
  if ((await readSetup(deps.db)).setup_completed_at !== null) throw alreadySetUp()
  const password_hash = await deps.passwords.hash(password, countedNetwork(request.address))
  const now = deps.clock.now().toISOString()
  const completed = await deps.db.transaction().execute(async (tx) => {
    const content = { workspace_name, project_name, admin: { ...admin, password_hash } }
    const set = await setUpWorkspace(tx, { newId: deps.newId, now }, content)
    const login = { userId: set.user_id, method: 'setup', request } as const
    return { ...set, ...(await deps.sessions.start(tx, login)) }
  })
  const { cookie, ...set } = completed
  // The version of a first password.
  const known = deps.knownDevices.remember([], { userId: set.user_id, passwordVersion: 1 })
  deps.bus.publish({ kind: 'revocations' })
  deps.onAccessChanged()
  return { ...set, cookies: [cookie, known], warnings }
}
