import { Badge, Tooltip } from '@mantine/core'
import { IconFileCode } from '@tabler/icons-react'

/** The configuration whose files write the flag. */
export function ManagedBadge({ name }: { readonly name: string }) {
  const effect =
    'The next apply of its files writes what they name again. Edit the files, or take the flag over.'
  return (
    <Tooltip label={effect} multiline w={280} events={{ hover: true, focus: true, touch: true }}>
      <Badge
        variant="light"
        tt="none"
        fw={500}
        maw={280}
        tabIndex={0}
        leftSection={<IconFileCode size={13} aria-hidden="true" />}
      >
        Managed by {name}
      </Badge>
    </Tooltip>
  )
}
