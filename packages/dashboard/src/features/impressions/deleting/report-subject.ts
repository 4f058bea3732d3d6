import type { EndpointInput } from '@burgee/contract'
import { countOf } from '../../../shared/ui/count-of.ts'

/** The kind of subject whose reports are deleted. */
export type SubjectKind = 'flag_key' | 'event_key' | 'user_id'

export interface ReportSubject {
  readonly kind: SubjectKind
  readonly name: string
}

export const SUBJECT_WORDS: Readonly<Record<SubjectKind, { readonly noun: string; readonly gone: string }>> =
  {
    flag_key: {
      noun: 'flag',
      gone: 'Its impressions and everything that was counted of them are deleted, in experiments too. The flag itself stays.',
    },
    event_key: {
      noun: 'event',
      gone: 'Its goal events and everything that was counted of them are deleted, in experiments too.',
    },
    user_id: {
      noun: 'user',
      gone: 'Their impressions and goal events are deleted, and they no longer count as a user anywhere. Impressions that are too old to be listed stay in the totals, without the user.',
    },
  }

export const toQuery = ({
  kind,
  name,
}: ReportSubject): NonNullable<EndpointInput<'deleteReports'>['query']> => ({
  [kind]: name,
})

/** The message of the dialog after the deletion. */
export function describeDeletion({
  complete,
  reports,
}: {
  readonly complete: boolean
  readonly reports: number
}): string {
  const count = countOf(reports, 'report')
  if (!complete) return 'The reports are being deleted. There are many: it takes a few minutes.'
  return reports === 0 ? 'There were no reports to delete.' : `${count} deleted.`
}
