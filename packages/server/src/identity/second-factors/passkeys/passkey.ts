import {
  LOGIN_STEP_MS,
  type Passkey,
  type PasskeyCreationOptions,
  type PasskeyRequestOptions,
} from '@burgee/contract'
import type { RelyingParty } from './relying-party.ts'

/** COSE algorithms of public keys: ES256, EdDSA and RS256, which every browser has between them. */
export const PASSKEY_ALGORITHMS = [-7, -8, -257] as const

/** The ways to reach an authenticator (WebAuthn, section 5.8.4). Others are not stored. */
const TRANSPORTS: readonly string[] = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']

export interface StoredPasskey extends Passkey {
  readonly user_id: number
  readonly credential_id: string
  readonly public_key: Buffer
  readonly sign_count: number
}

export type KnownCredential = Pick<StoredPasskey, 'credential_id'> & {
  readonly transports: readonly string[]
}

export const knownTransports = (named: readonly string[] | undefined): string[] =>
  TRANSPORTS.filter((transport) => named?.includes(transport))

/**
 * Returns whether a count of signatures shows a copy of the authenticator: it did not grow (WebAuthn, section
 * 6.1.1). Passkeys that are synchronized keep no count: it is always 0.
 */
export const isCopied = (before: number, now: number): boolean => (before > 0 || now > 0) && now <= before

interface Ceremony {
  readonly party: RelyingParty
  readonly challenge: string
  readonly credentials: readonly KnownCredential[]
}

/** Returns the options with which a browser signs a challenge. */
export const requestOptions = ({ challenge, credentials, party }: Ceremony): PasskeyRequestOptions => ({
  challenge,
  rpId: party.id,
  timeout: LOGIN_STEP_MS,
  userVerification: 'required',
  allowCredentials: credentials.map(toDescriptor),
})

/**
 * Returns the options with which a browser creates a passkey. It is one that the authenticator finds without
 * the name of the account.
 */
export const creationOptions = (
  { challenge, credentials, party }: Ceremony,
  { handle, issuer, user }: NewOwner,
): PasskeyCreationOptions => ({
  challenge,
  rp: { id: party.id, name: issuer },
  user: { id: handle, name: user.email, displayName: user.name },
  pubKeyCredParams: PASSKEY_ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
  timeout: LOGIN_STEP_MS,
  excludeCredentials: credentials.map(toDescriptor),
  authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
  attestation: 'none',
})

interface NewOwner {
  readonly handle: string
  readonly issuer: string
  readonly user: { readonly email: string; readonly name: string }
}

const toDescriptor = ({ credential_id, transports }: KnownCredential) => ({
  id: credential_id,
  type: 'public-key' as const,
  transports: [...transports],
})
