import { PASSWORD_MAX_BYTES, type PasswordPolicy, type Warning } from '@burgee/contract'
import { invalid } from '../../kernel/refusal.ts'
import { isCommonPassword } from '../../platform/common-passwords.ts'
import { isMadeOfWords } from '../../platform/password-words.ts'

/** The rules of this installation for new passwords. */
export interface PasswordRules {
  readonly policy: PasswordPolicy
  /** Words of the organization, which attackers try first. */
  readonly words: readonly string[]
}

interface Assessed {
  /** A JSON pointer to the field. */
  readonly path: string
  readonly rules: PasswordRules
  /** The policy that the request requests. */
  readonly policy: PasswordPolicy | undefined
}

const COMMON = 'is one of the most common passwords, which attackers try first'
const OWN_WORDS = 'is made of words of this organization, which attackers try first'

/**
 * Returns the warnings about a new password. Refuses with `invalid` more than 1,024 bytes, and under the
 * policy `strict` one of the most common ones, or one that is made of words of the organization. The schema
 * checks the minimum of 8 characters.
 */
export function assessPassword(password: string, { path, policy, rules }: Assessed): Warning[] {
  if (Buffer.byteLength(password) > PASSWORD_MAX_BYTES) {
    throw invalid([{ path, message: `must not be longer than ${PASSWORD_MAX_BYTES} bytes` }])
  }
  const reason = isCommonPassword(password) ? COMMON : isMadeOfWords(password, rules.words) ? OWN_WORDS : null
  if (reason === null) return []
  if (rules.policy === 'strict' || policy === 'strict')
    throw invalid([{ path, message: `${reason}. Choose another one.` }])
  return [{ code: 'common_password', path, message: `The password ${reason}.` }]
}
