import { Modal, Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import type { ScheduleFormProps } from './schedule-form.tsx'

const ScheduleForm = lazy(async () => ({ default: (await import('./schedule-form.tsx')).ScheduleForm }))

const FORM_HEIGHT_PX = 340

interface ScheduleDialogProps extends ScheduleFormProps {
  readonly isOpen: boolean
}

/** Chooses when a change is to happen instead of now. */
export function ScheduleDialog({ isOpen, onClose, ...rest }: ScheduleDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} size="lg" title={`Schedule a change of ${rest.flag.key}`}>
      {isOpen && (
        <Suspense fallback={<Skeleton height={FORM_HEIGHT_PX} />}>
          <ScheduleForm {...rest} onClose={onClose} />
        </Suspense>
      )}
    </Modal>
  )
}
