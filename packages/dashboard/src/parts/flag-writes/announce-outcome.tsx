import type { Warning } from '@burgee/contract'
import { notifications } from '@mantine/notifications'
import { lazy, Suspense } from 'react'
import { AnchorLink } from '../../shared/ui/links.tsx'
import { notifySuccess } from '../../shared/ui/notify.tsx'
import { countWarnings, describeWarning } from '../../shared/warnings/describe-warning.ts'
import type { FlagOutcome } from './flag-write.ts'

const PropagationLine = lazy(() =>
  import('../propagation/propagation-line.tsx').then(({ PropagationLine: line }) => ({ default: line })),
)

interface Announcement {
  /** The change, where it was made at once: "new-checkout is on". */
  readonly done: string
  readonly project_id: string
  readonly environment_id: string
  readonly onUndo?: () => void
}

/**
 * Announces the outcome of a write: done, with undo where that is safe, or waiting for approval, with a
 * link.
 */
export function announceOutcome(outcome: FlagOutcome, { done, onUndo, ...scope }: Announcement): void {
  if (outcome.kind === 'done') {
    const { is_enabled, revision } = outcome.flag
    const more = (
      <Suspense>
        <PropagationLine {...scope} revision={revision} isOff={!is_enabled} />
      </Suspense>
    )
    notifySuccess({ message: done, more, ...(onUndo && { onUndo }) })
  } else {
    notifications.show({
      color: 'yellow',
      title: 'Waiting for approval',
      autoClose: 10_000,
      message: (
        <>
          Nothing has changed yet: someone else has to approve it.{' '}
          <AnchorLink
            size="sm"
            to="/projects/$project_id/environments/$environment_id/change-requests"
            params={scope}
            search={{ id: String(outcome.request.id) }}
          >
            See change request {outcome.request.id}
          </AnchorLink>
        </>
      ),
    })
  }
  if (outcome.warnings.length > 0) announceWarnings(outcome.warnings)
}

const WARNINGS_SHOWN = 2

/** One toast for all warnings. The page of the flag shows each of them. */
function announceWarnings(warnings: readonly Warning[]): void {
  const more = countWarnings(warnings.slice(WARNINGS_SHOWN))
  const texts = warnings.slice(0, WARNINGS_SHOWN).map(describeWarning)
  notifications.show({
    id: 'warnings',
    color: 'yellow',
    title: 'Probably a mistake',
    message: [...texts, ...(more > 0 ? [`And ${more} more.`] : [])].join(' '),
    autoClose: 12_000,
  })
}
