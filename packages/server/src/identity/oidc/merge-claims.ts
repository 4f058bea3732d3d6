type Claims = Readonly<Record<string, unknown>>

/**
 * Adds the claims of the user info to those of the ID token, which is signed and therefore wins. An address
 * and each claim that verifies it come from the same place.
 */
export function mergeClaims(idToken: Claims, userInfo: Claims): Claims {
  const isFromToken = hasVerifiedEmail(idToken) || userInfo.email === undefined
  const { email, email_verified, xms_edov } = isFromToken ? idToken : userInfo
  return { ...userInfo, ...idToken, email, email_verified, xms_edov }
}

/** Returns whether the claims have an address and state whether it is verified. */
export const hasVerifiedEmail = ({ email, email_verified, xms_edov }: Claims): boolean =>
  email !== undefined && (email_verified !== undefined || xms_edov !== undefined)
