import { PASSKEY_NAME_MAX_LENGTH, type Passkey } from '@burgee/contract'
import { Modal, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { call } from '../../../shared/api/call.ts'
import { requireFilled } from '../../../shared/forms/field-errors.ts'
import { FormActions } from '../../../shared/forms/form-actions.tsx'
import { useSubmit } from '../../../shared/forms/use-submit.ts'
import { Failure } from '../../../shared/ui/failure.tsx'

interface RenamePasskeyDialogProps {
  readonly passkey: Passkey
  readonly onClose: () => void
}

export function RenamePasskeyDialog({ onClose, passkey }: RenamePasskeyDialogProps) {
  return (
    <Modal opened onClose={onClose} title="Rename passkey">
      <RenameForm passkey={passkey} onClose={onClose} />
    </Modal>
  )
}

function RenameForm({ onClose, passkey }: RenamePasskeyDialogProps) {
  const [name, setName] = useState(passkey.name)
  const { errors, failure, formProps, isBusy } = useSubmit(['name'], async () => {
    requireFilled([['name', name.trim(), 'Enter a name.']])
    await call('renamePasskey', { params: { id: passkey.id }, body: { name: name.trim() } })
    onClose()
  })
  return (
    <form {...formProps}>
      <Stack>
        {failure !== null && <Failure error={failure} title="The passkey was not renamed" />}
        <TextInput
          label="Name"
          data-autofocus
          maxLength={PASSKEY_NAME_MAX_LENGTH}
          value={name}
          error={errors.name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <FormActions submitLabel="Rename passkey" isBusy={isBusy} onCancel={onClose} />
      </Stack>
    </form>
  )
}
