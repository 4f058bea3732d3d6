import type { Transaction } from 'kysely'
import type { WorkspaceWriteDeps } from '../../changes/index.ts'
import type { Database } from '../../platform/db/tables.ts'
import { setFactorsReset } from '../../structure/users/index.ts'
import type { SecondFactors } from './create-second-factors.ts'
import { countFactors, replaceRecoveryCodes } from './queries.ts'
import { newRecoveryCodes, recoveryCodeHash } from './recovery-codes.ts'

export interface FactorDeps extends WorkspaceWriteDeps {
  readonly factors: SecondFactors
}

/** The name that authenticator apps and browsers show. */
export const ISSUER = 'Burgee'

/** Ends the notice of a reset, and creates recovery codes for an account that has none. */
export async function completeEnrollment(
  tx: Transaction<Database>,
  { factors }: Pick<FactorDeps, 'factors'>,
  user_id: number,
): Promise<readonly string[]> {
  await setFactorsReset(tx, user_id, null)
  const { recovery_codes } = await countFactors(tx, user_id)
  return recovery_codes > 0 ? [] : storeRecoveryCodes(tx, { factors }, user_id)
}

/** Replaces the recovery codes of an account with new ones, and returns them. */
export async function storeRecoveryCodes(
  tx: Transaction<Database>,
  { factors }: Pick<FactorDeps, 'factors'>,
  user_id: number,
): Promise<readonly string[]> {
  const codes = newRecoveryCodes(factors.random)
  await replaceRecoveryCodes(tx, user_id, codes.map(recoveryCodeHash))
  return codes
}
