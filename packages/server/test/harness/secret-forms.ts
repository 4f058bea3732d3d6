/**
 * Returns the forms in which a text may occur elsewhere: as it is, in a URL, in JSON, in base64 or as hex.
 */
export function secretForms(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8')
  const forms = [
    secret,
    encodeURIComponent(secret),
    encodeURIComponent(secret).replaceAll('%20', '+'),
    JSON.stringify(secret).slice(1, -1),
    bytes.toString('hex'),
    ...BASE64_OFFSETS.flatMap((offset) => [
      base64Inside(bytes, offset, 'base64'),
      base64Inside(bytes, offset, 'base64url'),
    ]),
  ]
  return [...new Set(forms)]
}

/** The offsets: base64 encodes three bytes as four characters, so a text looks different at each. */
const BASE64_OFFSETS = [0, 1, 2]
const GROUP_BYTES = 3

/** Returns the part of a text's base64 that does not depend on what precedes and follows it. */
function base64Inside(bytes: Buffer, offset: number, encoding: 'base64' | 'base64url'): string {
  const skipped = (GROUP_BYTES - offset) % GROUP_BYTES
  const whole = Math.floor((bytes.length - skipped) / GROUP_BYTES) * GROUP_BYTES
  return bytes.subarray(skipped, skipped + whole).toString(encoding)
}
