import { Code, CopyButton, Group, Text } from '@mantine/core'
import { CopyAction } from '../../../shared/ui/copy-action.tsx'

interface FactProps {
  readonly name: string
  readonly value: string | null
}

/** A setting that is copied to the identity provider. */
export function Fact({ name, value }: FactProps) {
  if (value === null) return null
  return (
    <div>
      <Text size="xs" c="dimmed">
        {name}
      </Text>
      <Group gap={4} wrap="nowrap">
        <Code fz="sm" style={{ overflowWrap: 'anywhere' }}>
          {value}
        </Code>
        <CopyButton value={value}>
          {({ copied, copy }) => (
            <CopyAction isCopied={copied} onClick={copy} label={`Copy: ${name.toLowerCase()}`} />
          )}
        </CopyButton>
      </Group>
    </div>
  )
}
