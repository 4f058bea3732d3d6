import { ActionIcon, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'

interface CopyActionProps {
  readonly is_copied: boolean
  readonly onClick: () => void
  readonly label: string
}

/** The button beside what can be copied. */
export function CopyAction({ is_copied, onClick, label }: CopyActionProps) {
  return (
    <Tooltip label={is_copied ? 'Copied' : label}>
      <ActionIcon variant="subtle" color={is_copied ? 'teal' : 'gray'} onClick={onClick} aria-label={label}>
        {is_copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
      </ActionIcon>
    </Tooltip>
  )
}
