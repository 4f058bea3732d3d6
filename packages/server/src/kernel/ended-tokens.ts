/** The tokens that ended with a user's access, as an audit entry has them. */
export interface EndedTokens {
  readonly tokens_revoked: number
  /** Those of service accounts, which they or their tokens had created; at most 100, absent without any. */
  readonly account_tokens_revoked?: readonly string[]
}

export const NO_TOKENS: EndedTokens = { tokens_revoked: 0 }
