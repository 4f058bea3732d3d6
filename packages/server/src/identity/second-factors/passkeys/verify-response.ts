import type { PasskeyAssertion, PasskeyInput } from '@burgee/contract'
import { invalid } from '../../../kernel/refusal.ts'
import { PASSKEY_ALGORITHMS } from './passkey.ts'
import type { RelyingParty } from './relying-party.ts'

/** The largest public key: an RSA key of 4,096 bits has 540 bytes, and larger ones only take longer. */
const PUBLIC_KEY_MAX_BYTES = 1_024
/** The smallest modulus of an RSA key (NIST SP 800-131A). */
const RSA_MIN_BITS = 2_048
/** The longest id of a credential (WebAuthn, section 5.8.3), in base64url. */
const CREDENTIAL_ID_MAX_LENGTH = 1_364

interface Expected {
  readonly party: RelyingParty
  /** Returns whether a challenge is ours, for this use, and still valid. */
  readonly isChallenge: (challenge: string) => boolean
}

export interface NewCredential {
  readonly credential_id: string
  readonly public_key: Buffer
  readonly sign_count: number
}

export interface StoredCredential {
  readonly credential_id: string
  readonly public_key: Buffer
}

/**
 * Verifies the response to the creation of a passkey (WebAuthn, section 7.1). Throws when it is wrong, and
 * refuses a weak key with `invalid`. The attestation is not read: nothing depends on the maker of the
 * authenticator.
 */
export async function verifyCreation(
  { id, rawId, response, type }: PasskeyInput['credential'],
  { isChallenge, party }: Expected,
): Promise<NewCredential> {
  requirePublicKey(type)
  // Loaded with the first use: the library takes longer to load than the server to start.
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const { attestationObject, clientDataJSON } = response
  const { registrationInfo } = await verifyRegistrationResponse({
    response: {
      ...{ id, rawId, type: 'public-key', clientExtensionResults: {} },
      response: { clientDataJSON, attestationObject: await withoutAttestation(attestationObject) },
    },
    expectedChallenge: isChallenge,
    expectedOrigin: [...party.origins],
    expectedRPID: party.id,
    requireUserVerification: true,
    supportedAlgorithmIDs: [...PASSKEY_ALGORITHMS],
  })
  if (!registrationInfo) throw new Error('the response was not verified')
  const { counter, id: credential_id, publicKey } = registrationInfo.credential
  if (credential_id !== id) throw new Error('the id is not that of the credential')
  if (credential_id.length > CREDENTIAL_ID_MAX_LENGTH || publicKey.length > PUBLIC_KEY_MAX_BYTES) {
    throw new Error('the credential is too large')
  }
  await requireStrongKey(publicKey)
  return { credential_id, public_key: Buffer.from(publicKey), sign_count: counter }
}

/** Refuses an RSA key that can be factored. */
async function requireStrongKey(publicKey: Uint8Array): Promise<void> {
  const { cose, decodeCredentialPublicKey } = await import('@simplewebauthn/server/helpers')
  const key = decodeCredentialPublicKey(new Uint8Array(publicKey))
  if (!cose.isCOSEPublicKeyRSA(key)) return
  const modulus = Buffer.from(key.get(cose.COSEKEYS.n) ?? [])
    .toString('hex')
    .replace(/^0+/, '')
  const bits = modulus === '' ? 0 : BigInt(`0x${modulus}`).toString(2).length
  if (bits >= RSA_MIN_BITS) return
  const message = `has an RSA key of ${bits} bits, and at least ${RSA_MIN_BITS} are required. Use another authenticator.`
  throw invalid([{ path: '/credential', message }])
}

/** Replaces the attestation statement by the format "none" (WebAuthn, section 8.7). */
async function withoutAttestation(attestationObject: string): Promise<string> {
  const { decodeAttestationObject, isoCBOR } = await import('@simplewebauthn/server/helpers')
  const decoded = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')))
  const bytes = isoCBOR.encode(
    new Map<string, string | Uint8Array | Map<string, string>>([
      ['fmt', 'none'],
      ['attStmt', new Map<string, string>()],
      ['authData', decoded.get('authData')],
    ]),
  )
  return Buffer.from(bytes).toString('base64url')
}

/**
 * Verifies the signature of a passkey over a challenge (WebAuthn, section 7.2), and returns the
 * authenticator's count of signatures. Throws when the response is wrong. The caller compares the count: the
 * library does so before the signature, and anyone could send a low one.
 */
export async function verifySignature(
  { id, rawId, response, type }: PasskeyAssertion,
  stored: StoredCredential,
  { isChallenge, party }: Expected,
): Promise<number> {
  requirePublicKey(type)
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const { authenticatorData, clientDataJSON, signature } = response
  const { authenticationInfo, verified } = await verifyAuthenticationResponse({
    response: {
      ...{ id, rawId, type: 'public-key', clientExtensionResults: {} },
      response: { authenticatorData, clientDataJSON, signature },
    },
    expectedChallenge: isChallenge,
    expectedOrigin: [...party.origins],
    expectedRPID: party.id,
    requireUserVerification: true,
    credential: { id: stored.credential_id, publicKey: new Uint8Array(stored.public_key), counter: 0 },
  })
  if (!verified) throw new Error('the signature is wrong')
  return authenticationInfo.newCounter
}

function requirePublicKey(type: string): void {
  if (type !== 'public-key') throw new Error('the type of the credential is not public-key')
}
