import { OTHER_NAME } from '@burgee/contract'
import { call } from '../../../shared/api/call.ts'
import { confirm } from '../../../shared/forms/confirm.tsx'
import { isProduction } from '../../../shared/scope/is-production.ts'
import { type Permission, usePermissions } from '../../../shared/scope/use-permissions.ts'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { notifySuccess } from '../../../shared/ui/notify.tsx'
import { describeDeletion, type ReportSubject, SUBJECT_WORDS, toQuery } from './report-subject.ts'

interface ReportsDeletion {
  readonly permission: Permission
  /** Deletes without a confirmation: for a dialog that has had its own. */
  readonly remove: (subject: ReportSubject) => Promise<void>
  /** Opens a confirmation first. In Production the name has to be typed. */
  readonly ask: (subject: ReportSubject) => void
}

/** The way to delete reports of the open environment. */
export function useDeleteReports(): ReportsDeletion {
  const { environment, environment_id: env_id } = useScope()
  const permission = usePermissions()('deleteReports')
  const remove = async (subject: ReportSubject) => {
    const deleted = await call('deleteReports', { params: { env_id }, query: toQuery(subject) })
    notifySuccess({ message: describeDeletion(deleted) })
  }
  const ask = (subject: ReportSubject) => {
    const { gone, noun } = SUBJECT_WORDS[subject.kind]
    confirm({
      title: `Delete the reports of this ${subject.name === OTHER_NAME ? 'name' : noun}?`,
      confirmLabel: 'Delete reports',
      ...(isProduction(environment) && { typed: subject.name }),
      children: (
        <span style={{ overflowWrap: 'anywhere' }}>
          <b>{subject.name}</b>: {gone} This cannot be undone. Reports that come in later are kept.
        </span>
      ),
      onConfirm: () => remove(subject),
    })
  }
  return { permission, remove, ask }
}
