import { PASSKEY_NAME_MAX_LENGTH } from '@burgee/contract'
import { Alert, Modal, Stack, Text, TextInput } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useState } from 'react'
import { createPasskey, describePasskeyFailure } from '../../../parts/passkeys/ceremonies.ts'
import { describeDevice } from '../../../parts/sessions/index.ts'
import { ApiError } from '../../../shared/api/api-error.ts'
import { call, send } from '../../../shared/api/call.ts'
import { requireFilled } from '../../../shared/forms/field-errors.ts'
import { FormActions } from '../../../shared/forms/form-actions.tsx'
import { useSubmit } from '../../../shared/forms/use-submit.ts'
import { Failure } from '../../../shared/ui/failure.tsx'

interface AddPasskeyDialogProps {
  readonly onClose: () => void
  /** Called with the recovery codes, which the first factor brings. */
  readonly onAdded: (recovery_codes: readonly string[]) => void
}

/** Adds a passkey: its name, then the question of the browser. */
export function AddPasskeyDialog({ onAdded, onClose }: AddPasskeyDialogProps) {
  return (
    <Modal opened onClose={onClose} title="Add a passkey" closeOnClickOutside={false}>
      <AddPasskeyForm onAdded={onAdded} onClose={onClose} />
    </Modal>
  )
}

function AddPasskeyForm({ onAdded, onClose }: AddPasskeyDialogProps) {
  const [name, setName] = useState(suggestName)
  const [refusal, setRefusal] = useState<string | null>(null)
  const { errors, failure, formProps, isBusy } = useSubmit(['name'], async () => {
    setRefusal(null)
    requireFilled([['name', name.trim(), 'Enter a name.']])
    const options = await call('startPasskey', {})
    const credential = await createPasskey(options).catch((error: unknown) => {
      setRefusal(describePasskeyFailure(error, { isNew: true }))
      return null
    })
    if (credential === null) return
    const { body } = await send('addPasskey', { body: { name: name.trim(), credential } })
    onAdded(body.recovery_codes)
  })
  return (
    <form {...formProps}>
      <Stack>
        <Text size="sm">
          Your browser offers where to store it: on this device, on a phone, or on a security key with a PIN.
        </Text>
        {refusal !== null && (
          <Alert color="red" role="alert" icon={<IconAlertTriangle size={18} />}>
            {refusal}
          </Alert>
        )}
        {failure !== null && <Failure error={failure} title={failureTitle(failure)} />}
        <TextInput
          label="Name"
          description="To tell your passkeys apart"
          data-autofocus
          maxLength={PASSKEY_NAME_MAX_LENGTH}
          value={name}
          error={errors.name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <FormActions submitLabel="Create passkey" isBusy={isBusy} onCancel={onClose} />
      </Stack>
    </form>
  )
}

/** Returns the name of this browser and system, where they are known. */
function suggestName(): string {
  const device = describeDevice(navigator.userAgent)
  return device.startsWith('Mozilla/') ? 'My passkey' : device
}

const failureTitle = (failure: unknown): string =>
  failure instanceof ApiError ? 'The passkey was not added' : 'The passkey could not be created'
