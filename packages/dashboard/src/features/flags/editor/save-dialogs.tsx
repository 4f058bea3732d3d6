import { lazy, Suspense } from 'react'
import { patchOf } from './draft.ts'
import { ReviewDialog } from './review-dialog.tsx'
import type { FlagDraft } from './use-flag-draft.ts'

const ScheduleDialog = lazy(() =>
  import('../schedule/schedule-dialog.tsx').then(({ ScheduleDialog }) => ({ default: ScheduleDialog })),
)

/** Which step of a save is open. */
export type SaveStep = 'none' | 'review' | 'schedule'

interface SaveDialogsProps {
  readonly editor: FlagDraft
  readonly step: SaveStep
  readonly onStep: (step: SaveStep) => void
  /** The changes are scheduled: the draft may go. */
  readonly onScheduled: () => void
}

/** The review of a draft, and the choice of another time for it. */
export function SaveDialogs({ editor, step, onStep, onScheduled }: SaveDialogsProps) {
  const close = () => onStep('none')
  if (step === 'review') {
    return <ReviewDialog editor={editor} onClose={close} onSchedule={() => onStep('schedule')} />
  }
  const patch = step === 'schedule' ? patchOf(editor.base, editor.draft) : null
  if (patch === null) return null
  return (
    <Suspense>
      <ScheduleDialog
        flag={editor.base}
        patch={patch}
        isOpen
        onClose={close}
        onScheduled={() => {
          close()
          onScheduled()
        }}
      />
    </Suspense>
  )
}
