import { Button, Group, Stack, Textarea } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { Permission } from '../../shared/scope/use-permissions.ts'
import { Failure } from '../../shared/ui/failure.tsx'
import { Gated } from '../../shared/ui/gated.tsx'

interface RejectFormProps {
  /** The input for the comment. */
  readonly comment: ReactNode
  readonly permission: Permission
  readonly isBusy: boolean
  /** Null where nothing went wrong. */
  readonly failure: unknown
  /** Null: without a reason. */
  readonly onReject: (reason: string | null) => void
  readonly onBack: () => void
}

/** Rejects a request, with a reason for the requester. */
export function RejectForm({ comment, permission, isBusy, failure, onReject, onBack }: RejectFormProps) {
  const [reason, setReason] = useState('')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onReject(reason.trim() || null)
      }}
    >
      <Stack gap="sm">
        <Textarea
          label="Reason"
          description="The requester sees it here, and Slack & Teams alerts contain it. You may leave it empty."
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          autosize
          minRows={2}
          maxRows={8}
          autoFocus
        />
        {comment}
        {failure !== null && <Failure error={failure} title="The request was not rejected" />}
        <Group gap="xs">
          <Gated permission={permission}>
            <Button type="submit" color="red" loading={isBusy}>
              Reject request
            </Button>
          </Gated>
          <Button variant="default" onClick={onBack}>
            Back
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
