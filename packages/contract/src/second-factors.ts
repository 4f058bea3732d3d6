/** The ways to prove a second factor. Without schemas, so that the entry of the dashboard stays small. */
export const SECOND_FACTORS = ['totp', 'passkey', 'recovery_code'] as const
export type SecondFactor = (typeof SECOND_FACTORS)[number]
