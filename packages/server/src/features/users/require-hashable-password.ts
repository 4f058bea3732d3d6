import { PASSWORD_MAX_BYTES } from '@burgee/contract'
import { invalid } from '../../kernel/refusal.ts'

/**
 * Refuses with `invalid` a new password of more than 1,024 bytes (contract, section 4); its 8 characters at least are the
 * schema's. `path` is a JSON pointer to the field.
 */
export function requireHashablePassword(password: string, path: string): void {
  if (Buffer.byteLength(password) <= PASSWORD_MAX_BYTES) return
  throw invalid([{ path, message: `must not be longer than ${PASSWORD_MAX_BYTES} bytes` }])
}
