import type { Flag } from '@burgee/contract'
import { Modal, Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import type { EndpointInput } from '../../../shared/api/types.ts'

const ScheduleForm = lazy(async () => ({ default: (await import('./schedule-form.tsx')).ScheduleForm }))

const FORM_HEIGHT_PX = 340

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
export function ScheduleDialog({ is_open, onClose, ...rest }: ScheduleDialogProps) {
  return (
    <Modal opened={is_open} onClose={onClose} size="lg" title={`Schedule a change of ${rest.flag.key}`}>
      {is_open && (
        <Suspense fallback={<Skeleton height={FORM_HEIGHT_PX} />}>
          <ScheduleForm {...rest} onClose={onClose} />
        </Suspense>
      )}
    </Modal>
  )
}
