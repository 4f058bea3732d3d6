import type { reportEndpoints } from '@burgee/contract'
import { invalid } from '../../kernel/refusal.ts'
import type { EndpointHandlers } from '../../platform/replies/endpoint-handler.ts'
import { type DeleteReportsDeps, deleteReports } from './delete-reports.ts'
import type { DeletionSubject } from './report-deletion.ts'

interface SubjectQuery {
  readonly flag_key?: string | undefined
  readonly event_key?: string | undefined
  readonly user_id?: string | undefined
}

export function reportHandlers(deps: DeleteReportsDeps): EndpointHandlers<typeof reportEndpoints> {
  return {
    async deleteReports({ actor, query, scope }) {
      const { environment, project_id } = scope
      const { isComplete, reports } = await deleteReports(deps, actor, {
        project_id,
        environment_id: environment.id,
        ...subjectOf(query),
      })
      return { status: 200, body: { reports, complete: isComplete } }
    },
  }
}

/** Requires exactly one of the three: a query that is empty by mistake must not delete anything. */
function subjectOf({ event_key, flag_key, user_id }: SubjectQuery): DeletionSubject {
  const given: DeletionSubject[] = []
  if (flag_key !== undefined) given.push({ subject: 'flag', name: flag_key })
  if (event_key !== undefined) given.push({ subject: 'event', name: event_key })
  if (user_id !== undefined) given.push({ subject: 'user', name: user_id })
  const [subject] = given
  if (given.length === 1 && subject) return subject
  throw invalid([{ path: '', message: 'Give exactly one of flag_key, event_key and user_id.' }])
}
