import type { Kysely } from 'kysely'
import { Refusal } from '../../kernel/refusal.ts'
import type { Clock } from '../../platform/clock.ts'
import { hashSecret } from '../../platform/crypto/hash-secret.ts'
import { newSecret, type RandomBytes } from '../../platform/crypto/new-secret.ts'
import type { PasswordHasher } from '../../platform/crypto/password.ts'
import type { Database } from '../../platform/db/tables.ts'
import { changeWorkspaceInSetup } from '../../platform/db/workspace-row.ts'
import type { Log } from '../../platform/log/log.ts'
import type { Config, UnattendedSetup } from '../../platform/settings/config.ts'
import { assessPassword } from '../accounts/index.ts'
import { lockSetup, readSetup } from './queries.ts'
import { setUpWorkspace } from './set-up-workspace.ts'
import { deriveSetupToken, recoverSetupToken } from './setup-token.ts'

interface PrepareSetupDeps {
  readonly db: Kysely<Database>
  readonly clock: Clock
  readonly log: Log
  readonly newId: () => string
  readonly passwords: PasswordHasher
  /** The secrets of the session seal, the current one first. */
  readonly sessionSecrets: readonly string[]
  readonly random?: RandomBytes
}

/**
 * Prepares a fresh database for setup (docs/reference/access.md#setup): completes it unattended when the
 * settings have an admin, otherwise stores the hash of the setup token. `print` receives the path of the
 * wizard for the server's address: with a generated token, but without the operator's own, which must not be
 * logged.
 *
 * Every instance prints the same generated token, also after a restart, until setup is complete, so the
 * printed address always works.
 */
export async function prepareSetup(
  deps: PrepareSetupDeps,
  { passwordRules, setup, setup_token }: Pick<Config, 'passwordRules' | 'setup' | 'setup_token'>,
  { print }: { readonly print: (path: string) => void },
): Promise<void> {
  if ((await readSetup(deps.db)).setup_completed_at !== null) return
  if (setup !== null) return completeUnattended(deps, setup, passwordRules)
  if (setup_token !== null) {
    await changeWorkspaceInSetup(deps.db, {
      setup_token_hash: hashSecret(setup_token),
      setup_token_seed: null,
    })
    return print('/setup')
  }
  const token = await sharedToken(deps)
  if (token !== null) print(`/setup?token=${token}`)
}

async function completeUnattended(
  { clock, db, log, newId, passwords }: PrepareSetupDeps,
  { adminEmail, adminName, adminPassword, project_name, sdk_key, workspace_name }: UnattendedSetup,
  rules: Config['passwordRules'],
): Promise<void> {
  const warnings = assessPassword(adminPassword, { path: '', rules, policy: undefined })
  const password_hash = await passwords.hash(adminPassword, 'settings')
  const admin = { name: adminName, email: adminEmail, password_hash }
  const content = { workspace_name, project_name, admin, ...(sdk_key !== null && { sdk_key }) }
  const now = clock.now().toISOString()
  try {
    await db.transaction().execute((tx) => setUpWorkspace(tx, { newId, now }, content))
    log.info({ project_name }, 'setup completed from the settings')
    for (const { message } of warnings)
      log.warn(`SETUP_ADMIN_PASSWORD: ${message} Change it after signing in.`)
  } catch (error) {
    // Another instance that started at the same time was first.
    if (!(error instanceof Refusal && error.kind === 'conflict')) throw error
  }
}

/** Returns the token that all instances share; null when setup was completed meanwhile. */
async function sharedToken({ db, log, random, sessionSecrets }: PrepareSetupDeps): Promise<string | null> {
  const [secret] = sessionSecrets
  if (secret === undefined) throw new Error('a setup token needs a session secret')
  return db.transaction().execute(async (tx) => {
    const stored = await lockSetup(tx)
    if (stored.setup_completed_at !== null) return null
    const known = recoverSetupToken(stored, sessionSecrets)
    if (known !== null) return known
    if (stored.setup_token_hash !== null)
      log.warn('the earlier setup token is replaced: use the URL printed now')
    const seed = newSecret('', random)
    const token = deriveSetupToken(seed, secret)
    await changeWorkspaceInSetup(tx, { setup_token_hash: hashSecret(token), setup_token_seed: seed })
    return token
  })
}
