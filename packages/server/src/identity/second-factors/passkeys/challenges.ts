import { LOGIN_STEP_MS } from '@burgee/contract'
import type { Clock } from '../../../platform/clock.ts'
import { hashSecret } from '../../../platform/crypto/hash-secret.ts'
import type { TextSeal } from '../../../platform/crypto/sealed-text.ts'

/** The purpose of a challenge. A response to a challenge of another purpose is refused. */
export type ChallengePurpose = 'add' | 'login' | 'second_factor' | 'confirm'

/** The use of a challenge: its purpose, and the account; null for a login, whose account is not known. */
interface ChallengeUse {
  readonly purpose: ChallengePurpose
  readonly user_id: number | null
}

/** A challenge whose response was right. It is stored when it is used up. */
export interface OpenedChallenge {
  readonly challenge_hash: string
  readonly expires_at: string
}

/**
 * Challenges of passkeys. A challenge carries its use and its end, encrypted: every instance can read it, and
 * requesting one stores nothing.
 */
export interface Challenges {
  /** Returns a challenge in base64url. */
  issue(use: ChallengeUse): string
  /** Opens a challenge; null when it is forged, too old, or of another use. */
  open(challenge: string, use: ChallengeUse): OpenedChallenge | null
}

export const CHALLENGE_PURPOSE = 'challenge of a passkey'
/** The time for which a used challenge is kept after its end, for instances whose clocks are behind. */
const KEPT_MS = 10 * 60_000

export function createChallenges({
  clock,
  seal,
}: {
  readonly clock: Clock
  readonly seal: TextSeal
}): Challenges {
  return {
    issue({ purpose, user_id }) {
      const endsAtMs = clock.now().getTime() + LOGIN_STEP_MS
      return Buffer.from(seal.seal(JSON.stringify([purpose, user_id, endsAtMs]))).toString('base64url')
    },
    open(challenge, { purpose, user_id }) {
      const sealed = Buffer.from(challenge, 'base64url').toString()
      const text = seal.open(sealed)
      if (text === null) return null
      const parts: unknown = JSON.parse(text)
      const [ofPurpose, ofUser, endsAtMs]: unknown[] = Array.isArray(parts) ? parts : []
      const isOfUse = ofPurpose === purpose && ofUser === user_id
      if (!isOfUse || typeof endsAtMs !== 'number' || clock.now().getTime() >= endsAtMs) return null
      return {
        challenge_hash: hashSecret(sealed),
        expires_at: new Date(endsAtMs + KEPT_MS).toISOString(),
      }
    },
  }
}
