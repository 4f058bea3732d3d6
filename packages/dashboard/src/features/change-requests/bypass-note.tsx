import type { ChangeRequest } from '@burgee/contract'
import { Alert, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Time } from '../../shared/ui/time.tsx'

/** The mark of a change that was applied without the approval of others, with its reason. */
export function BypassNote({ request }: { readonly request: ChangeRequest }) {
  if (request.bypass_reason === null) return null
  return (
    <Alert
      variant="light"
      color="red"
      icon={<IconAlertTriangle size={18} />}
      title={
        <>
          Applied without approval by {request.reviewed_by ?? 'a workspace admin'}{' '}
          {request.reviewed_at && <Time at={request.reviewed_at} span inherit c="inherit" />}
        </>
      }
    >
      <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
        {request.bypass_reason}
      </Text>
    </Alert>
  )
}
