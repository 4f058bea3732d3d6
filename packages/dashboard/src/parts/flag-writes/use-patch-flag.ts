import type { EndpointInput } from '@burgee/contract'
import { useQueryClient } from '@tanstack/react-query'
import { type CallOptions, send } from '../../shared/api/call.ts'
import { type FlagOutcome, settleFlagWrite } from './flag-write.ts'

type PatchOptions = Pick<CallOptions, 'comment' | 'ifMatch' | 'overrideReason'>
type FlagPatchBody = EndpointInput<'patchFlag'>['body']

/**
 * Patches a flag, as the only place of the page that does. `ifMatch` is the revision that the person saw; a
 * stale one rejects with 412.
 */
export function usePatchFlag(env_id: string) {
  const client = useQueryClient()
  return async (key: string, patch: FlagPatchBody, options: PatchOptions = {}): Promise<FlagOutcome> => {
    const reply = await send('patchFlag', { params: { env_id, key }, body: patch }, options)
    return settleFlagWrite(client, env_id, reply)
  }
}
