import { PASSWORD_MIN_LENGTH } from '@burgee/contract'
import { Button, Group, PasswordInput } from '@mantine/core'
import { IconSparkles } from '@tabler/icons-react'
import { useState } from 'react'
import { generatePassword } from './generate-password.ts'

interface NewPasswordFieldProps {
  readonly label: string
  readonly description?: string
  readonly password: string
  readonly onChange: (password: string) => void
  readonly error: string | undefined
}

/**
 * A password for another person: typed or generated. A generated one is visible, since it has to be handed
 * over.
 */
export function NewPasswordField({ label, description, password, onChange, error }: NewPasswordFieldProps) {
  const [isVisible, setVisible] = useState(false)
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap">
      <PasswordInput
        flex={1}
        label={label}
        description={description ?? `At least ${PASSWORD_MIN_LENGTH} characters.`}
        value={password}
        onChange={(event) => onChange(event.currentTarget.value)}
        visible={isVisible}
        onVisibilityChange={setVisible}
        error={error}
        autoComplete="new-password"
        inputWrapperOrder={['label', 'description', 'error', 'input']}
      />
      <Button
        variant="default"
        leftSection={<IconSparkles size={14} />}
        onClick={() => {
          onChange(generatePassword())
          setVisible(true)
        }}
      >
        Generate
      </Button>
    </Group>
  )
}
