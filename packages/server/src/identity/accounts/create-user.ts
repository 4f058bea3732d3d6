import type { UserInput, Warning } from '@burgee/contract'
import { type WorkspaceWriteDeps, writeWorkspace } from '../../changes/index.ts'
import type { Actor } from '../../kernel/actor.ts'
import { conflict } from '../../kernel/refusal.ts'
import { countedNetwork } from '../../platform/client-address.ts'
import type { PasswordHasher } from '../../platform/crypto/password.ts'
import { uniqueViolation } from '../../platform/db/unique-violation.ts'
import {
  findUserByEmail,
  insertUser,
  toAuditedUser,
  type User,
  userResource,
} from '../../structure/users/index.ts'
import { assessPassword, type PasswordRules } from './assess-password.ts'

interface CreateUserDeps extends WorkspaceWriteDeps {
  readonly passwords: PasswordHasher
  readonly passwordRules: PasswordRules
}

const EMAIL_INDEX = 'users_email_key'

/** The result of a write of a user: the user, and the warnings. */
export interface UserWrite {
  readonly user: User
  readonly warnings: readonly Warning[]
}

/**
 * Creates a user of the workspace without memberships. Refuses with `invalid` for a password of more than
 * 1,024 bytes or one that the policy forbids, and with `conflict` when the e-mail is in use, ignoring case.
 */
export async function createUser(
  deps: CreateUserDeps,
  actor: Actor,
  { address, input }: { readonly input: UserInput; readonly address: string },
): Promise<UserWrite> {
  const { email, name, password, password_policy, role } = input
  const warnings = assessPassword(password, {
    path: '/password',
    rules: deps.passwordRules,
    policy: password_policy,
  })
  // The index decides; this only saves the hashing.
  if (await findUserByEmail(deps.db, email)) throw emailInUse()
  const password_hash = await deps.passwords.hash(password, countedNetwork(address))
  try {
    const user = await writeWorkspace(deps, actor, async ({ now, tx }) => {
      const user = await insertUser(tx, { name, email, role, password_hash, now })
      return {
        result: user,
        audit: {
          project_id: null,
          environment_id: null,
          action: 'create',
          before: null,
          after: toAuditedUser(user),
          metadata: { origin: 'direct', resource: userResource(user.id) },
        },
        // The user has no credentials yet.
        changesAccess: false,
      }
    })
    return { user, warnings }
  } catch (error) {
    throw uniqueViolation(error) === EMAIL_INDEX ? emailInUse() : error
  }
}

const emailInUse = () => conflict('A user with this e-mail exists already. Use another one.')
