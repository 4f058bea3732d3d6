import { PASSWORD_MAX_BYTES, type PasswordPolicy, type Warning } from '@burgee/contract'
import { invalid } from '../../kernel/refusal.ts'
import { isCommonPassword } from '../../platform/common-passwords.ts'

const COMMON = 'is one of the most common passwords, which attackers try first'

/**
 * Returns the warnings about a new password. Refuses with `invalid` more than 1,024 bytes, and under the
 * policy `strict` one of the most common ones. The schema checks the minimum of 8 characters. `path` is a
 * JSON pointer to the field.
 */
export function assessPassword(
  password: string,
  { path, policies }: { readonly path: string; readonly policies: readonly (PasswordPolicy | undefined)[] },
): Warning[] {
  const bytes = Buffer.byteLength(password)
  if (bytes > PASSWORD_MAX_BYTES) {
    const limit = PASSWORD_MAX_BYTES.toLocaleString('en')
    const message = `may have at most ${limit} bytes and has ${bytes.toLocaleString('en')}`
    throw invalid([{ path, message }])
  }
  if (!isCommonPassword(password)) return []
  if (policies.includes('strict')) throw invalid([{ path, message: `${COMMON}. Choose another one.` }])
  return [{ code: 'common_password', path, message: `The password ${COMMON}.` }]
}
