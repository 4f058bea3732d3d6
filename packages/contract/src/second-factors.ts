/** The ways to prove a second factor. Without schemas, so that the entry of the dashboard stays small. */
export const SECOND_FACTORS = ['totp', 'passkey', 'recovery_code'] as const
/** The kinds of factors that an account has. Recovery codes come with them. */
export const ENROLLED_FACTORS = ['totp', 'passkey'] as const
export type SecondFactor = (typeof SECOND_FACTORS)[number]
