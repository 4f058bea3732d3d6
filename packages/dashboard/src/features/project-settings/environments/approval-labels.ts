import type { Environment } from '@burgee/contract'

export type ApprovalScope = Environment['approval_scope']

interface ScopeWords {
  readonly title: string
  readonly description: string
}

/** The changes that each scope makes wait (docs/reference/governance.md#approval-scopes). */
export const APPROVAL_LABELS: Readonly<Record<ApprovalScope, ScopeWords>> = {
  all: {
    title: 'Every change',
    description:
      'Editing, replacing, archiving, restoring, promoting onto, scheduling, bulk actions and deleting of an existing flag. Segments that would change a flag, and ending this, need a workspace admin.',
  },
  patch: {
    title: 'Edits only',
    description:
      'Only edits of a flag wait. Deleting, archiving, promoting and edits of segments still happen at once.',
  },
}
