import type { ChangePreview, Flag } from '@burgee/contract'
import { Refusal } from '../../kernel/refusal.ts'
import {
  applyOperation,
  diffFlags,
  type OperationMoment,
  readStoredOperation,
} from '../../targeting/flag-model/index.ts'
import type { StoredChangeRequest } from './queries.ts'

/** The current state of what a pending request concerns. */
export interface CurrentState {
  readonly flag: Flag | undefined
  /** True when the request withdraws a scheduled change that is not pending any more. */
  readonly isScheduleGone: boolean
}

/**
 * Returns the effect of approving a request on the current flag, and the changes to the flag since the
 * request was opened. `problem` explains why a change does not fit any more.
 */
export async function previewChange(
  request: Pick<StoredChangeRequest, 'body' | 'base_flag' | 'operation'>,
  { flag: current, isScheduleGone }: CurrentState,
  moment: OperationMoment,
): Promise<ChangePreview> {
  const isCreation = request.operation === 'create'
  if (!current && !isCreation)
    return { before: null, after: null, changes: [], conflicts: [], problem: 'The flag was deleted.' }
  if (current && isCreation)
    return { before: current, after: null, changes: [], conflicts: [], problem: FLAG_EXISTS }
  const before = current ?? null
  const conflicts = before ? diffFlags(request.base_flag, before).map(({ path }) => path) : []
  try {
    const { after } = await applyOperation(before, await readStoredOperation(request.body), moment)
    return { ...toPreview(before, after), conflicts, ...(isScheduleGone && { problem: SCHEDULE_GONE }) }
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind === 'unavailable') throw error
    return { before, after: null, changes: [], conflicts, problem: error.message }
  }
}

/** The reason why a flag cannot be created any more. */
export const FLAG_EXISTS = 'A flag with this key exists by now.'

/** The reason why a scheduled change cannot be withdrawn any more. */
export const SCHEDULE_GONE = 'The scheduled change was executed or withdrawn already.'

/** Returns the preview of a change that was already applied to the current flag. */
export const toPreview = (before: Flag | null, after: Flag | null): ChangePreview => ({
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
  { body, operation }: Pick<StoredChangeRequest, 'body' | 'operation'>,
  current: Flag | undefined,
  moment: OperationMoment,
): Promise<{ readonly before: Flag | null; readonly after: Flag | null } | null> {
  if ((operation === 'create') === (current !== undefined)) return null
  const before = current ?? null
  try {
    const { after } = await applyOperation(before, await readStoredOperation(body), moment)
    return { before, after }
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind === 'unavailable') throw error
    return null
  }
}
