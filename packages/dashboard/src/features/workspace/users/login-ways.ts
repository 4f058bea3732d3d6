import type { User } from '@burgee/contract'

/** True for an account that has no way to sign in yet: its owner has not used the link of the invitation. */
export const isInvited = ({ has_password, is_linked }: User): boolean => !has_password && !is_linked

const FACTORS: Readonly<Record<User['second_factors'][number], string>> = {
  totp: 'Authenticator app',
  passkey: 'Passkey',
}

/** Returns second factors in words: `Authenticator app and passkey`. */
export function describeFactors(factors: User['second_factors']): string {
  const words = factors.map((factor) => FACTORS[factor]).join(' and ')
  return words.charAt(0) + words.slice(1).toLowerCase()
}
