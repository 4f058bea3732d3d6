import type { Credentials, CurrentUser } from '@burgee/contract'
import { unauthenticated, unavailable } from '../../kernel/refusal.ts'
import { holdUser } from '../users/index.ts'
import { toCurrentUser } from './current-user.ts'
import { type GuessDeps, guessPassword, type OpenedAccount } from './guess-password.ts'
import { readWorkspace } from './queries.ts'
import type { Sessions } from './sessions.ts'

interface LogInDeps extends GuessDeps {
  readonly sessions: Sessions
}

interface SignedIn {
  readonly user: CurrentUser
  /** The value of a Set-Cookie header. */
  readonly cookie: string
}

/**
 * Signs a user in. Refuses with `unauthenticated` (wrong guess, with what remains) or `too_many` (locked, or the address
 * failed too often).
 */
export async function logIn(
  deps: LogInDeps,
  { address, email, password }: Credentials & { readonly address: string },
): Promise<SignedIn> {
  const guess = { address, email, password }
  const verdict = await guessPassword(deps, guess, (account) => startSession(deps, account))
  if (verdict.kind === 'right') return verdict.result
  const { attempts_remaining } = verdict
  throw unauthenticated('The e-mail or the password is wrong.', { attempts_remaining })
}

async function startSession({ db, sessions }: LogInDeps, { settle, user }: OpenedAccount): Promise<SignedIn> {
  return db.transaction().execute(async (tx) => {
    await settle(tx)
    if (!(await holdUser(tx, user))) throw unavailable('The account has just changed. Sign in again.')
    const { cookie } = await sessions.start(tx, user.id)
    return { cookie, user: toCurrentUser(user, await readWorkspace(tx)) }
  })
}
