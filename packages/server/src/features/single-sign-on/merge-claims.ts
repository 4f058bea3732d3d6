type Claims = Readonly<Record<string, unknown>>

/**
 * Adds the claims of the user info to those of the ID token, which is signed and therefore wins. An address
 * and its verification come from the same place.
 */
export function mergeClaims(idToken: Claims, userInfo: Claims): Claims {
  const isWhole = idToken.email !== undefined && idToken.email_verified !== undefined
  const { email, email_verified } = isWhole || userInfo.email === undefined ? idToken : userInfo
  return { ...userInfo, ...idToken, email, email_verified }
}
