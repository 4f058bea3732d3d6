import { Alert, Text } from '@mantine/core'
import { IconUserCheck } from '@tabler/icons-react'

interface ApprovalNoteProps {
  readonly environment_name: string
}

/** Before a write that becomes a change request: that nothing happens yet. */
export function ApprovalNote({ environment_name }: ApprovalNoteProps) {
  return (
    <Alert
      variant="light"
      color="yellow"
      icon={<IconUserCheck size={18} />}
      title={`Changes in ${environment_name} need approval`}
    >
      <Text size="sm">Nothing changes until someone else has approved it.</Text>
    </Alert>
  )
}
