import { randomBytes } from 'node:crypto'
import type { SecondFactor } from '@burgee/contract'
import type { Kysely, Transaction } from 'kysely'
import type { Clock } from '../../platform/clock.ts'
import type { DataKey } from '../../platform/crypto/data-key.ts'
import type { RandomBytes } from '../../platform/crypto/new-secret.ts'
import type { Database } from '../../platform/db/tables.ts'
import type { Passkeys } from './passkeys/create-passkeys.ts'
import { countFactors, findTotp, useRecoveryCode, useTotpStep } from './queries.ts'
import { recoveryCodeHash } from './recovery-codes.ts'
import type { Proof } from './second-factor.ts'
import { matchTotp } from './totp.ts'

/** The second factors of accounts, as the login sees them. */
export interface SecondFactors {
  /** Returns the ways in which an account proves a second factor; empty when it has none. */
  kindsOf(db: Kysely<Database>, user_id: number): Promise<readonly SecondFactor[]>
  /**
   * Verifies what needs no transaction, and returns the function that uses the proof up in one: false when it
   * is wrong, was used before, or is of another account. Null when it is wrong already.
   */
  check(user_id: number, proof: Proof): Promise<UseProof | null>
  readonly passkeys: Passkeys
  readonly secrets: TotpSecrets
  readonly random: RandomBytes
}

type UseProof = (tx: Transaction<Database>) => Promise<boolean>

/** Encrypts the secrets of authenticator apps for one account each. */
interface TotpSecrets {
  seal(user_id: number, secret: Uint8Array): string
  open(user_id: number, sealed: string): Uint8Array
}

interface Deps {
  readonly clock: Clock
  readonly data_key: DataKey
  readonly passkeys: Passkeys
  readonly random?: RandomBytes
}

export function createSecondFactors({
  clock,
  data_key,
  passkeys,
  random = randomBytes,
}: Deps): SecondFactors {
  const secrets = createTotpSecrets(data_key)
  return {
    secrets,
    passkeys,
    random,
    async kindsOf(db, user_id) {
      const { passkeys, recovery_codes, totp } = await countFactors(db, user_id)
      if (totp + passkeys === 0) return []
      const kinds: SecondFactor[] = []
      if (totp > 0) kinds.push('totp')
      if (passkeys > 0) kinds.push('passkey')
      if (recovery_codes > 0) kinds.push('recovery_code')
      return kinds
    },
    async check(user_id, proof) {
      if (proof.kind === 'passkey') {
        const { assertion, request } = proof
        const checked = await passkeys.check({ assertion, request, user_id, purpose: 'second_factor' })
        return checked?.use ?? null
      }
      const { code } = proof
      if (proof.kind === 'recovery_code') {
        return (tx) => useRecoveryCode(tx, { user_id, code_hash: recoveryCodeHash(code) })
      }
      return async (tx) => {
        const stored = await findTotp(tx, user_id)
        if (!stored || stored.confirmed_at === null) return false
        const nowMs = clock.now().getTime()
        const secret = secrets.open(user_id, stored.secret)
        const step = matchTotp(secret, code, { lastStep: stored.last_step, nowMs })
        return step !== null && useTotpStep(tx, { user_id, step })
      }
    },
  }
}

/** The account is part of the sealed text, so a secret that is moved to another row opens nothing. */
function createTotpSecrets(data_key: DataKey): TotpSecrets {
  const prefixOf = (user_id: number) => `totp ${user_id} `
  return {
    seal: (user_id, secret) => data_key.seal(prefixOf(user_id) + Buffer.from(secret).toString('base64url')),
    open(user_id, sealed) {
      const text = data_key.open(sealed)
      const prefix = prefixOf(user_id)
      if (!text.startsWith(prefix)) throw new Error('a secret of another account')
      return Buffer.from(text.slice(prefix.length), 'base64url')
    },
  }
}
