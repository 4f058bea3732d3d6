import type { EndpointInput, Environment, Flag, FlagInput, ImpactChange } from '@burgee/contract'

/** Returns the change that leaves the flag in this state; null is its deletion. */
export function changeTo(flag_key: string, before: Flag | null, after: Flag | null): ImpactChange {
  if (after === null) return { flag_key, operation: 'delete' }
  const isArchived = after.archived_at !== null
  if (before && isArchived !== (before.archived_at !== null))
    return { flag_key, operation: isArchived ? 'archive' : 'unarchive' }
  // Fields that a write cannot set are ignored.
  return { flag_key, operation: 'replace', flag: after as FlagInput }
}

/** Returns the change of a merge patch. */
export const patchOfFlag = (flag_key: string, patch: EndpointInput<'patchFlag'>['body']): ImpactChange => ({
  flag_key,
  operation: 'patch',
  patch,
})

/** Returns the promotion of a flag from another environment. */
export const promotionOf = (
  source: Pick<Environment, 'id'>,
  flag_key: string,
  copy_segments: boolean,
): ImpactChange => ({ promote: { source_env_id: source.id, flag_key, copy_segments } })
