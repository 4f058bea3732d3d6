import { createHmac } from 'node:crypto'

/** The length of a step in seconds (RFC 6238, section 4.1), which authenticator apps assume. */
const STEP_SECONDS = 30
const DIGITS = 6
/** The steps that are accepted before and after the current one, for clocks that differ. */
const WINDOW_STEPS = 1
/** RFC 4226, section 4: the length of the HMAC's key. */
export const TOTP_SECRET_BYTES = 20

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const BASE32_BITS = 5

/** Returns the step of a time (RFC 6238, section 4.2). */
export const totpStep = (epochMs: number): number => Math.floor(epochMs / 1_000 / STEP_SECONDS)

/** Returns the code of a step: HMAC-SHA-1, truncated to `digits` digits (RFC 4226, section 5.3). */
export function totpCode(secret: Uint8Array, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', secret).update(counter).digest()
  const offset = digest.readUInt8(digest.length - 1) & 0xf
  const truncated = digest.readUInt32BE(offset) & 0x7f_ff_ff_ff
  return String(truncated % 10 ** digits).padStart(digits, '0')
}

/**
 * Returns the step of a code: the current one, or a neighbor. Null for a wrong code, and for a step that is
 * not after `lastStep`: each is accepted once.
 */
export function matchTotp(
  secret: Uint8Array,
  typed: string,
  { lastStep, nowMs }: { readonly nowMs: number; readonly lastStep: number | null },
): number | null {
  const code = typed.replaceAll(/\s/g, '')
  const current = totpStep(nowMs)
  for (let step = current - WINDOW_STEPS; step <= current + WINDOW_STEPS; step += 1) {
    const isNew = lastStep === null || step > lastStep
    if (isNew && totpCode(secret, step) === code) return step
  }
  return null
}

/** Encodes bytes in base32 without padding (RFC 4648, section 6), as authenticator apps read it. */
export function toBase32(bytes: Uint8Array): string {
  let text = ''
  let bits = 0
  let value = 0
  for (const byte of bytes) {
    value = (value << 8) | byte
    bits += 8
    while (bits >= BASE32_BITS) {
      bits -= BASE32_BITS
      text += BASE32.charAt((value >> bits) & 31)
    }
    value &= (1 << bits) - 1
  }
  return bits > 0 ? text + BASE32.charAt((value << (BASE32_BITS - bits)) & 31) : text
}

/** Returns the address that an authenticator app reads from a QR code. */
export function otpauthUrl({
  account,
  issuer,
  secret,
}: {
  readonly issuer: string
  readonly account: string
  readonly secret: string
}): string {
  // A colon separates the two, so neither may contain one.
  const [name, label] = [issuer, account].map((text) => encodeURIComponent(text.replaceAll(':', ' ')))
  return `otpauth://totp/${name}:${label}?secret=${secret}&issuer=${name}`
}
