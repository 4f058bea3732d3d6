import type { ChangePreview, Flag } from '@burgee/contract'
import { Refusal } from '../../kernel/refusal.ts'
import { applyOperation, diffFlags, readStoredOperation } from '../flags/index.ts'
import type { StoredChangeRequest } from './queries.ts'

/**
 * Returns the effect of approving a request on the current flag, and the changes to the flag since the
 * request was opened. `problem` explains why a change does not fit any more.
 */
export async function previewChange(
  request: Pick<StoredChangeRequest, 'body' | 'base_flag'>,
  current: Flag | undefined,
  now: string,
): Promise<ChangePreview> {
  if (!current)
    return { before: null, after: null, changes: [], conflicts: [], problem: 'The flag was deleted.' }
  const conflicts = diffFlags(request.base_flag, current).map(({ path }) => path)
  try {
    const { after } = applyOperation(current, await readStoredOperation(request.body), now)
    return { ...toPreview(current, after), conflicts }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { before: current, after: null, changes: [], conflicts, problem: error.message }
  }
}

/** Returns the preview of a change that was already applied to the current flag. */
export const toPreview = (before: Flag, after: Flag | null): ChangePreview => ({
  before,
  after,
  changes: diffFlags(before, after),
  conflicts: [],
})

/**
 * Returns the change of a request as it is or would be for the current flag; null when there is no flag, or
 * the change does not fit it.
 */
export async function findChange(
  { body }: Pick<StoredChangeRequest, 'body'>,
  current: Flag | undefined,
  now: string,
): Promise<{ readonly before: Flag; readonly after: Flag | null } | null> {
  if (!current) return null
  try {
    return { before: current, after: applyOperation(current, await readStoredOperation(body), now).after }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return null
  }
}
