import { Anchor, Button, Code, Group, Modal, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { call, send } from '../../../shared/api/call.ts'
import { requireFilled } from '../../../shared/forms/field-errors.ts'
import { useSubmit } from '../../../shared/forms/use-submit.ts'
import { Failure } from '../../../shared/ui/failure.tsx'
import { QrCode } from './qr-code.tsx'

interface AddAppDialogProps {
  readonly onClose: () => void
  /** Called with the recovery codes once a code was right. */
  readonly onAdded: (recovery_codes: readonly string[]) => void
}

interface NewTotp {
  readonly secret: string
  readonly otpauth_url: string
}

/** Adds an authenticator app: its secret, then a code that proves that the app has it. */
export function AddAppDialog({ onAdded, onClose }: AddAppDialogProps) {
  const { failure, started } = useNewSecret()
  return (
    <Modal opened onClose={onClose} title="Add an authenticator app" closeOnClickOutside={false}>
      {failure !== null && <Failure error={failure} />}
      {started === null && failure === null && <Skeleton height={320} />}
      {started && <ConfirmApp {...started} onAdded={onAdded} onClose={onClose} />}
    </Modal>
  )
}

function useNewSecret() {
  const [started, setStarted] = useState<NewTotp | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  useEffect(() => {
    let isOpen = true
    call('startTotp', {}).then(
      (body) => isOpen && setStarted(body),
      (error: unknown) => isOpen && setFailure(error),
    )
    return () => {
      isOpen = false
    }
  }, [])
  return { failure, started }
}

function ConfirmApp({ onAdded, onClose, otpauth_url, secret }: NewTotp & AddAppDialogProps) {
  const [code, setCode] = useState('')
  const [isTyped, setTyped] = useState(false)
  const { errors, failure, formProps, isBusy } = useSubmit(['code'], async () => {
    requireFilled([['code', code.trim(), 'Enter the code that the app shows.']])
    const { body } = await send('confirmTotp', { body: { code } })
    onAdded(body.recovery_codes)
  })
  return (
    <form {...formProps}>
      <Stack>
        <Text size="sm">Scan this with the app, then enter the code that it shows.</Text>
        <QrCode text={otpauth_url} label="QR code for the authenticator app" />
        {isTyped ? (
          <Stack gap={4}>
            <Text size="sm">Type this key into the app, with the type "time based":</Text>
            <Stack gap={0} role="group" aria-label="Key for the app">
              <Code block>{secret.replaceAll(/.{4}(?=.)/g, '$& ')}</Code>
            </Stack>
          </Stack>
        ) : (
          <Anchor component="button" type="button" size="sm" onClick={() => setTyped(true)}>
            Enter a key instead
          </Anchor>
        )}
        {failure !== null && <Failure error={failure} />}
        <TextInput
          label="Code"
          autoComplete="one-time-code"
          inputMode="numeric"
          data-autofocus
          value={code}
          error={errors.code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={isBusy}>
            Switch on
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
