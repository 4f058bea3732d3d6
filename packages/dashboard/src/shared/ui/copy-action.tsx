import { ActionIcon, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'

interface CopyActionProps {
  readonly isCopied: boolean
  readonly onClick: () => void
  readonly label: string
}

/** The button beside what can be copied. */
export function CopyAction({ isCopied, onClick, label }: CopyActionProps) {
  return (
    <Tooltip label={isCopied ? 'Copied' : label}>
      <ActionIcon variant="subtle" color={isCopied ? 'teal' : 'gray'} onClick={onClick} aria-label={label}>
        {isCopied ? <IconCheck size={16} /> : <IconCopy size={16} />}
      </ActionIcon>
    </Tooltip>
  )
}
