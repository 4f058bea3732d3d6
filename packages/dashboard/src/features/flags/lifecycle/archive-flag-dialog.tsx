import type { Environment, Flag } from '@burgee/contract'
import { Modal, Stack } from '@mantine/core'
import { useOverride } from '../../../parts/impact/index.tsx'
import { bothPermissions, useComment } from '../../../shared/comments/use-comment.tsx'
import { ChangeActions } from '../../../shared/forms/change-actions.tsx'
import { useSubmit } from '../../../shared/forms/use-submit.ts'
import { needsApproval } from '../../../shared/scope/needs-approval.ts'
import { Failure } from '../../../shared/ui/failure.tsx'
import { ArchivalEffect } from './archival-effect.tsx'
import { useArchive } from './use-archive.ts'

interface ArchiveFlagDialogProps {
  readonly flag: Flag
  readonly environment: Environment
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Shows what an archived flag means for code and other flags before it is archived. */
export function ArchiveFlagDialog({ flag, isOpen, onClose, environment }: ArchiveFlagDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={`Archive ${flag.key}`}>
      {isOpen && <ArchiveForm flag={flag} environment={environment} onClose={onClose} />}
    </Modal>
  )
}

function ArchiveForm({ flag, environment, onClose }: Omit<ArchiveFlagDialogProps, 'isOpen'>) {
  const { archive } = useArchive(flag)
  const { comment, field, permission } = useComment(environment)
  const { formProps, failure, isBusy } = useSubmit([], async () => {
    await archive({ comment, overrideReason: override.overrideReason })
    onClose()
  })
  const isAsking = needsApproval(environment)
  const changes = [{ flag_key: flag.key, operation: 'archive' as const }]
  const override = useOverride({ environment_id: environment.id, changes, failure, isLater: isAsking })
  return (
    <form {...formProps}>
      <Stack gap="md">
        <ArchivalEffect flag={flag} environment={environment} changes={changes} />
        {field}
        {failure !== null && <Failure error={failure} title="The flag was not archived" />}
        {override.field}
        <ChangeActions
          label="Archive flag"
          isAsking={isAsking}
          isBusy={isBusy}
          isReady
          permission={bothPermissions(override.permission, permission)}
          onClose={onClose}
        />
      </Stack>
    </form>
  )
}
