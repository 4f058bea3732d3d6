import type { PasskeyAssertion, SecondFactor, SecondFactorProof } from '@burgee/contract'
import type { UserActor } from '../../kernel/actor.ts'
import { forbidden, invalid, type Refusal, unauthenticated } from '../../kernel/refusal.ts'
import type { PasskeyRequest } from './passkeys/create-passkeys.ts'

/** One proof of a second factor. */
export type Proof =
  | { readonly kind: 'totp' | 'recovery_code'; readonly code: string }
  | { readonly kind: 'passkey'; readonly assertion: PasskeyAssertion; readonly request: PasskeyRequest }

/** Returns the proof of a body; null when it has none. Refuses with `invalid` when it has several. */
export function findProof(
  { passkey, recovery_code, totp }: SecondFactorProof,
  request: PasskeyRequest,
): Proof | null {
  const proofs: Proof[] = []
  if (totp !== undefined) proofs.push({ kind: 'totp', code: totp })
  if (recovery_code !== undefined) proofs.push({ kind: 'recovery_code', code: recovery_code })
  if (passkey !== undefined) proofs.push({ kind: 'passkey', assertion: passkey, request })
  const [proof, ...others] = proofs
  if (others.length > 0) throw invalid([{ path: '', message: 'Send one proof only' }])
  return proof ?? null
}

/** Refuses with `unauthenticated` or `forbidden`: the password alone does not suffice. */
export function secondFactorRequired(
  kind: 'unauthenticated' | 'forbidden',
  factors: readonly SecondFactor[],
  cookie?: string,
): Refusal {
  const refuse = kind === 'forbidden' ? forbidden : unauthenticated
  return refuse('This account has a second factor. Send one of `factors` too.', {
    reason: 'second_factor_required',
    factors,
    ...(cookie !== undefined && { cookie }),
  })
}

/** Refuses with `forbidden` a personal access token, which cannot change how its owner signs in. */
export function requireSession({ credential }: UserActor): void {
  if (credential.kind === 'session') return
  throw forbidden('A personal access token cannot change second factors. Sign in with a browser.')
}
