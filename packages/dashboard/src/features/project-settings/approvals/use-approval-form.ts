import type { Environment } from '@burgee/contract'
import { useState } from 'react'
import { call } from '../../../shared/api/call.ts'
import { useSubmit } from '../../../shared/forms/use-submit.ts'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { countOf } from '../../../shared/ui/count-of.ts'
import { notifySuccess } from '../../../shared/ui/notify.tsx'
import type { ApprovalScope } from './approval-labels.ts'

/** The fields of the approval settings. Every change is the proposed scope: it leaves no side door. */
export function useApprovalForm(environment: Environment, onDone: () => void) {
  const { project_id } = useScope()
  const { id: env_id, require_approval } = environment
  const [scope, setScope] = useState<ApprovalScope>(require_approval ? environment.approval_scope : 'all')
  const [min_approvals, setMinApprovals] = useState(environment.min_approvals)
  const [approvers, setApprovers] = useState(environment.approvers)
  const [isRequested, setRequested] = useState(true)
  const submission = useSubmit(['approvers', 'min_approvals'], async () => {
    const planned_changes = scope === 'all' && isRequested ? 'request' : 'keep'
    const set = {
      require_approval: true,
      approval_scope: scope,
      min_approvals,
      approvers,
      planned_changes,
    } as const
    const { planned } = await call('requireApproval', { params: { project_id, env_id }, body: set })
    notifySuccess({ message: describeOutcome(scope, planned?.requested.length ?? 0) })
    onDone()
  })
  return {
    ...{ approvers, isRequested, min_approvals, scope, submission },
    ...{ setApprovers, setMinApprovals, setRequested, setScope },
  }
}

function describeOutcome(scope: ApprovalScope, requested: number): string {
  const setting = scope === 'all' ? 'Every change now needs approval.' : 'Edits now need approval.'
  if (requested === 0) return setting
  return `${setting} ${countOf(requested, 'scheduled change waits', 'scheduled changes wait')} for approval.`
}
