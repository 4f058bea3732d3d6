import type { ServiceAccount } from '@burgee/contract'
import { Modal } from '@mantine/core'
import { useState } from 'react'
import { call } from '../../../shared/api/call.ts'
import { DialogForm } from '../../../shared/forms/dialog-form.tsx'
import { requireFields } from '../../../shared/forms/field-errors.ts'
import { NameField } from '../../../shared/forms/name-field.tsx'
import { useSubmit } from '../../../shared/forms/use-submit.ts'
import { notifySuccess } from '../../../shared/ui/notify.tsx'

interface AccountDialogProps {
  /** Null: a new one. */
  readonly account: ServiceAccount | null
  readonly onClose: () => void
  readonly onCreated?: (account: ServiceAccount) => void
}

const NAME = /^[^@\s]+(?: [^@\s]+)*$/

/** Creates or renames a service account. */
export function AccountDialog({ account, onClose, onCreated }: AccountDialogProps) {
  const [name, setName] = useState(account?.name ?? '')
  const submission = useSubmit(['name'], async () => {
    requireFields([['name', NAME.test(name), 'Use words with single spaces, without @.']])
    const saved = account
      ? await call('updateServiceAccount', { params: { id: account.id }, body: { name } })
      : await call('createServiceAccount', { body: { name } })
    notifySuccess({
      message: account ? 'The service account is renamed.' : 'The service account is created.',
    })
    onClose()
    if (!account) onCreated?.(saved)
  })
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnClickOutside={false}
      title={account ? `Rename ${account.name}` : 'Create service account'}
    >
      <DialogForm
        submission={submission}
        submitLabel={account ? 'Rename' : 'Create service account'}
        onCancel={onClose}
      >
        <NameField
          placeholder="Deploy pipeline"
          value={name}
          error={submission.errors.name}
          onChange={setName}
        />
      </DialogForm>
    </Modal>
  )
}
