import { RECOVERY_CODES_COUNT } from '@burgee/contract'
import { hashSecret } from '../../platform/crypto/hash-secret.ts'
import type { RandomBytes } from '../../platform/crypto/new-secret.ts'
import { toBase32 } from './totp.ts'

/** 120 bits: enough for a plain hash in the database (ASVS 5.0, requirement 6.5.2). */
const CODE_BYTES = 15
const GROUP = /.{6}(?=.)/g

/** Creates recovery codes of four groups of six letters and digits. */
export function newRecoveryCodes(random: RandomBytes): string[] {
  return Array.from({ length: RECOVERY_CODES_COUNT }, () =>
    toBase32(random(CODE_BYTES)).toLowerCase().replaceAll(GROUP, '$&-'),
  )
}

/** Returns the hash of a recovery code as it was typed: hyphens, spaces and case do not matter. */
export const recoveryCodeHash = (typed: string): string =>
  hashSecret(typed.replaceAll(/[\s-]/g, '').toLowerCase())
