import { isIP } from 'node:net'
import { forbidden } from '../../kernel/refusal.ts'

/**
 * Requires that the Host header names this server: `PUBLIC_URL`, an address or `localhost`. A page whose name
 * was made to lead here (DNS rebinding) has another one.
 */
export function requireOwnHost(host: string | undefined, publicUrl: string | null): void {
  const name = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : ''
  const isOwn = publicUrl !== null && new URL(publicUrl).hostname === name
  const isAddress = isIP(name.replace(/^\[|\]$/g, '')) !== 0
  if (isOwn || isAddress || name === 'localhost' || name.endsWith('.localhost')) return
  throw forbidden(
    'The Host of this request is not this server. Set PUBLIC_URL to the address that clients use.',
  )
}
