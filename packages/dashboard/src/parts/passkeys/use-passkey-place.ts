import { useQuery } from '@tanstack/react-query'
import { endpointQuery } from '../../shared/api/queries.ts'

/** Returns whether passkeys work on this page. */
export type PasskeyPlace =
  | { readonly kind: 'here' | 'unknown' | 'unsupported' | 'nowhere' }
  /** `origin` is the address at which they work. */
  | { readonly kind: 'elsewhere'; readonly origin: string }

/** Returns whether passkeys work on this page: with this browser, and at this address. */
export function usePasskeyPlace(): PasskeyPlace {
  const { data } = useQuery(endpointQuery('getSignInOptions', {}))
  if (!data) return { kind: 'unknown' }
  const { passkey_origins } = data
  const [origin] = passkey_origins
  if (origin === undefined) return { kind: 'nowhere' }
  if (!passkey_origins.includes(location.origin)) return { kind: 'elsewhere', origin }
  return { kind: 'PublicKeyCredential' in window ? 'here' : 'unsupported' }
}
