import type { Webhook } from '@burgee/contract'
import { useState } from 'react'
import { AddressField, EnabledField } from '../../parts/deliveries/receiver-fields.tsx'
import { call } from '../../shared/api/call.ts'
import { changedFields } from '../../shared/forms/changed-fields.ts'
import { DialogForm } from '../../shared/forms/dialog-form.tsx'
import { requireFilled } from '../../shared/forms/field-errors.ts'
import { NameField } from '../../shared/forms/name-field.tsx'
import { useSubmit } from '../../shared/forms/use-submit.ts'
import { useScope } from '../../shared/scope/use-scope.ts'
import { notifySuccess } from '../../shared/ui/notify.tsx'
import { KEPT_SECRET, type SecretChoice, secretToSend } from './secret-choice.ts'
import { SecretField } from './secret-field.tsx'

interface WebhookFormProps {
  readonly webhook: Webhook | null
  readonly onDone: () => void
}

export function WebhookForm({ webhook, onDone }: WebhookFormProps) {
  const { environment_id } = useScope()
  // A receiver that responds with 410 is disabled meanwhile. So only the fields that are changed here are
  // sent.
  const [before] = useState(webhook)
  const [name, setName] = useState(webhook?.name ?? '')
  const [url, setUrl] = useState(webhook?.url ?? '')
  const [enabled, setEnabled] = useState(webhook?.enabled ?? true)
  const [secret, setSecret] = useState<SecretChoice>(KEPT_SECRET)
  const submission = useSubmit(['name', 'url', 'secret'], async () => {
    requireFilled([
      ['name', name, 'Enter a name.'],
      ['url', url, 'Enter the URL to which events are posted.'],
      ...(secret.kind === 'set'
        ? ([['secret', secret.text, 'Enter a secret, or generate one.']] as const)
        : []),
    ])
    const fields = { name, url: url.trim(), enabled }
    const sentSecret = secretToSend(secret)
    if (before) {
      const body = { ...changedFields(before, fields), ...sentSecret }
      await call('updateWebhook', { params: { env_id: environment_id, id: before.id }, body })
    } else {
      await call('createWebhook', { params: { env_id: environment_id }, body: { ...fields, ...sentSecret } })
    }
    notifySuccess({ message: webhook ? 'The webhook is saved.' : 'The webhook is created.' })
    onDone()
  })
  const { errors } = submission
  return (
    <DialogForm
      submission={submission}
      submitLabel={webhook ? 'Save webhook' : 'Create webhook'}
      onCancel={onDone}
    >
      <NameField placeholder="Deploy bot" value={name} error={errors.name} onChange={setName} />
      <AddressField
        label="URL"
        description="Respond with a 2xx within 10 seconds. Redirects are not followed."
        placeholder="https://example.com/hooks/burgee"
        value={url}
        error={errors.url}
        onChange={setUrl}
      />
      <SecretField
        has_secret={webhook?.has_secret ?? false}
        choice={secret}
        onChange={setSecret}
        error={errors.secret}
      />
      <EnabledField noun="webhook" isEnabled={enabled} onChange={setEnabled} />
    </DialogForm>
  )
}
