import { Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { SecretOnce } from './secret-once.tsx'

interface SecretStepProps {
  readonly label: string
  readonly secret: string
  readonly hint?: string
  /** The purpose of the secret, above it. */
  readonly children?: ReactNode
  /** The statement that the reader confirms: "I have stored the key". */
  readonly confirmation: string
  readonly onDone: () => void
}

/**
 * The last step of creating a secret. It ends only when the reader confirms that they have it: there is no
 * second look.
 */
export function SecretStep({ label, secret, hint, children, confirmation, onDone }: SecretStepProps) {
  const [isStored, setStored] = useState(false)
  return (
    <Stack gap="md">
      {children && (
        <Text size="sm" component="div">
          {children}
        </Text>
      )}
      <SecretOnce label={label} secret={secret} {...(hint !== undefined && { hint })} />
      <Group justify="space-between" gap="sm">
        <Checkbox
          label={confirmation}
          checked={isStored}
          onChange={(event) => setStored(event.currentTarget.checked)}
        />
        <Button onClick={onDone} disabled={!isStored}>
          Done
        </Button>
      </Group>
    </Stack>
  )
}
