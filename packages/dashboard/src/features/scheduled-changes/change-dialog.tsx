import type { Flag, ScheduledChange } from '@burgee/contract'
import { Modal } from '@mantine/core'
import { ScheduleCard } from '../../parts/schedule/schedule-card.tsx'
import { FlagHeading } from './flag-heading.tsx'

interface ChangeDialogProps {
  /** Undefined: none is open. */
  readonly change: ScheduledChange | undefined
  /** All of the environment. */
  readonly changes: readonly ScheduledChange[]
  /** The environment's flags as they are now. */
  readonly flags: readonly Flag[]
  readonly onClose: () => void
}

/** One change of the calendar. */
export function ChangeDialog({ change, changes, flags, onClose }: ChangeDialogProps) {
  return (
    <Modal opened={change !== undefined} onClose={onClose} size="lg" title="Scheduled change">
      {change && (
        <ScheduleCard
          change={change}
          changes={changes}
          flag={flags.find(({ key }) => key === change.flag_key)}
          heading={<FlagHeading flag_key={change.flag_key} />}
        />
      )}
    </Modal>
  )
}
