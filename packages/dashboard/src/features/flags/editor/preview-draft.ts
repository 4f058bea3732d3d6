import type { FlagInput, FlagPreview } from '@burgee/contract'
import type { JsonValue } from '@burgee/evaluation'
import { call } from '../../../shared/api/call.ts'

/**
 * Requests the server's version of a whole flag, whatever is in it. Rejects with the server's details if the
 * flag does not fit.
 */
export function previewDraft(
  env_id: string,
  key: string,
  flag: JsonValue,
  signal?: AbortSignal,
): Promise<FlagPreview> {
  const fields = typeof flag === 'object' && flag !== null ? flag : {}
  // The server is the one that checks it.
  const body = { ...fields, key } as FlagInput
  return call('previewFlag', { params: { env_id }, body }, signal ? { signal } : {})
}
