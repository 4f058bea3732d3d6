import type { Flag } from '@burgee/contract'
import type { EndpointInput } from '../../../shared/api/types.ts'

export interface ScheduleDialogProps {
  readonly flag: Flag
  /** A JSON merge patch of the flag. */
  readonly patch: EndpointInput<'patchFlag'>['body']
  readonly is_open: boolean
  readonly onClose: () => void
  /** The change is scheduled, or waits for approval: the draft may go. */
  readonly onScheduled: () => void
}

/** Chooses when a change is to happen instead of now. */
export function ScheduleDialog({ is_open }: ScheduleDialogProps) {
  return <>{is_open}</>
}
