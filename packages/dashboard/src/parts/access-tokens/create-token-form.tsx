import type { AccessTokenInput, CreatedAccessToken } from '@burgee/contract'
import { Radio, Select, Stack } from '@mantine/core'
import { useState } from 'react'
import { DialogForm } from '../../shared/forms/dialog-form.tsx'
import { requireFilled } from '../../shared/forms/field-errors.ts'
import { NameField } from '../../shared/forms/name-field.tsx'
import { useSubmit } from '../../shared/forms/use-submit.ts'
import { useMe } from '../../shared/scope/use-me.ts'
import { countOf } from '../../shared/ui/count-of.ts'
import { expiryChoices, NEVER } from './expiry-choices.ts'
import { TOKEN_SCOPES, type TokenScope } from './token-scopes.ts'

interface CreateTokenFormProps {
  readonly create: (input: AccessTokenInput) => Promise<CreatedAccessToken>
  readonly onCreated: (token: CreatedAccessToken) => void
  readonly onCancel: () => void
}

export function CreateTokenForm({ create, onCreated, onCancel }: CreateTokenFormProps) {
  const [name, setName] = useState('')
  const [scope, setScope] = useState<TokenScope>('read_only')
  const maxDays = useMe()?.token_max_days
  const { choices, usual } = expiryChoices(maxDays)
  const [expiry, setExpiry] = useState(usual)
  const fields = ['name', 'scope', 'expires_in_days']
  const submission = useSubmit(fields, async () => {
    requireFilled([['name', name, 'Give it a name, such as that of the script that uses it.']])
    const expires_in_days = expiry === NEVER ? null : Number(expiry)
    onCreated(await create({ name, scope, expires_in_days }))
  })
  const { errors } = submission
  return (
    <DialogForm submission={submission} submitLabel="Create token" onCancel={onCancel}>
      <NameField placeholder="Release script" value={name} error={errors.name} onChange={setName} />
      <Radio.Group
        label="Scope"
        value={scope}
        onChange={(value) => setScope(value === 'read_write' ? 'read_write' : 'read_only')}
        error={errors.scope}
      >
        <Stack gap="sm" mt={8}>
          <Radio value="read_only" {...labeled('read_only')} />
          <Radio value="read_write" {...labeled('read_write')} />
        </Stack>
      </Radio.Group>
      <Select
        label="Expires"
        description={describeLimit(maxDays, expiry)}
        data={[...choices]}
        value={expiry}
        onChange={(value) => setExpiry(value ?? usual)}
        error={errors.expires_in_days}
        allowDeselect={false}
      />
    </DialogForm>
  )
}

function describeLimit(maxDays: number | undefined, expiry: string): string | undefined {
  if (maxDays !== undefined) {
    const days = countOf(maxDays, 'day')
    return `On this server a token ends after at most ${days} (TOKEN_MAX_DAYS).`
  }
  return expiry === NEVER ? 'A token that never expires may leak years later. Prefer a date.' : undefined
}

const labeled = (scope: TokenScope) => ({
  label: TOKEN_SCOPES[scope].title,
  description: TOKEN_SCOPES[scope].description,
})
