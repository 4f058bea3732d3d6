import { isShortSecret, SHORT_SECRET_CHARS } from '@burgee/contract'
import { Alert, Button, PasswordInput, Radio, Stack } from '@mantine/core'
import { IconSparkles } from '@tabler/icons-react'
import { SecretOnce } from '../../shared/ui/secret-once.tsx'
import { generateWebhookSecret } from './generate-webhook-secret.ts'
import type { SecretChoice } from './secret-choice.ts'

interface SecretFieldProps {
  /** True if the webhook has a secret now. */
  readonly has_secret: boolean
  readonly choice: SecretChoice
  readonly onChange: (choice: SecretChoice) => void
  readonly error: string | undefined
}

/** The secret that signs the messages. The stored one is never shown: it can be kept, replaced or removed. */
export function SecretField({ has_secret, choice, onChange, error }: SecretFieldProps) {
  const pick = (kind: string) => {
    if (kind === 'set') onChange({ kind, text: '', isGenerated: false })
    else onChange({ kind: kind === 'remove' ? 'remove' : 'keep' })
  }
  return (
    <Stack gap="sm">
      <Radio.Group
        label="Signature"
        description="A secret signs what is sent. Without one, anyone who knows the URL can pretend to be Burgee."
        value={choice.kind}
        onChange={pick}
      >
        <Stack gap={8} mt={8}>
          <Radio value="keep" label={has_secret ? 'Keep the secret that is stored' : 'Do not sign'} />
          <Radio value="set" label={has_secret ? 'Replace the secret' : 'Sign with a secret'} />
          {has_secret && <Radio value="remove" label="Remove the secret, and stop signing" />}
        </Stack>
      </Radio.Group>
      {choice.kind === 'set' && <NewSecret choice={choice} onChange={onChange} error={error} />}
    </Stack>
  )
}

interface NewSecretProps {
  readonly choice: Extract<SecretChoice, { kind: 'set' }>
  readonly onChange: (choice: SecretChoice) => void
  readonly error: string | undefined
}

function NewSecret({ choice: { isGenerated, text }, onChange, error }: NewSecretProps) {
  if (isGenerated) {
    return (
      <SecretOnce
        label="New secret"
        secret={text}
        hint="Copy it into your receiver before you save. It is never shown again."
      />
    )
  }
  return (
    <Stack gap={8} align="stretch">
      <PasswordInput
        label="Secret"
        description="whsec_ followed by base64 is decoded; any other text is used as it is."
        value={text}
        onChange={(event) => onChange({ kind: 'set', text: event.currentTarget.value, isGenerated: false })}
        error={error}
        autoComplete="new-password"
      />
      {isShortSecret(text) && (
        <Alert color="yellow" variant="light" p="xs" role="status">
          Fewer than {SHORT_SECRET_CHARS} characters can be guessed from one signed message.
        </Alert>
      )}
      <Button
        variant="default"
        size="xs"
        w="fit-content"
        leftSection={<IconSparkles size={14} />}
        onClick={() => onChange({ kind: 'set', text: generateWebhookSecret(), isGenerated: true })}
      >
        Generate a secret
      </Button>
    </Stack>
  )
}
