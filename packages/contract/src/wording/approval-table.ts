/** The requirement of a change: the approval of others, a workspace admin, or nothing. */
export type ApprovalNeed = 'approval' | 'workspace admin' | 'nothing'

interface ApprovalRow {
  readonly change: string
  readonly patch: ApprovalNeed
  readonly all: ApprovalNeed
}

/** The need of each kind of change under both scopes (docs/reference/governance.md#approval-scopes). */
export const APPROVAL_TABLE: readonly ApprovalRow[] = [
  { change: 'Editing a flag: switch, rollout, rules, values', patch: 'approval', all: 'approval' },
  { change: 'Bulk enable, disable, and adding or removing tags', patch: 'approval', all: 'approval' },
  { change: 'Undoing entries of the audit log', patch: 'approval', all: 'approval' },
  { change: 'Replacing a flag, or restoring an earlier version', patch: 'nothing', all: 'approval' },
  { change: 'Promoting onto an existing flag', patch: 'nothing', all: 'approval' },
  { change: 'Archiving and unarchiving', patch: 'nothing', all: 'approval' },
  { change: 'Deleting a flag', patch: 'nothing', all: 'approval' },
  { change: 'Scheduling an edit, which then runs', patch: 'nothing', all: 'approval' },
  { change: 'Withdrawing a scheduled change that was approved', patch: 'nothing', all: 'approval' },
  {
    change: 'Creating a flag that others need, or whose key existed before',
    patch: 'nothing',
    all: 'approval',
  },
  { change: 'Creating a flag that is new and that no other flag needs', patch: 'nothing', all: 'nothing' },
  { change: 'Editing a segment that changes a flag', patch: 'nothing', all: 'workspace admin' },
  {
    change: 'Ending or weakening approval, or deleting the environment',
    patch: 'nothing',
    all: 'workspace admin',
  },
]
