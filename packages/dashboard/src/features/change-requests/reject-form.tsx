import { Button, Group, Stack, Textarea } from '@mantine/core'
import { useState } from 'react'
import { Failure } from '../../shared/ui/failure.tsx'

interface RejectFormProps {
  readonly isBusy: boolean
  /** Null where nothing went wrong. */
  readonly failure: unknown
  /** Null: without a reason. */
  readonly onReject: (reason: string | null) => void
  readonly onBack: () => void
}

/** Rejects a request, with a reason for the requester. */
export function RejectForm({ isBusy, failure, onReject, onBack }: RejectFormProps) {
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
        {failure !== null && <Failure error={failure} title="The request was not rejected" />}
        <Group gap="xs">
          <Button type="submit" color="red" loading={isBusy}>
            Reject request
          </Button>
          <Button variant="default" onClick={onBack}>
            Back
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
