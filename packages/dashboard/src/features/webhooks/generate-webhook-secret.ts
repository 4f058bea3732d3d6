/** Standard Webhooks requires 24 to 64 bytes. */
const SECRET_BYTES = 32

/** A secret as Standard Webhooks writes it: `whsec_` and the base64 of random bytes. */
export function generateWebhookSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES))
  return `whsec_${btoa(String.fromCharCode(...bytes))}`
}
