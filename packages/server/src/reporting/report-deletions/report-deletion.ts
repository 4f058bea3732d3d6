/** The subject whose reports are deleted. */
export interface DeletionSubject {
  readonly subject: 'flag' | 'event' | 'user'
  /** The flag key, event key or user id. */
  readonly name: string
}

/** An incomplete deletion. */
export interface ReportDeletion extends DeletionSubject {
  readonly id: number
  readonly environment_id: string
  /** The ids up to which reports are deleted; null when nothing is left to do. */
  readonly impressions_to: number | null
  readonly goal_events_to: number | null
  /** The id up to which single reports are removed; `ROLLUPS_FIRST` while rollup rows may remain. */
  readonly cursor_id: number
  readonly removed: number
}

export const ROLLUPS_FIRST = -1

/** The next step of a deletion. */
export type DeletionStep =
  | 'rollups'
  | 'flag_rows'
  | 'event_rows'
  | 'user_impressions'
  | 'user_events'
  | 'finish'

export function nextStep({
  cursor_id,
  goal_events_to,
  impressions_to,
  subject,
}: ReportDeletion): DeletionStep {
  if (impressions_to === null && goal_events_to === null) return 'finish'
  if (subject === 'user') return impressions_to === null ? 'user_events' : 'user_impressions'
  if (cursor_id === ROLLUPS_FIRST) return 'rollups'
  return subject === 'flag' ? 'flag_rows' : 'event_rows'
}
