import type { Transaction } from 'kysely'
import { countedNetwork } from '../../platform/client-address.ts'
import type { Database } from '../../platform/db/tables.ts'
import type { KnownDevice } from '../passwords/index.ts'
import {
  type AttemptDeps,
  type Counter,
  countAddress,
  countAttempt,
  factorKey,
  type Verdict,
} from '../passwords/index.ts'
import type { Proof, SecondFactors } from '../second-factors/index.ts'

export interface SecondFactorDeps extends AttemptDeps {
  readonly factors: SecondFactors
}

interface FactorAttempt {
  readonly user: { readonly id: number; readonly password_version: number }
  readonly proof: Proof
  readonly address: string
  readonly devices: readonly KnownDevice[]
}

/**
 * Verifies a proof of a second factor, and runs `onSuccess` in the transaction that uses it up. Wrong proofs
 * are counted and locked like wrong passwords, but separately: a right password does not clear them. Refuses
 * with `too_many`.
 */
export async function verifySecondFactor<T>(
  deps: SecondFactorDeps,
  { address, devices, proof, user }: FactorAttempt,
  onSuccess: (tx: Transaction<Database>) => Promise<T>,
): Promise<Verdict<T>> {
  const counter = counterOf(user, devices)
  return countAddress(deps, countedNetwork(address), () =>
    countAttempt(deps, counter, async (settle) => {
      const use = await deps.factors.check(user.id, proof)
      if (use === null) return null
      return deps.db.transaction().execute(async (tx) => {
        if (!(await use(tx))) return null
        await settle(tx)
        return { result: await onSuccess(tx) }
      })
    }),
  )
}

/** Describes a wrong proof by its kind: an account without passkeys has no use for a sentence about them. */
export const describeWrongProof = (kind: Proof['kind']): string =>
  kind === 'passkey' ? 'The passkey was not accepted.' : 'The code is wrong or was used before.'

/** Returns the counter of the account's second step, or that of a browser that is known for the account. */
function counterOf(
  { id, password_version }: FactorAttempt['user'],
  devices: readonly KnownDevice[],
): Counter {
  const device = devices.find(
    ({ passwordVersion, userId }) => userId === id && passwordVersion === password_version,
  )
  return { key: factorKey(device?.deviceId ?? id), userId: id }
}
