import type { CreatedSdkKey } from '@burgee/contract'
import { Radio, Select, Stack } from '@mantine/core'
import { useState } from 'react'
import { send } from '../../../shared/api/call.ts'
import { DialogForm } from '../../../shared/forms/dialog-form.tsx'
import { requireFilled } from '../../../shared/forms/field-errors.ts'
import { NameField } from '../../../shared/forms/name-field.tsx'
import { useSubmit } from '../../../shared/forms/use-submit.ts'
import { usePermissionsIn } from '../../../shared/scope/use-permissions.ts'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { isKeyKind, KEY_KINDS, type KeyKind } from './key-kinds.ts'

interface CreateKeyFormProps {
  readonly onCreated: (key: CreatedSdkKey) => void
  readonly onCancel: () => void
}

export function CreateKeyForm({ onCreated, onCancel }: CreateKeyFormProps) {
  const { project_id, environments } = useScope()
  const [name, setName] = useState('')
  const [environment_id, setEnvironment] = useState('')
  const [kind, setKind] = useState<KeyKind>('reader')
  const fields = ['name', 'environment_id']
  const submission = useSubmit(fields, async () => {
    requireFilled([
      ['name', name, 'Enter a name, such as that of the system that uses it.'],
      ['environment_id', environment_id, 'Choose the environment that it opens.'],
    ])
    const { body: created } = await send('createSdkKey', {
      params: { project_id },
      body: { name, environment_id, kind },
    })
    onCreated(created)
  })
  const { errors } = submission
  const mayIn = usePermissionsIn()
  return (
    <DialogForm submission={submission} submitLabel="Create SDK key" onCancel={onCancel}>
      <NameField placeholder="Shop back end" value={name} error={errors.name} onChange={setName} />
      <Select
        label="Environment"
        placeholder="Choose one"
        data={environments.map(({ id, name: label }) => ({
          value: id,
          label,
          disabled: !mayIn('createSdkKey', id).isAllowed,
        }))}
        value={environment_id === '' ? null : environment_id}
        onChange={(value) => setEnvironment(value ?? '')}
        error={errors.environment_id}
        allowDeselect={false}
      />
      <Radio.Group label="Kind" value={kind} onChange={(value) => isKeyKind(value) && setKind(value)}>
        <Stack gap="sm" mt={8}>
          {Object.entries(KEY_KINDS).map(([value, { description, title }]) => (
            <Radio key={value} value={value} label={title} description={description} />
          ))}
        </Stack>
      </Radio.Group>
    </DialogForm>
  )
}
