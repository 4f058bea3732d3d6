import { createHmac } from 'node:crypto'

/** The signed content. `timestamp` is in seconds since 1970. */
interface SignedMessage {
  readonly id: string
  readonly timestamp: number
  readonly body: string | Uint8Array
}

/**
 * Returns `webhook-signature` of Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`.
 */
export const signMessage = (secret: string, { body, id, timestamp }: SignedMessage): string =>
  `v1,${createHmac('sha256', secretBytes(secret))
    .update(`${id}.${timestamp}.`)
    .update(body)
    .digest('base64')}`

/**
 * Returns the signature for receivers that verify by hand: `sha256=` and the hexadecimal HMAC-SHA256 of the
 * body.
 */
export const signBody = (secret: string, body: string | Uint8Array): string =>
  `sha256=${createHmac('sha256', secretBytes(secret)).update(body).digest('hex')}`

const PREFIX = 'whsec_'
/** Base64 (RFC 4648, section 4), with padding and at least one byte. */
const BASE64 = /^(?=.)(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/**
 * Returns the bytes of a secret: those that base64 after `whsec_` encodes, otherwise those of its UTF-8
 * (docs/reference/events.md).
 */
function secretBytes(secret: string): Buffer {
  const encoded = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : ''
  return BASE64.test(encoded) ? Buffer.from(encoded, 'base64') : Buffer.from(secret, 'utf8')
}
