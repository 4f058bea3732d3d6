import { isShortSecret, SHORT_SECRET_CHARS, type Warning } from '@burgee/contract'

/** Returns the warnings about a signing secret as it was sent; none when it was not sent, or removed. */
export function secretWarnings(secret: string | null | undefined): Warning[] {
  if (typeof secret !== 'string' || !isShortSecret(secret)) return []
  const message = `The secret has fewer than ${SHORT_SECRET_CHARS} characters: it can be guessed from one signed message. Generate a random one.`
  return [{ code: 'short_secret', path: '/secret', message }]
}
