import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import type { PasskeyCreationOptions, PasskeyRequestOptions } from '@burgee/contract'

/** Deviations of a browser or an authenticator from what they should do. */
export interface Deviation {
  readonly origin?: string
  readonly rpId?: string
  readonly challenge?: string
  readonly type?: string
  readonly isVerified?: boolean
  /** The count of signatures; one more than before by default. */
  readonly count?: number
  readonly userHandle?: string | null
  readonly tamper?: 'signature' | 'data'
  /** The attestation statement in CBOR, with its format. */
  readonly attestation?: { readonly fmt: string; readonly attStmt: Buffer }
}

/** A browser and an authenticator with one passkey (ES256, or RS256), in memory. */
export interface SoftwareAuthenticator {
  readonly credentialId: string
  create(options: PasskeyCreationOptions, deviation?: Deviation): ReturnType<typeof toCreated>
  sign(options: PasskeyRequestOptions, deviation?: Deviation): ReturnType<typeof toSigned>
}

interface Settings {
  readonly origin: string
  /** True when it counts its signatures; synchronized passkeys do not. */
  readonly counts?: boolean
  /** The bits of an RSA key, in place of one for ES256. */
  readonly rsaBits?: number
}

const FLAGS = { present: 0x01, verified: 0x04, attested: 0x40 }

export function createAuthenticator({ counts = true, origin, rsaBits }: Settings): SoftwareAuthenticator {
  const { privateKey, publicKey } =
    rsaBits === undefined
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('rsa', { modulusLength: rsaBits })
  const id = randomBytes(32)
  let count = 0
  let handle = ''
  const next = (deviation: Deviation) => {
    if (counts) count += 1
    if (deviation.count !== undefined) count = deviation.count
    return count
  }
  const clientData = (type: string, challenge: string, deviation: Deviation) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false, ...pick(deviation) }))
  return {
    credentialId: id.toString('base64url'),
    create(options, deviation = {}) {
      handle = options.user.id
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const attested = Buffer.concat([Buffer.alloc(16), length, id, coseKey(publicKey)])
      const data = Buffer.concat([
        authenticatorData(deviation.rpId ?? options.rp.id, FLAGS.attested, next(deviation), deviation),
        attested,
      ])
      return toCreated(id, clientData('webauthn.create', options.challenge, deviation), data, deviation)
    },
    sign(options, deviation = {}) {
      const data = authenticatorData(deviation.rpId ?? options.rpId, 0, next(deviation), deviation)
      const client = clientData('webauthn.get', options.challenge, deviation)
      return toSigned(id, { client, data, privateKey, handle }, deviation)
    },
  }
}

/** Returns the fields of the client data that deviate. */
const pick = ({ challenge, origin, type }: Deviation) => ({
  ...(type !== undefined && { type }),
  ...(challenge !== undefined && { challenge }),
  ...(origin !== undefined && { origin }),
})

function authenticatorData(
  rpId: string,
  flags: number,
  count: number,
  { isVerified = true }: Deviation,
): Buffer {
  const rest = Buffer.alloc(5)
  rest.writeUInt8(flags | FLAGS.present | (isVerified ? FLAGS.verified : 0))
  rest.writeUInt32BE(count, 1)
  return Buffer.concat([sha256(Buffer.from(rpId)), rest])
}

function toCreated(id: Buffer, client: Buffer, data: Buffer, { attestation }: Deviation) {
  const { attStmt, fmt } = attestation ?? { fmt: 'none', attStmt: cbor.map([]) }
  const object = cbor.map([
    [cbor.text('fmt'), cbor.text(fmt)],
    [cbor.text('attStmt'), attStmt],
    [cbor.text('authData'), cbor.bytes(data)],
  ])
  return {
    ...credential(id),
    response: {
      clientDataJSON: client.toString('base64url'),
      attestationObject: object.toString('base64url'),
      transports: ['internal', 'unheard-of'],
    },
  }
}

interface Signing {
  readonly client: Buffer
  readonly data: Buffer
  readonly privateKey: KeyObject
  readonly handle: string
}

function toSigned(id: Buffer, { client, data, handle, privateKey }: Signing, deviation: Deviation) {
  const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)
  if (deviation.tamper === 'signature') flip(signature, signature.length - 1)
  // The count, which is signed.
  if (deviation.tamper === 'data') flip(data, data.length - 2)
  return {
    ...credential(id),
    response: {
      clientDataJSON: client.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: signature.toString('base64url'),
      userHandle: deviation.userHandle === undefined ? handle : deviation.userHandle,
    },
  }
}

const credential = (id: Buffer) => ({
  id: id.toString('base64url'),
  rawId: id.toString('base64url'),
  type: 'public-key',
})

const flip = (bytes: Buffer, at: number) => bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest()

/** Encodes a public key for ES256 (RFC 9053, section 7.1.1) or RS256 (RFC 8230, section 4). */
function coseKey(publicKey: KeyObject): Buffer {
  const { e = '', kty, n = '', x = '', y = '' } = publicKey.export({ format: 'jwk' })
  if (kty === 'RSA')
    return cbor.map([
      [cbor.int(1), cbor.int(3)],
      [cbor.int(3), cbor.int(-257)],
      [cbor.int(-1), cbor.bytes(Buffer.from(n, 'base64url'))],
      [cbor.int(-2), cbor.bytes(Buffer.from(e, 'base64url'))],
    ])
  return cbor.map([
    [cbor.int(1), cbor.int(2)],
    [cbor.int(3), cbor.int(-7)],
    [cbor.int(-1), cbor.int(1)],
    [cbor.int(-2), cbor.bytes(Buffer.from(x, 'base64url'))],
    [cbor.int(-3), cbor.bytes(Buffer.from(y, 'base64url'))],
  ])
}

/** Encodes the few kinds of CBOR that authenticators need (RFC 8949), without the server's library. */
export const cbor = {
  int: (value: number) => (value < 0 ? head(1, -1 - value) : head(0, value)),
  bytes: (value: Buffer) => Buffer.concat([head(2, value.length), value]),
  text: (value: string) => Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]),
  map: (entries: readonly (readonly [Buffer, Buffer])[]) =>
    Buffer.concat([head(5, entries.length), ...entries.flat()]),
}

function head(major: number, value: number): Buffer {
  const kind = major << 5
  if (value < 24) return Buffer.from([kind | value])
  if (value < 256) return Buffer.from([kind | 24, value])
  return Buffer.from([kind | 25, value >> 8, value & 0xff])
}
