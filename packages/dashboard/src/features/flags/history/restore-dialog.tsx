import type { Flag } from '@burgee/contract'
import { describeFlagChange } from '@burgee/contract'
import { Modal, Stack, Text } from '@mantine/core'
import { FlagDiff } from '../../../parts/flag-diff/flag-diff.tsx'
import { changeTo, ImpactPanel, useOverride } from '../../../parts/impact/index.tsx'
import { bothPermissions, useComment } from '../../../shared/comments/use-comment.tsx'
import { ChangeActions } from '../../../shared/forms/change-actions.tsx'
import { needsApproval } from '../../../shared/scope/needs-approval.ts'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { ApprovalNote } from '../../../shared/ui/approval-note.tsx'
import { Failure } from '../../../shared/ui/failure.tsx'
import { useRestore } from './use-restore.ts'

interface RestoreDialogProps {
  /** As it is now. */
  readonly flag: Flag
  /** As it was; null while nothing is to be restored. */
  readonly restored: Flag | null
  readonly onClose: () => void
}

/** Shows the changes that a restore would make now, and restores. */
export function RestoreDialog({ flag, restored, onClose }: RestoreDialogProps) {
  return (
    <Modal
      opened={restored !== null}
      onClose={onClose}
      size="lg"
      title={`Restore revision ${restored?.revision ?? ''}`}
    >
      {restored && <RestoreForm flag={flag} restored={restored} onClose={onClose} />}
    </Modal>
  )
}

function RestoreForm({
  flag,
  restored,
  onClose,
}: {
  readonly flag: Flag
  readonly restored: Flag
  readonly onClose: () => void
}) {
  const { environment, environment_id, project_id } = useScope()
  const { restore, failure, isBusy } = useRestore(flag, { restored, onDone: onClose })
  const { comment, field, permission } = useComment(environment)
  const isAsking = needsApproval(environment)
  const isSame = describeFlagChange(flag, restored).length === 0
  const changes = [changeTo(flag.key, null, { ...restored, archived_at: null })]
  const override = useOverride({ environment_id, changes, failure, isLater: isAsking || isSame })
  return (
    <Stack gap="md">
      <Text size="sm">
        {flag.key} in {environment?.name} becomes what it was. This is a new change: the history keeps all
        that came between.
      </Text>
      <FlagDiff before={flag} after={restored} />
      {!isSame && (
        <ImpactPanel
          project_id={project_id}
          environment_id={environment_id}
          changes={changes}
          names={restored.variant_names}
        />
      )}
      {isAsking && environment && <ApprovalNote environment_name={environment.name} />}
      {field}
      {failure !== null && <Failure error={failure} title="The flag was not restored" />}
      {override.field}
      <ChangeActions
        label={`Restore revision ${restored.revision}`}
        isAsking={isAsking}
        isBusy={isBusy}
        isReady={!isSame}
        permission={bothPermissions(override.permission, permission)}
        onClose={onClose}
        onClick={() => void restore({ comment, overrideReason: override.overrideReason })}
      />
    </Stack>
  )
}
